import { setImmediate as nextTurn } from "node:timers/promises";
import { BaseTelegramClient } from "@mtcute/node";
import { expect, test, vi } from "vitest";
import { createWork } from "../../../server/core/work.ts";
import type { Connector } from "../../../server/telegram/login/attempt.ts";
import type { LoginClient } from "../../../server/telegram/login/login-client.ts";
import { openLoginClient } from "../../../server/telegram/login/login-client.ts";
import { startQrAttempt } from "../../../server/telegram/login/qr-attempt.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { CONNECTED, PHONE, refusedAs, type Telegram, startWithUser } from "./support.ts";

const start = async (telegram: Telegram, user: string): Promise<string> => {
  const answer = await telegram.call(user, "POST", "qr-start");
  expect(answer.status).toBe(200);
  return String(answer.body["qr_url"]);
};

test("connects the account after a phone scans the code", async () => {
  const { telegram, user } = await startWithUser();
  // In another data centre, so the login must migrate.
  telegram.network.createAccount({ phone: PHONE, dc_id: 4 });
  const url = await start(telegram, user);
  expect(url).toMatch(/^tg:\/\/login\?token=[\w-]+$/);
  const complete = telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  await telegram.network.scan(PHONE, url);
  expect(await complete).toMatchObject(CONNECTED);
  await telegram.inbox.account(user);
  expect(telegram.network.account(PHONE).sessions).toHaveLength(1);
  expect(await telegram.call(user, "GET", "qr")).toMatchObject({ status: 404 });
});

test("replaces an expired code and notifies the page", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  telegram.network.createAccount({ phone: PHONE });
  const events: unknown[] = [];
  telegram.deps.bus.on("event", (event) => events.push(event));
  const first = await start(telegram, user);
  const complete = telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  telegram.clock.advance(31);
  await telegram.idle();
  const { body: second } = await telegram.call(user, "GET", "qr");
  expect(second["qr_url"]).not.toBe(first);
  const data = { qr_url: second["qr_url"], expires_at: second["expires_at"] };
  await telegram.idle();
  expect(events).toContainEqual({ user_id: user, type: "telegram.qr", data });
  await expect(telegram.network.scan(PHONE, first)).rejects.toThrow(/QR code/);
  await telegram.network.scan(PHONE, String(second["qr_url"]));
  expect(await complete).toMatchObject({ status: 200 });
});

test("returns 408 when no phone scans the code, by the server's clock", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  await start(telegram, user);
  const complete = telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  let isOver = false;
  void complete.finally(() => (isOver = true));
  await telegram.idle();
  // Stops half a minute early, because the calls take time too.
  telegram.clock.advance(90);
  await telegram.idle();
  expect(isOver).toBe(false);
  telegram.clock.advance(30);
  expect(await complete).toMatchObject({ status: 408, body: { code: "qr_expired" } });
  expect(await telegram.call(user, "GET", "qr")).toMatchObject({ status: 404 });
  // A browser repeats the request automatically when the 408 came on a reused connection.
  const repeated = await telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  expect(repeated).toMatchObject({ status: 408, body: { code: "qr_expired" } });
  await start(telegram, user);
  expect(await telegram.call(user, "GET", "qr")).toMatchObject({ status: 200 });
});

test("keeps the result of a scan until the page asks for it, and gives it once", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  telegram.network.createAccount({ phone: PHONE });
  await telegram.network.scan(PHONE, await start(telegram, user));
  await telegram.idle();
  expect(await telegram.call(user, "GET", "status")).toMatchObject({ body: { connected: true } });
  const complete = () => telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  expect(await complete()).toMatchObject(CONNECTED);
  expect(await complete()).toMatchObject(refusedAs("login_expired"));
});

