import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import type { Lead } from "../../../domain/lead.ts";
import { randomStream } from "../../support/seed.ts";
import { type TestUser } from "../../support/server.ts";
import { sharedServer } from "../../support/servers.ts";
import { addRows, changeRows, removeRows } from "../../support/rows.ts";

type Person = { name: string | null; username?: string; notes?: string; said?: readonly string[] };
const PEOPLE: readonly Person[] = [
  { name: "Anna-Maria O'Neil", username: "anna_on", said: ["What does the Advanced course cost?"] },
  {
    name: "Boris",
    notes: "Asked for an invoice; café opens in May",
    said: ["Привет! Ещё актуально?", "Хочу обсудить цену"],
  },
  { name: "Parisa", said: ["سلام، مي‌خواهم کتاب ۱۲ را بخرم"] },
  { name: "Wei 李雷", said: ["我想要价格表，谢谢", "OK see 价格 list"] },
  { name: "Somchai", said: ["ราคาเท่าไหร่ครับ"] },
  { name: "Zoë", username: "Zoe_Quinn", said: ["Merci 😀 it's naïve", "résumé attached"] },
  { name: null, notes: "no name; wants the course", said: ["Мой адрес: Киев, їдемо", "price of course"] },
  { name: "Ben 100% 😀", said: [`${"word ".repeat(60)}needle in the middle ${"word ".repeat(60)}`] },
];

const server = await sharedServer();
let user: TestUser;
let stranger: TestUser;

async function meet(ownerId: string, people: readonly Person[], from: number): Promise<string[]> {
  const at = (index: number) => new Date(Date.parse("2026-01-01T00:00:00Z") + index * 60_000).toISOString();
  const leads = await addRows(
    server.deps.db,
    "leads",
    people.map(({ name, username, notes }, index) => ({
      owner_id: ownerId,
      telegram_user_id: from + index,
      name,
      username: username ?? null,
      notes: notes ?? null,
      created_at: at(index),
      stage_entered_at: at(index),
    })),
  );
  const messages = people.flatMap(({ said = [] }, index) =>
    said.map((text, turn) => ({
      owner_id: ownerId,
      account_user_id: 1,
      peer_user_id: from + index,
      message_id: from + index * 100 + turn,
      is_outgoing: turn % 2 === 1,
      text,
      sent_at: at(index + turn),
    })),
  );
  await server.deps.db.insertInto("messages").values(messages).execute();
  return leads.map(({ id }) => id);
}

let ids: string[];
beforeAll(async () => {
  user = await server.subscriber();
  stranger = await server.subscriber();
  ids = await meet(user.userId, PEOPLE, 1000);
  await meet(stranger.userId, PEOPLE, 1000);
});

const found = async (q: string, rest = "") => {
  const { status, body } = await server.call<{ leads: Lead[]; total: number }>(
    "GET",
    `/api/leads?q=${encodeURIComponent(q)}${rest}`,
    { token: user.token },
  );
  expect(status).toBe(200);
  return body;
};
const indexesOf = (leads: readonly Lead[]) => leads.map(({ id }) => ids.indexOf(id)).toSorted((a, b) => a - b);

it.each<[string, string, number[]]>([
  ["a part of a name", "a-mar", [0]],
  ["a part of a name by one letter", "z", [5]],
  ["a name with its sign", "O'N", [0]],
  ["a long name to its end", "nna-Maria O'Neil", [0]],
  ["no name that only begins so", "Anna-Maria O'Neill", []],
  ["a part of a username, with its @", "@E_qui", [5]],
  ["a name without its accents", "zoe", [5]],
  ["a name of another script within", "雷", [3]],
  ["signs as signs", "100%", [7]],
  ["an emoji in a name and in a message", "😀", [5, 7]],
  ["a word of messages and notes", "course", [0, 6]],
  ["the beginning of a word", "adv", [0]],
  ["no part from within a word", "ourse", []],
  ["all words in any order", "COURSE price", [6]],
  ["nobody whose words stand in two messages", "адрес price", []],
  ["words of notes together", "invoice asked", [1]],
  ["words without their accents", "resume", [5]],
  ["words with accents that were written without", "nàive", [5]],
  ["notes without accents", "cafe", [1]],
  ["Cyrillic, whichever way ё is written", "еще", [1]],
  ["й as a letter of its own", "мои", []],
  ["й itself", "МОЙ", [6]],
  ["Ukrainian by its beginning", "їд", [6]],
  ["Persian, whichever keyboard wrote it", "می‌خواهم", [2]],
  ["digits of other scripts", "12", [2]],
  ["Chinese within a sentence", "价格", [3]],
  ["Chinese and Latin together", "价格 list", [3]],
  ["Thai within a sentence", "เท่าไหร่", [4]],
  ["nobody by signs alone", "'&|!:*\\()", []],
])("finds %s", async (_what, q, expected) => {
  const { leads, total } = await found(q);
  expect([indexesOf(leads), total]).toEqual([expected, expected.length]);
});

