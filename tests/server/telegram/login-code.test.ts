import { expect, test, vi } from "vitest";
import { createConnector } from "../../../server/telegram/connect.ts";
import { startTelegram, type Telegram, startWithUser } from "./support.ts";
import { sql } from "kysely";

const PHONE = "+4915112345678";

test("a seller connects with the code Telegram sent, and whoever writes then is heard", async () => {
  const { telegram, user } = await startWithUser();
  expect(await telegram.call(user, "GET", "status")).toMatchObject({ status: 200, body: { connected: false } });

  expect(await telegram.call(user, "POST", "send-code", { phone: "49 151 12345678" })).toMatchObject({ status: 200 });
  const code = telegram.network.account(PHONE).login_code;
  expect(await telegram.call(user, "POST", "verify-code", { phone: PHONE, code })).toMatchObject({
    status: 200,
    body: { success: true, phone: PHONE },
  });
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
  expect(telegram.network.sent(PHONE)).toMatchObject([
    { to_user_id: user_id, text: "Ten euros.", message_id: sent.messageId, random_id: "-42" },
  ]);
  expect(telegram.network.account(PHONE).sessions).toHaveLength(1);
});

test("a wrong code is refused and the right one still works; the sixth guess is not even asked", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  await telegram.call(user, "POST", "send-code", { phone: PHONE });
  const code = telegram.network.account(PHONE).login_code ?? "";
  const wrong = code === "11111" ? "22222" : "11111";
  const guess = (guessed: string) => telegram.call(user, "POST", "verify-code", { phone: PHONE, code: guessed });

  for (let tries = 1; tries <= 5; tries += 1) {
    expect(await guess(wrong)).toMatchObject({
      status: 422,
      body: { code: "code_invalid", message: "That code is not right. Check it and try again." },
    });
  }
  expect(await guess(code)).toMatchObject({ status: 422, body: { code: "code_expired" } });
  expect(await telegram.call(user, "GET", "status")).toMatchObject({ body: { connected: false } });
});

test("a code that came too late is refused, and no refusal of a code speaks of a password", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  const none = await telegram.call(user, "POST", "verify-code", { phone: PHONE, code: "12345" });
  expect(none).toMatchObject({ status: 422, body: { code: "login_expired" } });

  await telegram.call(user, "POST", "send-code", { phone: PHONE });
  const code = telegram.network.account(PHONE).login_code;
  telegram.clock.advance(4 * 60);
  telegram.network.addFault(PHONE, { method: "auth.signIn", error: "PHONE_CODE_EXPIRED", times: 1 });
  const late = await telegram.call(user, "POST", "verify-code", { phone: PHONE, code });
  expect(late).toMatchObject({ status: 422, body: { code: "code_expired" } });

  telegram.clock.advance(60);
  const gone = await telegram.call(user, "POST", "verify-code", { phone: PHONE, code });
  expect(gone).toMatchObject({
    status: 422,
    body: { code: "login_expired", message: "The login session expired. Start again." },
  });
  for (const { body } of [none, late, gone]) expect(JSON.stringify(body)).not.toMatch(/password/i);
});

test("an account with a two-step password asks for it, tells its hint, and keeps asking after a wrong one", async () => {
  const { telegram, user } = await startWithUser();
  telegram.network.createAccount({ phone: PHONE, password: "open sesame" });
  telegram.network.setPassword(PHONE, "open sesame", "forty thieves");

  expect(await telegram.connect(user, PHONE)).toMatchObject({
    status: 200,
    body: { "2fa_required": true, hint: "forty thieves" },
  });
  expect(await telegram.call(user, "POST", "verify-password", { password: "open barley" })).toMatchObject({
    status: 422,
    body: { code: "password_invalid", message: "That password is not right. Its hint is: forty thieves." },
  });
  expect(await telegram.call(user, "POST", "verify-password", { password: "open sesame" })).toMatchObject({
    status: 200,
    body: { success: true, phone: PHONE },
  });
  const account = await telegram.inbox.account(user);
  expect(account.telegramUserId).toBe(String(telegram.network.account(PHONE).user_id));
});

test("what Telegram refuses is told in words, with the time left where there is one", async () => {
  const telegram = await startTelegram();
  const refusals: [string, number, string][] = [
    ["PHONE_NUMBER_INVALID", 422, "phone_invalid"],
    ["PHONE_NUMBER_BANNED", 422, "phone_banned"],
    ["PHONE_NUMBER_FLOOD", 429, "phone_flood"],
    ["PHONE_PASSWORD_FLOOD", 429, "phone_flood"],
    ["API_ID_INVALID", 503, "telegram_app_refused"],
    ["API_ID_PUBLISHED_FLOOD", 503, "telegram_app_refused"],
    ["FLOOD_WAIT_150", 429, "too_many_requests"],
    ["SOMETHING_NEW", 422, "login_refused"],
  ];
  telegram.network.createAccount({ phone: PHONE });
  const seen: Record<string, unknown> = {};
  for (const [error, status, code] of refusals) {
    telegram.network.addFault(PHONE, { method: "auth.sendCode", error, times: 1 });
    const answer = await telegram.call(await telegram.newUser(), "POST", "send-code", { phone: PHONE });
    expect({ error, status: answer.status, code: answer.body["code"] }).toEqual({ error, status, code });
    seen[error] = [answer.headers["retry-after"], answer.body["message"]];
    telegram.clock.advance(3_600);
  }
  expect(seen["FLOOD_WAIT_150"]).toEqual(["150", "Telegram asks to wait 3 minutes before the next try."]);
  expect(seen["PHONE_NUMBER_FLOOD"]).toEqual([
    "86400",
    "Too many codes were asked for this phone. Try again in a day.",
  ]);
});