/** Starts an attempt whose code a phone has scanned. The login completes after `admit` is called. */
async function startScanned() {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  telegram.network.createAccount({ phone: PHONE });
  const clock = createVirtualClock(createWork(), telegram.clock.now());
  const [checking, checked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const connect = vi.fn<Connector["connect"]>(async () => ({ phone: PHONE }));
  const attempt = await startQrAttempt(await openLoginClient(telegram.connection, telegram.deps.clock), {
    id: user,
    userId: user,
    expiresAt: clock.now() + 300_000,
    clock,
    work: telegram.deps.work,
    connector: {
      admit() {
        checking.resolve();
        return checked.promise;
      },
      connect,
    },
    onUrl() {},
    onEnd: async () => {},
  });
  const shown = await attempt.run({ name: "qr-url" }, new AbortController().signal);
  await telegram.network.scan(PHONE, shown.result === "qr" ? shown.qr_url : "");
  await checking.promise;
  return { telegram, clock, attempt, connect, admit: () => checked.resolve() };
}

test("completes a login whose code was scanned before it is closed", async () => {
  const { telegram, attempt, connect, admit } = await startScanned();
  const closed = attempt.close();
  admit();
  await closed;
  await telegram.idle();
  expect([connect.mock.calls.length, telegram.network.account(PHONE).sessions.length]).toEqual([1, 1]);
});

test("completes a scan that arrives with the next code when the login is closed then", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  telegram.network.createAccount({ phone: PHONE });
  const { clock, work } = telegram.deps;
  const login = await openLoginClient(telegram.connection, clock);
  let codes = 0;
  // Scans the second code before the attempt receives it.
  const call = async (request: Parameters<LoginClient["call"]>[0]) => {
    const answer = (await login.call(request)) as { token?: Uint8Array };
    if (request._ !== "auth.exportLoginToken" || (codes += 1) !== 2) return answer;
    const updated = Promise.withResolvers<void>();
    login.base.onServerUpdate.add(() => updated.resolve());
    const token = Buffer.from(answer.token ?? []).toString("base64url");
    await telegram.network.scan(PHONE, `tg://login?token=${token}`);
    await updated.promise;
    return answer;
  };
  const connect = vi.fn<Connector["connect"]>(async () => ({ phone: PHONE }));
  const closed = Promise.withResolvers<void>();
  const attempt = await startQrAttempt(
    { ...login, call },
    {
      id: user,
      userId: user,
      expiresAt: clock.now() + 300_000,
      clock,
      work,
      connector: { admit: async () => {}, connect },
      onUrl: () => closed.resolve(attempt.close()),
      onEnd: async () => {},
    },
  );
  telegram.clock.advance(31);
  await closed.promise;
  expect([connect.mock.calls.length, telegram.network.account(PHONE).sessions.length]).toEqual([1, 1]);
});

test("waits ten seconds at most for a scanned login to complete when it is closed", async () => {
  const { telegram, clock, attempt, connect, admit } = await startScanned();
  const before = clock.now();
  await clock.passWhile(attempt.close());
  expect(clock.now() - before).toEqual(10_000);
  // The login still completes in the background.
  admit();
  await telegram.idle();
  expect(connect).toHaveBeenCalledTimes(1);
});

test("answers all waiting requests when a scanned login completes after their deadline", async () => {
  const { attempt, admit } = await startScanned();
  const complete = () => attempt.run({ name: "qr-complete", timeoutSeconds: 0 }, new AbortController().signal);
  const answers = Promise.all([complete(), complete()]);
  await nextTurn();
  admit();
  const connected = { result: "connected", phone: PHONE };
  expect(await answers).toEqual([connected, connected]);
});

test("asks for the two-step password after the scan, and connects with it", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  telegram.network.createAccount({ phone: PHONE, password: "open sesame", hint: "forty thieves" });
  const url = await start(telegram, user);
  const complete = telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  await telegram.network.scan(PHONE, url);
  expect(await complete).toMatchObject({ status: 401, body: { "2fa_required": true, hint: "forty thieves" } });
  expect(await telegram.call(user, "POST", "verify-password", { password: "open sesame" })).toMatchObject(CONNECTED);
  expect(await telegram.call(user, "GET", "status")).toMatchObject({ body: { connected: true } });
});

test("completes a login once when its password is submitted twice", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  telegram.network.createAccount({ phone: PHONE, password: "open sesame" });
  await telegram.network.scan(PHONE, await start(telegram, user));
  expect(await telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 })).toMatchObject({ status: 401 });
  const submit = () => telegram.call(user, "POST", "verify-password", { password: "open sesame" });
  const [first, second] = await Promise.all([submit(), submit()]);
  expect(first).toMatchObject(CONNECTED);
  expect(second).toMatchObject(CONNECTED);
  expect(telegram.network.account(PHONE).sessions).toHaveLength(1);
});

test("completes no login that is not running, and waits two minutes at most", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  const refused = async (path: string, body: object) => {
    const { status, body: answer } = await telegram.call(user, "POST", path, body);
    return [status, answer["code"]];
  };
  expect(await refused("qr-complete", { timeout_sec: 1 })).toEqual([422, "login_expired"]);
  expect(await refused("verify-password", { password: "x" })).toEqual([422, "login_expired"]);
  expect(await refused("qr-complete", { timeout_sec: 121 })).toEqual([422, "invalid_input"]);
});

test("closes its connection when Telegram gives no first code", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  vi.spyOn(BaseTelegramClient.prototype, "call").mockRejectedValueOnce(new Error("no response"));
  const destroy = vi.spyOn(BaseTelegramClient.prototype, "destroy");
  expect(await telegram.call(user, "POST", "qr-start")).toMatchObject(refusedAs("telegram_unreachable", 503));
  expect(destroy).toHaveBeenCalledTimes(1);
});

test("ends a login that connects after a newer one, and keeps the newer one", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  const [connecting, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { connect } = BaseTelegramClient.prototype;
  vi.spyOn(BaseTelegramClient.prototype, "connect").mockImplementationOnce(async function (this: BaseTelegramClient) {
    connecting.resolve();
    await late.promise;
    return connect.call(this);
  });
  const older = telegram.call(user, "POST", "qr-start");
  await connecting.promise;
  const newer = await start(telegram, user);
  late.resolve();
  expect(await older).toMatchObject(refusedAs("login_expired"));
  expect(await telegram.call(user, "GET", "qr")).toMatchObject({ status: 200, body: { qr_url: newer } });
});
