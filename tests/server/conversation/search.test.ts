import { beforeAll, expect, it } from "vitest";
import type { InboxPage } from "../../../domain/inbox.ts";
import { sharedServer } from "../../support/servers.ts";
import { newSeller, type ConnectedSeller } from "./support.ts";
import { addRows, rowOf } from "../../support/rows.ts";

const SAID: readonly (readonly [name: string, text: string])[] = [
  ["Ann", "What does the Advanced course cost?"],
  ["Boris", "Привет! Ещё актуально? Хочу обсудить цену"],
  ["Parisa", "سلام، مي‌خواهم کتاب ۱۲ را بخرم"],
  ["Wei", "我想要价格表，谢谢"],
  ["Somchai", "ราคาเท่าไหร่ครับ"],
  ["Zoë", "Merci 😀 it's fine"],
];
const TODAY = "2026-01-01T00:00:00Z";

const server = await sharedServer();
const seller = await newSeller(server);
beforeAll(async () => {
  for (const [name, text] of SAID) await seller.hear({ first_name: name }, text);
});

const found = async (user: ConnectedSeller, q: string, rest = "") =>
  (await user.get<InboxPage>(`/api/inbox?q=${encodeURIComponent(q)}${rest}`)).items
    .map(({ lead }) => lead.name)
    .toSorted((a, b) => String(a).localeCompare(String(b)));

it("looks in each view, in one's own conversations alone, and behind the first hundreds of them", async () => {
  const user = await newSeller(server);
  const account = await rowOf(server.deps.db, "telegram_sessions", { user_id: user.userId }, ["telegram_user_id"]);
  const people = Array.from({ length: 460 }, (_, index) => ({ id: 7_000_000 + index, at: Date.parse(TODAY) - index }));
  await addRows(
    server.deps.db,
    "leads",
    people.map(({ id, at }, index) => {
      const time = new Date(at).toISOString();
      const dates = { created_at: time, stage_entered_at: time, last_message_at: time };
      return { owner_id: user.userId, telegram_user_id: id, name: `Person ${index}`, ...dates };
    }),
  );
  await addRows(
    server.deps.db,
    "messages",
    people.map(({ id, at }, index) => ({
      owner_id: user.userId,
      account_user_id: account.telegram_user_id,
      peer_user_id: id,
      message_id: index + 1,
      is_outgoing: false,
      text: index % 50 === 9 ? "A rare orchid" : "Good day",
      sent_at: new Date(at).toISOString(),
    })),
  );
  expect(await found(user, "orchid")).toEqual(
    [9, 59, 109, 159, 209, 259, 309, 359, 409, 459].map((n) => `Person ${n}`).toSorted((a, b) => a.localeCompare(b)),
  );
  expect(await found(user, "orchid", "&view=waiting")).toEqual([]);
  expect(await found(user, "good", "&limit=200")).toHaveLength(200);
  const first = await user.get<InboxPage>("/api/inbox?q=orchid&limit=4");
  const second = await user.get<InboxPage>(`/api/inbox?q=orchid&limit=4&before=${first.next}`);
  const third = await user.get<InboxPage>(`/api/inbox?q=orchid&limit=4&before=${second.next}`);
  expect([...first.items, ...second.items, ...third.items].map(({ lead }) => lead.name)).toEqual(
    [9, 59, 109, 159, 209, 259, 309, 359, 409, 459].map((n) => `Person ${n}`),
  );
  expect(third.next).toBeNull();
  expect(await found(seller, "orchid")).toEqual([]);
});
