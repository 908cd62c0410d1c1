import { expect, it } from "vitest";
import type { Lead } from "../../../domain/lead.ts";
import { meet, runSearch, runSearchOfThousands, type Person } from "../../../tools/chaos/models/lead-search.ts";
import { randomStream } from "../../support/seed.ts";
import { sharedServer } from "../../support/server.ts";
import { addRows, changeRows, removeRows } from "../../support/rows.ts";

const PEOPLE: readonly Person[] = [
  { name: "Anna-Maria O'Neil", username: "anna_on", messages: ["What does the Advanced course cost?"] },
  {
    name: "Boris",
    notes: "Asked for an invoice; café opens in May",
    messages: ["Привет! Ещё актуально?", "Хочу обсудить цену"],
  },
  { name: "Parisa", messages: ["سلام، مي‌خواهم کتاب ۱۲ را بخرم"] },
  { name: "Wei 李雷", messages: ["我想要价格表，谢谢", "OK see 价格 list"] },
  { name: "Somchai", messages: ["ราคาเท่าไหร่ครับ"] },
  { name: "Zoë", username: "Zoe_Quinn", messages: ["Merci 😀 it's naïve", "résumé attached"] },
  { name: null, notes: "no name; wants the course", messages: ["Мой адрес: Киев, їдемо", "price of course"] },
  { name: "Ben 100% 😀", messages: [`${"word ".repeat(60)}needle in the middle ${"word ".repeat(60)}`] },
];

const server = await sharedServer();
const { db } = server.deps;
const user = await server.subscriber();
const ids = await meet(server, user.userId, PEOPLE, 1000);
await meet(server, (await server.subscriber()).userId, PEOPLE, 1000);

const found = async (q: string) => {
  const path = `/api/leads?q=${encodeURIComponent(q)}`;
  const { status, body } = await server.call<{ leads: Lead[]; total: number }>("GET", path, { token: user.token });
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
  ["the one message", "course price", 6, { where: "message", text: "price of course", start: 9, length: 6 }],
  ["a message", "resume", 5, { where: "message", text: "résumé attached", start: 0, length: 6 }],
  ["a sentence without spaces", "价格", 3, { where: "message", text: "OK see 价格 list", start: 7, length: 2 }],
])("finds the position of the search in %s", async (_what, q, index, expected) => {
  const { leads } = await found(q);
  expect(leads.find(({ id }) => id === ids[index])?.match).toMatchObject(expected);
});

it("follows new, edited and deleted messages and renamed leads", async () => {
  const person = { name: "Quentin", notes: "zebra", messages: ["a tandem", "a bicycle"] };
  const [id = ""] = await meet(server, user.userId, [person], 5000);
  const foundBy = async () => {
    const words = ["quentin", "zebra", "tandem", "bicycle", "unicycle", "xav"];
    const known = words.map(async (q) => ((await found(q)).leads.some((lead) => lead.id === id) ? q : ""));
    return (await Promise.all(known)).filter((q) => q !== "");
  };
  expect(await foundBy()).toEqual(["quentin", "zebra", "tandem", "bicycle"]);
  await changeRows(db, "messages", { text: "a tandem" }, { text: "an unicycle" });
  await removeRows(db, "messages", { text: "a bicycle" });
  await changeRows(db, "leads", { id }, { name: "Xaver", notes: null });
  expect(await foundBy()).toEqual(["unicycle", "xav"]);
  await removeRows(db, "leads", { id });
  expect(await foundBy()).toEqual([]);
});

it("finds all words of a lead with more words than one index row holds", async () => {
  const random = randomStream(5);
  const word = () =>
    Array.from({ length: 40 }, () => String.fromCodePoint(0x10_d0 + Math.floor(random() * 33))).join("");
  const words = Array.from({ length: 90 }, () => Array.from({ length: 100 }, word));
  const [early = "", late = ""] = [words[3]?.[50], words[80]?.[50]];
  const gibberish = words.map((some) => some.join(" "));
  const [id] = await meet(server, user.userId, [{ name: "Flood", messages: gibberish.slice(0, 60) }], 7000);
  const message = { owner_id: user.userId, account_user_id: 1, peer_user_id: 7000, is_outgoing: false };
  const at = { sent_at: "2026-01-02T00:00:00Z" };
  const addMessages = (texts: readonly string[], from: number) => {
    const rows = texts.map((text, index) => ({ ...message, ...at, text, message_id: from + index }));
    return addRows(db, "messages", rows);
  };
  await addMessages(gibberish.slice(60), 7100);
  await addMessages(["flotsam and jetsam"], 7200);
  for (const q of ["flotsam", "jets", early, late, late.slice(0, 12), `${words[80]?.[7]} ${late}`, "flood"])
    expect((await found(q)).leads.map((lead) => lead.id)).toContain(id);
  expect((await found("flotsam")).leads[0]?.match).toMatchObject({ where: "message", start: 0, length: 7 });
  await db.deleteFrom("messages").where("peer_user_id", "=", "7000").where("message_id", "<", 7200).execute();
  expect((await found("flotsam")).leads.map((lead) => lead.id)).toEqual([id]);
  expect([(await found(early)).total, (await found(late)).total]).toEqual([0, 0]);
  await removeRows(db, "leads", { id });
});

it("matches a model on random words, in any order and page", async () => {
  expect(await runSearch(server, { rounds: 8, seed: 3 })).toBeGreaterThan(8);
});

it("pages through thousands of matches in the list's order", async () => {
  expect(await runSearchOfThousands(server)).toBeGreaterThan(1_000);
});
