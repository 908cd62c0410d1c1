import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { createCredentials } from "../../../server/auth/index.ts";
import { createConnector } from "../../../server/telegram/connect.ts";
import type { Connector } from "../../../server/telegram/login/attempt.ts";
import { startCodeAttempt } from "../../../server/telegram/login/code-attempt.ts";
import { openLoginClient } from "../../../server/telegram/login/login-client.ts";
import { refuseWrites, rowsOf } from "../../support/rows.ts";
import { CONNECTED, PHONE, refusedAs, startTelegram, type Telegram, startWithUser } from "./support.ts";

test("connects with the code from Telegram, and receives messages", async () => {
  const { telegram, user } = await startWithUser();
  // In another data centre, so the login must migrate.
  telegram.network.createAccount({ phone: PHONE, dc_id: 4 });
  expect(await telegram.call(user, "GET", "status")).toMatchObject({ status: 200, body: { connected: false } });
  expect(await telegram.call(user, "POST", "send-code", { phone: "49 151 12345678" })).toMatchObject({ status: 200 });
  const code = telegram.network.account(PHONE).login_code;
  expect(await telegram.call(user, "POST", "verify-code", { phone: PHONE, code })).toMatchObject(CONNECTED);
  expect(await telegram.call(user, "GET", "status")).toMatchObject({ body: { connected: true, phone: PHONE } });

  const account = await telegram.inbox.account(user);
  const { user_id, message_id } = telegram.network.receive(PHONE, {
    from: { first_name: "Anna", last_name: "Kern", username: "anna_k" },
    text: "How much is it?",
  });
  await telegram.idle();
  expect(telegram.inbox.messages[0]).toMatchObject({
    accountId: account.accountId,
    userId: user,
    accountUserId: account.telegramUserId,
    peer: { id: String(user_id), name: "Anna Kern", username: "anna_k", isBot: false, isSelf: false, isDeleted: false },
    messageId: message_id,
    isOutgoing: false,
    text: "How much is it?",
    kind: "text",
    media: null,
    preview: null,
  });
  const sent = await account.port.sendText({
    to: { telegramUserId: String(user_id) },
    text: "Ten euros.",
    randomId: -42n,
  });
  const known = { to_user_id: user_id, text: "Ten euros.", message_id: sent.messageId, random_id: "-42" };
  expect(telegram.network.sent(PHONE)).toMatchObject([known]);
  expect(telegram.network.account(PHONE).sessions).toHaveLength(1);
});

test("distinguishes a wrong, an exhausted and an expired code", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  const guess = (code: string) => telegram.call(user, "POST", "verify-code", { phone: PHONE, code });
  const start = async () => {
    telegram.clock.advance(60);
    await telegram.call(user, "POST", "send-code", { phone: PHONE });
    return telegram.network.account(PHONE).login_code ?? "";
  };
  const answers = [await guess("12345")];
  let code = await start();
  for (let tries = 1; tries <= 5; tries += 1) answers.push(await guess(code === "11111" ? "22222" : "11111"));
  answers.push(await guess(code));
  code = await start();
  telegram.clock.advance(4 * 60);
  telegram.network.addFault(PHONE, { method: "auth.signIn", error: "PHONE_CODE_EXPIRED", times: 1 });
  answers.push(await guess(code));
  telegram.clock.advance(60);
  answers.push(await guess(code));
  const expired = ["login_expired", "The login session expired. Start again."];
  const wrong = ["code_invalid", "That code is not right. Check it and try again."];
  const late = ["code_expired", "That code is no longer valid. Ask for a new one."];
  const refusals = [expired, wrong, wrong, wrong, wrong, wrong, late, late, expired];
  expect(answers.map(({ body }) => [body["code"], body["message"]])).toEqual(refusals);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 422));
  expect(await telegram.call(user, "GET", "status")).toMatchObject({ body: { connected: false } });
});

