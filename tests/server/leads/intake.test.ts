import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { createIntake } from "../../../server/leads/intake.ts";
import { createStageRules } from "../../../server/stages/rules.ts";
import type { TelegramMessage } from "../../../domain/telegram-message.ts";
import { telegramMessage } from "../../support/telegram-message.ts";
import { addUser } from "../../support/tenant.ts";
import { addRow, addRows, changeRows, removeRows, rowsOf } from "../../support/rows.ts";
import { sharedServer } from "../../support/server.ts";

const { deps, idle } = await sharedServer();
const AT = "2026-03-01T10:00:00.000Z";
const intake = createIntake(deps, createStageRules(deps.db, deps.bus));
let ownerId: string;
let stages: string[];

beforeEach(async () => {
  ({ userId: ownerId } = await addUser(deps));
  const keywords = Object.entries({ New: ["hello"], Interested: ["price"], Won: ['"deposit"', "paid"] });
  const rows = keywords.map(([name, words], index) => ({ name, keywords: words, owner_id: ownerId, order: index + 1 }));
  stages = (await addRows(deps.db, "stages", rows)).map(({ id }) => id);
});

const message = (
  text: string,
  over: Partial<Omit<TelegramMessage, "peer">> & { peer?: Partial<TelegramMessage["peer"]> } = {},
) => telegramMessage({ userId: ownerId, text, date: AT, ...over, peer: { username: "ann", ...over.peer } });
const leads = () => rowsOf(deps.db, "leads", { owner_id: ownerId });
const record = (...messages: TelegramMessage[]) => intake.record(ownerId, messages);

test("creates a lead in the first stage at Telegram's time from a first message", async () => {
  await record(message("I paid a deposit, what is the price?"));
  expect(await leads()).toMatchObject([
    {
      name: "Ann Lee",
      username: "ann",
      stage_id: stages[0],
      created_at: "2026-03-01T10:00:00Z",
      last_user_message_at: "2026-03-01T10:00:00Z",
      stage_entry_epoch: 1,
    },
  ]);
});

test("ignores a repeated message", async () => {
  const first = message("hi");
  await record(first);
  const before = await leads();
  await record({ ...first, peer: { ...first.peer, name: "Someone Else" } }, first);
  expect(await leads()).toEqual(before);
  expect(await rowsOf(deps.db, "messages", { owner_id: ownerId })).toHaveLength(1);
});

test.each([
  ["a bot", { peer: { isBot: true } }],
  ["oneself", { peer: { isSelf: true } }],
  ["a deleted account", { peer: { isDeleted: true } }],
  ["Telegram's own service account", { peer: { id: "777000" } }],
])("creates no lead from %s", async (_who, over) => {
  await record(message("hi", over));
  expect(await leads()).toEqual([]);
});

test("creates a lead from a reply, not from the user's own first message", async () => {
  await record(message("hello, are you there?", { isOutgoing: true }));
  expect(await leads()).toEqual([]);
  await record(message("yes"));
  expect(await leads()).toHaveLength(1);
});

test("creates Initial Contact with the first lead of an account without stages", async () => {
  await removeRows(deps.db, "stages", { owner_id: ownerId });
  await record(message("hi"));
  const first = [{ name: "Initial Contact", order: 1 }];
  expect(await rowsOf(deps.db, "stages", { owner_id: ownerId }, ["name", "order"])).toEqual(first);
});

test("updates name and username from Telegram", async () => {
  await record(message("hi"));
  await record(message("again", { peer: { name: "Ann Smith", username: null } }));
  expect(await leads()).toMatchObject([{ name: "Ann Smith", username: null }]);
});

