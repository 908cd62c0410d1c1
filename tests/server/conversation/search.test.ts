import { expect, it } from "vitest";
import type { InboxPage } from "../../../domain/inbox.ts";
import { newSeller, type ConnectedSeller } from "./support.ts";
import { addRows, rowOf } from "../../support/rows.ts";
import { sharedServer } from "../../support/server.ts";

const TODAY = "2026-01-01T00:00:00Z";

const server = await sharedServer();

const found = async (user: ConnectedSeller, q: string, rest = "") =>
  (await user.get<InboxPage>(`/api/inbox?q=${q}${rest}`)).items.map(({ lead }) => lead.name);

it("searches each view in all of the user's own conversations only", async () => {
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
  const orchids = [9, 59, 109, 159, 209, 259, 309, 359, 409, 459].map((n) => `Person ${n}`);
  expect(await found(user, "orchid")).toEqual(orchids);
  expect(await found(user, "orchid", "&view=waiting")).toEqual([]);
  expect(await found(user, "good", "&limit=200")).toHaveLength(200);
  const page = (before = "") => user.get<InboxPage>(`/api/inbox?q=orchid&limit=4${before}`);
  const first = await page();
  const second = await page(`&before=${first.next}`);
  const third = await page(`&before=${second.next}`);
  expect([first, second, third].flatMap(({ items }) => items.map(({ lead }) => lead.name))).toEqual(orchids);
  expect(third.next).toBeNull();
  expect(await found(await newSeller(server), "orchid")).toEqual([]);
});