test("reports Telegram's refusals with a message and any remaining wait", async () => {
  const telegram = await startTelegram();
  const day = "86400";
  const refusals: [error: string, status: number, code: string, after?: string, message?: string][] = [
    ["PHONE_NUMBER_INVALID", 422, "phone_invalid"],
    ["PHONE_NUMBER_BANNED", 422, "phone_banned"],
    ["PHONE_NUMBER_FLOOD", 429, "phone_flood", day, "Too many codes were asked for this phone. Try again in a day."],
    ["PHONE_PASSWORD_FLOOD", 429, "phone_flood", day],
    ["API_ID_INVALID", 503, "telegram_app_refused", "3600"],
    ["API_ID_PUBLISHED_FLOOD", 503, "telegram_app_refused", "3600"],
    ["FLOOD_WAIT_150", 429, "too_many_requests", "150", "Telegram asks to wait 3 minutes before the next try."],
    ["SOMETHING_NEW", 422, "login_refused"],
  ];
  telegram.network.createAccount({ phone: PHONE });
  for (const [error, status, code, after, message = expect.any(String)] of refusals) {
    telegram.network.addFault(PHONE, { method: "auth.sendCode", error, times: 1 });
    const answer = await telegram.call(await telegram.newUser(), "POST", "send-code", { phone: PHONE });
    expect([error, answer.headers["retry-after"]]).toEqual([error, after]);
    expect(answer, error).toMatchObject({ status, body: { code, message } });
    telegram.clock.advance(3_600);
  }
});

test("refuses an account of another user, and keeps no session", async () => {
  const telegram = await startTelegram();
  const [first, second] = [await telegram.newUser(), await telegram.newUser()];
  await telegram.startKeeper();
  expect(await telegram.connect(first, PHONE)).toMatchObject({ status: 200 });
  expect(await telegram.connect(second, PHONE)).toMatchObject(refusedAs("account_in_use", 409));
  expect(telegram.network.account(PHONE).sessions).toHaveLength(1);

  await sql`drop index telegram_sessions_one_user_per_account`.execute(telegram.deps.db);
  const user = { id: String(telegram.network.account(PHONE).user_id), phone: PHONE };
  const session = { user, authKeys: [], state: [], updates: { pts: 1, qts: 0, date: 0, seq: 0 } };
  const connecting = createConnector(telegram.deps, telegram.connection).connect(second, session);
  await expect(connecting).rejects.toMatchObject({ status: 409, code: "account_in_use" });
  expect(await telegram.call(second, "GET", "status")).toMatchObject({ body: { connected: false } });
  expect(await telegram.call(first, "GET", "status")).toMatchObject({ body: { connected: true } });
});

const OTHER = "+4915199999999";

const NOT_SAVED = {
  status: 503,
  body: {
    code: "login_not_saved",
    message: "Telegram accepted the login, but it could not be saved, so it was ended again. Try again in a moment.",
  },
};

const sessionsOf = ({ network }: Telegram, phone: string) => network.account(phone).sessions.map(({ id }) => id);

const stateOf = ({ deps }: Telegram, userId: string) =>
  rowsOf(deps.db, "telegram_sessions", { user_id: userId }, ["phone", "state"]);

test.each([
  ["the same account", PHONE],
  ["another account", OTHER],
])("ends a login of %s that cannot be stored, and keeps the connected account", async (_name, phone) => {
  const { telegram, user } = await startWithUser();
  await telegram.connect(user, PHONE);
  const before = await telegram.inbox.account(user);
  const sessions = sessionsOf(telegram, PHONE);
  const accept = await refuseWrites(telegram.deps.db, "insert or update", "telegram_auth_keys");
  telegram.network.createAccount({ phone: OTHER });
  expect(await telegram.connect(user, phone)).toMatchObject(NOT_SAVED);
  expect([sessionsOf(telegram, PHONE), sessionsOf(telegram, OTHER)]).toEqual([sessions, []]);
  expect(await stateOf(telegram, user)).toEqual([{ phone: PHONE, state: "connected" }]);
  telegram.network.receive(PHONE, { from: { first_name: "Ben" }, text: "still here" });
  await telegram.idle();
  expect(telegram.inbox.messages.map(({ text }) => text)).toEqual(["still here"]);
  expect(telegram.inbox.leased.get(user)?.fence).toBe(before.fence);

  await accept();
  telegram.clock.advance(3_600);
  expect(await telegram.connect(user, phone)).toMatchObject({ status: 200 });
  await telegram.idle();
  expect(await stateOf(telegram, user)).toContainEqual({ phone, state: "connected" });
  expect(await telegram.call(user, "GET", "status")).toMatchObject({ body: { connected: true, phone } });
  const account = await telegram.inbox.account(user);
  expect(account.accountId === before.accountId).toBe(phone === PHONE);
  const now = [...sessionsOf(telegram, PHONE), ...sessionsOf(telegram, OTHER)];
  expect([now.length, now.includes(sessions[0] ?? "")]).toEqual([1, false]);
});