it.each<[string, string, number, Partial<Lead["match"]> & object]>([
  ["a name", "maria", 0, { where: "name", text: "Anna-Maria O'Neil", start: 5, length: 5, message_id: null }],
  ["a username", "quinn", 5, { where: "username", text: "Zoe_Quinn", start: 4, length: 5, message_id: null }],
  ["notes", "CAFE", 1, { where: "notes", text: PEOPLE[1]?.notes ?? "", start: 22, length: 4, message_id: null }],
  [
    "the message that holds all words",
    "course price",
    6,
    { where: "message", text: "price of course", start: 9, length: 6 },
  ],
  ["a message", "resume", 5, { where: "message", text: "résumé attached", start: 0, length: 6 }],
  ["a sentence without spaces", "价格", 3, { where: "message", text: "OK see 价格 list", start: 7, length: 2 }],
])("tells where in %s the search stands", async (_what, q, index, expected) => {
  const { leads } = await found(q);
  expect(leads.find(({ id }) => id === ids[index])?.match).toMatchObject(expected);
});

it("goes with what is written, edited, deleted and renamed", async () => {
  const { db } = server.deps;
  const [id] = await meet(user.userId, [{ name: "Quentin", notes: "zebra", said: ["a tandem", "a bicycle"] }], 5000);
  const isFound = async (q: string) => (await found(q)).leads.some((lead) => lead.id === id);
  const all = async (...words: string[]) => Promise.all(words.map(isFound));
  expect(await all("quentin", "zebra", "tandem", "bicycle", "unicycle")).toEqual([true, true, true, true, false]);
  await db.updateTable("messages").set({ text: "an unicycle" }).where("text", "=", "a tandem").execute();
  await db.deleteFrom("messages").where("text", "=", "a bicycle").execute();
  await changeRows(db, "leads", { id: id ?? "" }, { name: "Xaver", notes: null });
  expect(await all("quentin", "zebra", "tandem", "bicycle", "unicycle", "xav")).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
  ]);
  await removeRows(db, "leads", { id: id ?? "" });
  expect(await all("unicycle", "xav")).toEqual([false, false]);
});

it("takes more words of one person than a lead has room for, and finds them all", async () => {
  const { db } = server.deps;
  const random = randomStream(5);
  const word = () =>
    Array.from({ length: 40 }, () => String.fromCodePoint(0x10_d0 + Math.floor(random() * 33))).join("");
  const words = Array.from({ length: 90 }, () => Array.from({ length: 100 }, word));
  const [early = "", late = ""] = [words[3]?.[50], words[80]?.[50]];
  const gibberish = words.map((some) => some.join(" "));
  const [id] = await meet(user.userId, [{ name: "Flood", said: gibberish.slice(0, 60) }], 7000);
  const say = (texts: readonly string[], from: number) =>
    addRows(
      db,
      "messages",
      texts.map((text, index) => ({
        owner_id: user.userId,
        account_user_id: 1,
        peer_user_id: 7000,
        message_id: from + index,
        is_outgoing: false,
        text,
        sent_at: "2026-01-02T00:00:00Z",
      })),
    );
  await say(gibberish.slice(60), 7100);
  await say(["flotsam and jetsam"], 7200);
  for (const q of ["flotsam", "jets", early, late, late.slice(0, 12), `${words[80]?.[7]} ${late}`, "flood"])
    expect((await found(q)).leads.map((lead) => lead.id)).toContain(id);
  expect((await found("flotsam")).leads[0]?.match).toMatchObject({ where: "message", start: 0, length: 7 });
  await db.deleteFrom("messages").where("peer_user_id", "=", "7000").where("message_id", "<", 7200).execute();
  expect((await found("flotsam")).leads.map((lead) => lead.id)).toEqual([id]);
  expect([(await found(early)).total, (await found(late)).total]).toEqual([0, 0]);
  await db.deleteFrom("leads").where("telegram_user_id", "=", "7000").execute();
});

