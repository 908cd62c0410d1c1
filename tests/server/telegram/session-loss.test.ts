import { expect, onTestFinished, test } from "vitest";
import { sessionLoss } from "../../../server/telegram/call-error.ts";
import { endSession } from "../../../server/telegram/sessions.ts";
import { PHONE, startConnected, type Telegram } from "./support.ts";
import { rowsOf } from "../../support/rows.ts";

const isOver = async (telegram: Telegram, user: string) =>
  (await telegram.call(user, "GET", "status")).body["connected"] === false;

test("deletes the key of a session that Telegram ended, and says why", async () => {
  const { telegram, user, account, to } = await startConnected();
  const events: unknown[] = [];
  telegram.deps.bus.on("event", (event) => events.push(event));
  telegram.network.addFault(PHONE, { method: "messages.sendMessage", error: "SESSION_REVOKED", times: 1 });
  const refused = { name: "TelegramCallError", text: "SESSION_REVOKED" };
  await expect(account.port.sendText({ to, text: "hello", randomId: 7n })).rejects.toMatchObject(refused);
  await telegram.idle();
  expect(await isOver(telegram, user)).toBe(true);
  expect([account.signal.aborted, telegram.inbox.released.includes(user)]).toEqual([true, true]);
  const keys = await rowsOf(telegram.deps.db, "telegram_auth_keys", { account_id: account.accountId }, ["dc"]);
  expect(keys).toEqual([]);
  expect(await telegram.call(user, "GET", "account")).toMatchObject({
    status: 200,
    body: {
      connected: false,
      phone: null,
      ended_reason_code: "session_ended_elsewhere",
      ended_at: expect.stringMatching(/^\d{4}-/),
    },
  });
  expect((await telegram.call(user, "GET", "status")).body).toMatchObject({ connected: false, phone: PHONE });
  expect(events).toContainEqual(expect.objectContaining({ user_id: user, type: "telegram.changed" }));
});

test("receives each missed message once after a lost session", async () => {
  const { telegram, user, account, to } = await startConnected();
  // The user ends the session on their phone while nothing is being sent.
  telegram.network.revoke(PHONE);
  await telegram.idle();
  expect([await isOver(telegram, user), telegram.inbox.released]).toEqual([true, [user]]);
  const from = { user_id: Number(to.telegramUserId), first_name: "Anna" };
  telegram.network.receive(PHONE, { from, text: "are you there?" });

  expect(await telegram.connect(user, PHONE)).toMatchObject({ status: 200 });
  await telegram.idle();
  telegram.network.receive(PHONE, { from, text: "still here" });
  await telegram.idle();
  expect(telegram.inbox.messages.map(({ text }) => text)).toEqual(["hi", "are you there?", "still here"]);
  expect((await telegram.inbox.account(user)).accountId).toBe(account.accountId);
});

test("logs out and erases the session on disconnect", async () => {
  const { telegram, user, account, to } = await startConnected();
  expect(await telegram.call(user, "POST", "disconnect")).toMatchObject({ status: 200 });
  expect(telegram.network.account(PHONE).sessions).toEqual([]);
  expect(account.signal.aborted).toBe(true);
  const { db } = telegram.deps;
  expect(await db.selectFrom("telegram_auth_keys").selectAll().execute()).toEqual([]);
  expect(await db.selectFrom("telegram_state").selectAll().execute()).toEqual([]);
  expect(await telegram.call(user, "GET", "account")).toMatchObject({
    body: { connected: false, ended_reason: null, ended_at: null },
  });
  expect((await telegram.call(user, "GET", "status")).body).toEqual({ connected: false });

  const from = { user_id: Number(to.telegramUserId), first_name: "Anna" };
  telegram.network.receive(PHONE, { from, text: "while away" });
  await telegram.connect(user, PHONE);
  await telegram.inbox.account(user);
  telegram.network.receive(PHONE, { from, text: "back" });
  await telegram.idle();
  expect(telegram.inbox.messages.map(({ text }) => text)).toEqual(["hi", "back"]);
});

test("keeps a new login while the worker is still busy with the old session", async () => {
  const { telegram, user, account } = await startConnected();
  const [busy, stopping] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => busy.resolve());
  telegram.inbox.beforeRelease = () => {
    stopping.resolve();
    return busy.promise;
  };
  await endSession(telegram.deps, { accountId: account.accountId, state: "disconnected", reason: "disconnected" });
  await stopping.promise;
  const sessions = () => telegram.network.account(PHONE).sessions.map(({ id }) => id);
  const [old = ""] = sessions();
  expect(await telegram.connect(user, PHONE)).toMatchObject({ status: 200 });
  const added = sessions().filter((id) => id !== old);
  busy.resolve();
  await telegram.idle();
  expect([sessions(), await isOver(telegram, user)]).toEqual([added, false]);
  const { port, fence } = await telegram.inbox.account(user);
  expect(fence).toBeGreaterThan(account.fence);
  await port.sendText({ to: { channel: "me" }, text: "hello", randomId: 1n });
});

test.each([
  [401, "AUTH_KEY_UNREGISTERED", "session_ended_elsewhere"],
  [401, "AUTH_KEY_INVALID", "session_unknown"],
  [401, "SESSION_REVOKED", "session_ended_elsewhere"],
  [401, "SESSION_EXPIRED", "session_expired"],
  [401, "USER_DEACTIVATED", "account_deleted"],
  [401, "USER_DEACTIVATED_BAN", "account_banned"],
  [406, "AUTH_KEY_DUPLICATED", "session_duplicated"],
  [401, "ANYTHING_ELSE", 'session_ended {"error":"ANYTHING_ELSE"}'],
  [401, "SESSION_PASSWORD_NEEDED", null],
  [400, "PEER_FLOOD", null],
  [420, "FLOOD_WAIT_30", null],
])("%i %s ends a session as %s", (code, text, reason) => {
  expect(sessionLoss(code, text)).toBe(reason);
});