test("keeps no session of a first login that cannot be stored", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  await refuseWrites(telegram.deps.db, "insert or update", "telegram_auth_keys");
  telegram.network.createAccount({ phone: PHONE });
  expect(await telegram.connect(user, PHONE)).toMatchObject(NOT_SAVED);
  expect(sessionsOf(telegram, PHONE)).toEqual([]);
  const { body } = await telegram.call(user, "POST", "qr-start");
  const complete = telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  await telegram.network.scan(PHONE, String(body["qr_url"]));
  expect(await complete).toMatchObject(NOT_SAVED);
  expect([sessionsOf(telegram, PHONE), await stateOf(telegram, user)]).toEqual([[], []]);
});

test("keeps no session of a user whose account was deleted during the login", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  telegram.network.createAccount({ phone: PHONE });
  await telegram.call(user, "POST", "send-code", { phone: PHONE });
  await createCredentials(telegram.deps).close(user);
  const code = telegram.network.account(PHONE).login_code;
  expect(await telegram.call(user, "POST", "verify-code", { phone: PHONE, code })).toMatchObject(
    refusedAs("login_expired"),
  );
  expect([sessionsOf(telegram, PHONE), await stateOf(telegram, user)]).toEqual([[], []]);
});

test("keeps a login whose commit got no response but was stored", async () => {
  const { telegram, user } = await startWithUser();
  telegram.network.createAccount({ phone: PHONE });
  const { db } = telegram.deps;
  const begin = db.transaction.bind(db);
  vi.spyOn(db, "transaction").mockImplementation(() => {
    const transaction = begin();
    return Object.assign(Object.create(transaction) as typeof transaction, {
      execute: async (work: Parameters<typeof transaction.execute>[0]) => {
        const result = await transaction.execute(work);
        if (typeof result === "object" && result !== null && "old" in result) throw new Error("Connection terminated");
        return result;
      },
    });
  });
  expect(await telegram.connect(user, PHONE)).toMatchObject(CONNECTED);
  expect(await stateOf(telegram, user)).toEqual([{ phone: PHONE, state: "connected" }]);
  await telegram.inbox.account(user);
  expect(sessionsOf(telegram, PHONE)).toHaveLength(1);
});

test("completes a login whose code was confirmed before it is closed", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  const { clock } = telegram.deps;
  const [checking, checked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const connect = vi.fn<Connector["connect"]>(async () => ({ phone: PHONE }));
  const attempt = await startCodeAttempt(await openLoginClient(telegram.connection, clock), {
    id: user,
    userId: user,
    phone: PHONE,
    expiresAt: clock.now() + 300_000,
    clock,
    connector: {
      admit() {
        checking.resolve();
        return checked.promise;
      },
      connect,
    },
    onConnected: async () => {},
  });
  const code = telegram.network.account(PHONE).login_code ?? "";
  const command = { name: "verify-code", phone: PHONE, code } as const;
  const answer = attempt.run(command, new AbortController().signal);
  await checking.promise;
  const closed = attempt.close();
  checked.resolve();
  await closed;
  expect(await answer).toEqual({ result: "connected", phone: PHONE });
  expect([connect.mock.calls.length, telegram.network.account(PHONE).sessions.length]).toEqual([1, 1]);
});
