import { randomUUID } from "node:crypto";
import { Long } from "@mtcute/core";
import { expect, it, onTestFinished, vi } from "vitest";
import type { TelegramClient } from "@mtcute/node";
import type { ChatImport } from "../../../domain/chat-import.ts";
import { startChatImport } from "../../../server/conversation/import-runner.ts";
import { createChatReader } from "../../../server/telegram/account/chats.ts";
import type { HeldAccount } from "../../../server/telegram/types.ts";
import { addRows, onWrites, removeRows, rowsOf } from "../../support/rows.ts";
import { newSeller, type ConnectedSeller } from "./support.ts";
import { sharedServer } from "../../support/server.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const server = await sharedServer();

const order = (user: ConnectedSeller, body: unknown) =>
  user.call<ChatImport & { code: string }>("POST", "/telegram/import", body);
const finished = async (user: ConnectedSeller) => {
  await server.idle();
  return user.get<ChatImport>("/api/telegram/import");
};
/** Makes the database refuse the user's new leads with this code. `holds` is a condition on the number of the attempt, such as `= 1`. */
async function refuseLeads({ userId }: ConnectedSeller, code: string, holds: string): Promise<void> {
  const writes = `before insert on leads for each row when (new.owner_id = '${userId}')`;
  const refusal = `raise exception 'refused' using errcode = '${code}'`;
  const statements = `if nextval('public.writes') ${holds} then ${refusal}; end if;`;
  onTestFinished(await onWrites(server.deps.db, writes, statements));
}

it("imports leads with their original dates, and holds overdue follow-ups", async () => {
  const user = await newSeller(server);
  await user.callSandbox("/dialogs", { count: 12, days: 1 });
  const settings = { auto_followups_enabled: true, auto_followup_start_hour: 0, auto_followup_end_hour: 0 };
  await user.call("POST", "/user_settings", settings);
  const [stage] = await user.get<{ id: string }[]>("/api/stages");
  const step = { stage_id: stage?.id, message: "Still there?", delay_hours: "1" };
  await user.call("POST", "/followups", step);
  expect((await user.call("GET", "/telegram/import")).status).toEqual(404);
  const { status, body } = await order(user, { days: 30, include_contacts: false });
  expect([status, body]).toMatchObject([202, { id: expect.any(String), status: "in_progress", scanned: 0, found: 0 }]);
  expect(await finished(user)).toMatchObject({ id: body.id, status: "completed", scanned: 12, found: 12 });
  const { items } = await user.inbox("?view=all&limit=50");
  expect(items).toHaveLength(12);
  const now = server.deps.clock.now();
  for (const { lead } of items) {
    const detail = await user.lead(lead.id);
    const talk = await user.messages(lead.id);
    const created = Date.parse(detail.created_at ?? "");
    expect(created).toEqual(Date.parse(talk.at(-1)?.at ?? ""));
    expect([now - created > HOUR_MS, now - created < DAY_MS]).toEqual([true, true]);
    const isWaiting = talk.length === 3;
    expect(talk.map(({ source }) => source)).toEqual([...(isWaiting ? ["them"] : []), "telegram", "them"]);
    expect([detail.waiting_since !== null, detail.unread]).toEqual([isWaiting, isWaiting ? 1 : 0]);
  }
  await server.advance(120);
  const overdue = await user.get<{ total: number }>("/api/followups/overdue");
  expect(overdue.total).toEqual(6);
  expect(await rowsOf(server.deps.db, "outbox", { owner_id: user.userId })).toEqual([]);
  const confirmed = await user.call("POST", "/followups/overdue/confirm", {});
  expect(confirmed.body).toEqual({ planned: 6 });
});

it("leaves out contacts if configured, and older chats", async () => {
  const user = await newSeller(server);
  await user.callSandbox("/dialogs", { count: 10, days: 100 });
  await user.callSandbox("/receive", { from: { first_name: "Friend", is_contact: true }, text: "Hi" });
  await order(user, { days: 50, include_contacts: false });
  const done = await finished(user);
  expect(done.status).toEqual("completed");
  expect([done.found > 3, done.found < 7]).toEqual([true, true]);
});