test("a Telegram account that another user has connected is refused, and no session of it stays behind", async () => {
  const telegram = await startTelegram();
  const [first, second] = [await telegram.newUser(), await telegram.newUser()];
  await telegram.startKeeper();
  expect(await telegram.connect(first, PHONE)).toMatchObject({ status: 200 });
  expect(await telegram.connect(second, PHONE)).toMatchObject({ status: 409, body: { code: "account_in_use" } });
  expect(await telegram.call(second, "GET", "status")).toMatchObject({ body: { connected: false } });
  expect(await telegram.call(first, "GET", "status")).toMatchObject({ body: { connected: true } });
  expect(telegram.network.account(PHONE).sessions).toHaveLength(1);
});

test("refuses an account that another user connected since the login began", async () => {
  const telegram = await startTelegram();
  const { db } = telegram.deps;
  const [first, second] = [await telegram.newUser(), await telegram.newUser()];
  await telegram.connect(first, PHONE);
  await sql`drop index telegram_sessions_one_user_per_account`.execute(db);
  const user = { id: String(telegram.network.account(PHONE).user_id), phone: PHONE };
  const session = { user, authKeys: [], state: [], updates: { pts: 1, qts: 0, date: 0, seq: 0 } };
  const connecting = createConnector(telegram.deps, telegram.connection).connect(second, session);
  await expect(connecting).rejects.toMatchObject({ status: 409, code: "account_in_use" });
  expect(await telegram.call(second, "GET", "status")).toMatchObject({ body: { connected: false } });
});

test("an account that lives in another data centre is found there", async () => {
  const { telegram, user } = await startWithUser();
  telegram.network.createAccount({ phone: PHONE, dc_id: 4 });
  expect(await telegram.connect(user, PHONE)).toMatchObject({ status: 200, body: { success: true } });
  await telegram.inbox.account(user);
  telegram.network.receive(PHONE, { from: { first_name: "Ben" }, text: "hello from afar" });
  await telegram.idle();
  expect(telegram.inbox.messages.map(({ text }) => text)).toEqual(["hello from afar"]);
});

const OTHER = "+4915199999999";

const NOT_SAVED = {
  status: 503,
  body: {
    code: "login_not_saved",
    message: "Telegram accepted the login, but it could not be saved, so it was ended again. Try again in a moment.",
  },
};

/** Makes storing the keys of a session fail until the returned function is called. */
async function refuseKeys({ deps }: Telegram): Promise<() => Promise<unknown>> {
  await sql`create function refuse_keys() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$`.execute(
    deps.db,
  );
  await sql`create trigger refuse_keys before insert or update on telegram_auth_keys for each row execute function refuse_keys()`.execute(
    deps.db,
  );
  return () => sql`drop trigger refuse_keys on telegram_auth_keys`.execute(deps.db);
}

const sessionsOf = ({ network }: Telegram, phone: string) => network.account(phone).sessions.map(({ id }) => id);

const stateOf = async ({ deps }: Telegram, userId: string) =>
  deps.db.selectFrom("telegram_sessions").select(["phone", "state"]).where("user_id", "=", userId).execute();

test.each([
  ["the same account", PHONE],
  ["another account", OTHER],
])("a login of %s that cannot be stored is ended, and the connected account stays", async (_name, phone) => {
  const { telegram, user } = await startWithUser();
  await telegram.connect(user, PHONE);
  const before = await telegram.inbox.account(user);
  const sessions = sessionsOf(telegram, PHONE);
  const accept = await refuseKeys(telegram);
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

test("a first login that cannot be stored leaves no session behind, by code or by QR", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  await refuseKeys(telegram);
  telegram.network.createAccount({ phone: PHONE });
  expect(await telegram.connect(user, PHONE)).toMatchObject(NOT_SAVED);
  expect(sessionsOf(telegram, PHONE)).toEqual([]);
  const { body } = await telegram.call(user, "POST", "qr-start");
  const complete = telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  await telegram.network.scan(PHONE, String(body["qr_url"]));
  expect(await complete).toMatchObject(NOT_SAVED);
  expect([sessionsOf(telegram, PHONE), await stateOf(telegram, user)]).toEqual([[], []]);
});

test("a login whose commit got no answer is kept when it was stored after all", async () => {
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
  expect(await telegram.connect(user, PHONE)).toMatchObject({ status: 200, body: { success: true } });
  expect(await stateOf(telegram, user)).toEqual([{ phone: PHONE, state: "connected" }]);
  await telegram.inbox.account(user);
  expect(sessionsOf(telegram, PHONE)).toHaveLength(1);
});