it("finds among random words what a model finds, in any order and page", async () => {
  const random = randomStream(3);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const words = ["apple", "apricot", "banana", "груша", "грунт", "slива", "price", "pricing"];
  const made = Array.from({ length: 48 }, (_, index) => ({
    name: `${pick(["Ada", "Bea", "Cid"])} ${index % 9}`,
    notes: random() < 0.3 ? `${pick(words)} ${pick(words)}` : "",
    said: Array.from({ length: Math.floor(random() * 4) }, () => `${pick(words)}, ${pick(words)}!`),
  }));
  const seller = await server.subscriber();
  const known = await meet(seller.userId, made, 9000);
  for (let round = 0; round < 8; round += 1) {
    const asked = Array.from({ length: 1 + Math.floor(random() * 2) }, () =>
      pick([...words, "ap", "гру", "pric", "a", "8"]),
    );
    const q = asked.join(" ");
    const holds = (text: string) =>
      asked.every((start) => text.split(/[\s,!]+/).some((word) => word !== "" && word.startsWith(start)));
    const kept = made.flatMap(({ name, notes, said }, index) =>
      name.toLowerCase().includes(q) || [notes, ...said].some(holds) ? [known[index]] : [],
    );
    const isNewest = random() < 0.5;
    const offset = Math.floor(random() * kept.length);
    const { body } = await server.call<{ leads: Lead[]; total: number }>(
      "GET",
      `/api/leads?q=${encodeURIComponent(q)}&sort=${isNewest ? "-" : ""}created_at&limit=10&offset=${offset}`,
      { token: seller.token },
    );
    const ordered = isNewest ? kept.toReversed() : kept;
    expect([q, body.total, body.leads.map(({ id }) => id)]).toEqual([
      q,
      kept.length,
      ordered.slice(offset, offset + 10),
    ]);
    expect(body.leads.every(({ match }) => match !== null && match !== undefined && match.length > 0)).toBe(true);
  }
});

it("finds among thousands what stands next in the list's order, on every page", async () => {
  const seller = await server.subscriber();
  await sql`insert into leads (owner_id, telegram_user_id, name, created_at, stage_entered_at)
    select ${seller.userId}::uuid, 20000 + n, case when n % 7 = 0 then null when n % 2 = 0 then 'Mara ' || n % 40 else 'Nino ' || n end,
      timestamptz '2026-01-01' + n % 500 * interval '1 minute', now()
    from generate_series(1, 2600) n`.execute(server.deps.db);
  for (const [sort, order] of [
    ["created_at", sql`created_at`],
    ["-name", sql`lower(name) collate "C" desc nulls last`],
  ] as const) {
    const { rows } = await sql<{
      id: string;
    }>`select id from leads where owner_id = ${seller.userId}::uuid and name like 'Mara%'
      order by ${order}, created_at desc, id desc`.execute(server.deps.db);
    const ids = rows.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(1_000);
    for (const offset of [0, 60, ids.length - 3]) {
      const { body } = await server.call<{ leads: Lead[]; total: number }>(
        "GET",
        `/api/leads?q=mara&sort=${sort}&limit=50&offset=${offset}`,
        { token: seller.token },
      );
      expect([sort, body.total, body.leads.map(({ id }) => id)]).toEqual([
        sort,
        ids.length,
        ids.slice(offset, offset + 50),
      ]);
    }
  }
});