it("refuses an import during another or without an account, and cancels one", async () => {
  const user = await newSeller(server);
  await user.callSandbox("/dialogs", { count: 30, days: 30 });
  await user.callSandbox("/faults", { method: "messages.getHistory", error: "FLOOD_WAIT_600" });
  expect((await order(user, { days: 30, include_contacts: true })).status).toEqual(202);
  await server.idle();
  const paused = await user.get<ChatImport>("/api/telegram/import");
  expect(paused).toMatchObject({ status: "in_progress", reason: "FLOOD_WAIT_600" });
  expect((await order(user, { days: 30, include_contacts: true })).body).toMatchObject({ code: "import_running" });
  const cancelled = await user.call("DELETE", "/telegram/import");
  expect([cancelled.status, cancelled.body]).toMatchObject([200, { status: "cancelled" }]);
  for (const days of [0, 366, 1.5]) expect((await order(user, { days })).status).toEqual(422);
  await user.call("POST", "/telegram/disconnect", {});
  expect((await order(user, { days: 30 })).body).toMatchObject({ code: "not_connected" });
});

it("continues an import when the database has refused one chat", async () => {
  const user = await newSeller(server);
  await user.callSandbox("/dialogs", { count: 5, days: 1 });
  await refuseLeads(user, "40P01", "= 3");
  await order(user, { days: 30, include_contacts: false });
  await server.idle();
  const isOver = ({ status }: ChatImport) => status !== "in_progress";
  const end = await server.passUntil(() => user.get<ChatImport>("/api/telegram/import"), isOver);
  expect(end).toMatchObject({ status: "completed", scanned: 5, found: 5, reason: null });
});

it("fails after the database refused the same chat a dozen times", async () => {
  const user = await newSeller(server);
  await user.callSandbox("/dialogs", { count: 2, days: 1 });
  await refuseLeads(user, "57014", "> 0");
  await order(user, { days: 30, include_contacts: false });
  expect(await finished(user)).toMatchObject({ status: "in_progress" });
  for (let retries = 1; retries < 12; retries += 1) await server.advance(300);
  expect(await finished(user)).toMatchObject({ status: "failed", found: 0, finished_at: expect.any(String) });
});

/** Adds an import of an account without a network. Returns what the runner needs. */
async function addImport() {
  const { deps } = server;
  const user = await server.subscriber();
  const account = { accountId: randomUUID(), userId: user.userId, telegramUserId: "1" };
  const since = new Date(0).toISOString();
  const job = { owner_id: user.userId, account_user_id: "1", days: 1, include_contacts: true, since };
  await addRows(deps.db, "chat_imports", [{ ...job, created_at: deps.clock.iso() }]);
  const held = (chats: object) =>
    ({ ...account, chats, signal: new AbortController().signal }) as unknown as HeldAccount;
  return { deps, user, account, held };
}

it("fails after a dozen socket errors of Telegram", async () => {
  const { deps, user, held } = await addImport();
  const listChats = vi.fn<() => Promise<never>>(async () => {
    throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  });
  const running = startChatImport(deps, held({ listChats }), async () => true);
  onTestFinished(() => running.stop());
  for (let retries = 0; retries < 15; retries += 1) await server.advance(5);
  const [row] = await rowsOf(deps.db, "chat_imports", { owner_id: user.userId }, ["status"]);
  expect([row?.status, listChats.mock.calls.length]).toEqual(["failed", 12]);
});