test("moves a lead forward by a later stage's keyword, never back", async () => {
  await record(message("hi"), message("the PRICE please", { date: "2026-03-01T11:00:00.000Z" }));
  expect(await leads()).toMatchObject([
    {
      stage_id: stages[1],
      stage_entry_epoch: 2,
      stage_entered_at: "2026-03-01T11:00:00Z",
      last_user_message_at: "2026-03-01T11:00:00Z",
    },
  ]);
  await record(message("depositing is not a deposit word, or is it: deposit", { date: "2026-03-01T12:00:00.000Z" }));
  expect(await leads()).toMatchObject([{ stage_id: stages[2], stage_entry_epoch: 3 }]);
  await record(message("hello, price?", { date: "2026-03-01T13:00:00.000Z" }));
  expect(await leads()).toMatchObject([{ stage_id: stages[2], stage_entry_epoch: 3 }]);
  const columns = ["to_stage_id", "reason", "keyword", "epoch"] as const;
  const history = await rowsOf(deps.db, "stage_history", { owner_id: ownerId }, columns);
  expect(history).toEqual([
    { to_stage_id: stages[0], reason: "entered", keyword: null, epoch: 1 },
    { to_stage_id: stages[1], reason: "keyword", keyword: "price", epoch: 2 },
    { to_stage_id: stages[2], reason: "keyword", keyword: '"deposit"', epoch: 3 },
  ]);
});

test("stores nothing of a message whose move fails", async () => {
  await record(message("hi"));
  const rules = await createStageRules(deps.db, deps.bus).of(ownerId);
  await removeRows(deps.db, "stages", { id: stages[1] ?? "" });
  const outdated = createIntake(deps, { of: async () => rules, forget: () => {} });
  await expect(outdated.record(ownerId, [message("the price, please")])).rejects.toThrow("a stage that does not exist");
  expect(await rowsOf(deps.db, "messages", { owner_id: ownerId }, ["text"])).toEqual([{ text: "hi" }]);
});

test("applies a saved rule to the next message", async () => {
  await record(message("hi"));
  await changeRows(deps.db, "stages", { id: stages[1] ?? "" }, { keywords: ["budget"] });
  await deps.bus.publish("stages.changed", { owner_id: ownerId });
  await idle();
  await record(message("our budget is small"));
  expect(await leads()).toMatchObject([{ stage_id: stages[1] }]);
});

test("counts a manual reply as last message and as the new start of delays", async () => {
  await record(message("hi"), message("let me check", { isOutgoing: true, date: "2026-03-01T10:05:00.000Z" }));
  expect(await leads()).toMatchObject([
    {
      last_user_message_at: "2026-03-01T10:00:00Z",
      last_message_at: "2026-03-01T10:05:00Z",
      last_manual_at: "2026-03-01T10:05:00Z",
      last_outbound_at: "2026-03-01T10:05:00Z",
    },
  ]);
});

/** Adds an outbox row that is being sent to the first lead. */
async function sendingRow(body: string) {
  const [lead] = await leads();
  await addRow(deps.db, "outbox", {
    owner_id: ownerId,
    kind: "bulk",
    priority: 4,
    dedupe_key: randomUUID(),
    random_id: "77",
    lead_id: lead?.id ?? "",
    body,
    state: "sending",
    not_before: "2026-03-01T10:05:00.000Z",
    account_user_id: "1000",
    created_at: "2026-03-01T10:05:00.000Z",
  });
}

test("does not take an automatic send that Telegram reports first for a manual one", async () => {
  await record(message("hi"));
  await sendingRow("our offer \n");
  const sent = { isOutgoing: true, kind: "photo", date: "2026-03-01T10:05:00.000Z" } as const;
  await record(message("our offer", sent));
  expect(await leads()).toMatchObject([
    { last_outbound_at: "2026-03-01T10:05:00Z", last_manual_at: null, waiting_since: null, unread: 1 },
  ]);
  await record(message("our offer, from my phone", sent));
  expect(await leads()).toMatchObject([{ last_manual_at: "2026-03-01T10:05:00Z", unread: 0 }]);
});

test("applies a read mark only to its own user's conversation", async () => {
  const first = message("hi");
  await record(first, message("again", { date: "2026-03-01T11:00:00.000Z" }));
  const { userId: stranger } = await addUser(deps);
  await intake.record(stranger, [{ ...first, date: "2026-03-01T12:00:00.000Z" }]);
  await intake.recordRead(ownerId, {
    userId: ownerId,
    accountUserId: "1000",
    peerId: "42",
    messageId: first.messageId,
  });
  expect(await leads()).toMatchObject([{ unread: 1 }]);
});