it("continues when the same account returns, and ends when another one connects", async () => {
  const user = await newSeller(server);
  await user.callSandbox("/dialogs", { count: 3, days: 1 });
  await user.callSandbox("/faults", { method: "messages.getHistory", error: "FLOOD_WAIT_600" });
  await order(user, { days: 30, include_contacts: true });
  await server.idle();
  await user.call("POST", "/telegram/disconnect", {});
  await server.connect(user, user.phone);
  expect(await user.get<ChatImport>("/api/telegram/import")).toMatchObject({ status: "in_progress" });
  await server.connect(user);
  const reason = "The chats could not be read. Start the import again; what was found stays.";
  const failed = { status: "failed", reason, paused_until: null, finished_at: expect.any(String) };
  expect(await user.get<ChatImport>("/api/telegram/import")).toMatchObject(failed);
  expect((await order(user, { days: 30, include_contacts: true })).status).toEqual(202);
});

it("stops after the current page of a long chat, and stores nothing of it", async () => {
  const { deps, user, account, held } = await addImport();
  const date = Math.floor(deps.clock.now() / 1000);
  const peer = { _: "peerUser", userId: 7 };
  const second = Promise.withResolvers<void>();
  const pages: number[] = [];
  const call = async ({ _, offsetId }: { _: string; offsetId: number }) => {
    if (_ === "messages.getDialogs") {
      const dialogs = [{ _: "dialog", peer, topMessage: 1_000, readInboxMaxId: 0 }];
      const users = [{ _: "user", id: 7, accessHash: Long.ONE, firstName: "Ann" }];
      return { _: "messages.dialogs", dialogs, users, chats: [], messages: [message(1_000)] };
    }
    pages.push(offsetId);
    if (pages.length === 2) second.resolve();
    return { _: "messages.messagesSlice", count: 1_000, messages: [message((offsetId || 1_001) - 1)] };
  };
  const message = (id: number) => ({ _: "message", id, peerId: peer, date, message: "Hello" });
  const client = { withParams: () => ({ call }) } as unknown as TelegramClient;
  const chats = createChatReader(client, account, async () => {});
  const record = vi.fn<() => Promise<boolean>>(async () => true);
  const running = startChatImport(deps, held(chats), record);
  await second.promise;
  await running.stop();
  expect(pages).toHaveLength(2);
  expect(record).not.toHaveBeenCalled();
  const [row] = await rowsOf(deps.db, "chat_imports", { owner_id: user.userId }, ["status", "found"]);
  expect(row).toEqual({ status: "in_progress", found: 0 });
});

it("stops while Telegram does not answer", async () => {
  const { deps, user, held } = await addImport();
  const asked = Promise.withResolvers<void>();
  const listChats = () => {
    asked.resolve();
    return new Promise<never>(() => {});
  };
  const running = startChatImport(deps, held({ listChats }), async () => true);
  await asked.promise;
  await running.stop();
  const [row] = await rowsOf(deps.db, "chat_imports", { owner_id: user.userId }, ["status"]);
  expect(row).toEqual({ status: "in_progress" });
});

it("keeps a lead unreachable when an import finds only older messages", async () => {
  const user = await newSeller(server);
  const from = await user.receive({ first_name: "Ann" }, "Hello");
  await user.receive({ first_name: "Ann", user_id: from.user_id }, "Are you there?");
  await user.callSandbox(`/people/${from.user_id}`, { blocked: true });
  const body = { text: "Yes" };
  await user.call("POST", `/leads/${from.lead}/messages`, body);
  await user.until(from.lead, ([last]) => last?.state === "failed");
  // As if the first message had come before the account was connected.
  await removeRows(server.deps.db, "messages", { owner_id: user.userId, message_id: from.message_id });
  const { unreachable_reason } = await user.lead(from.lead);
  expect(unreachable_reason).toEqual("USER_IS_BLOCKED");
  await order(user, { days: 30, include_contacts: true });
  expect(await finished(user)).toMatchObject({ status: "completed", found: 1 });
  expect((await user.messages(from.lead)).map(({ text }) => text)).toEqual(["Yes", "Are you there?", "Hello"]);
  expect((await user.lead(from.lead)).unreachable_reason).toEqual("USER_IS_BLOCKED");
});
