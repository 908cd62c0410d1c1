import { expect, test } from "vitest";
import { PHONE, type Telegram, startWithUser } from "./support.ts";

const start = async (telegram: Telegram, user: string): Promise<string> => {
  const answer = await telegram.call(user, "POST", "qr-start");
  expect(answer.status).toBe(200);
  return String(answer.body["qr_url"]);
};

test("a phone scans the code and the account is connected", async () => {
  const { telegram, user } = await startWithUser();
  // In another data centre, where the login has to go.
  telegram.network.createAccount({ phone: PHONE, dc_id: 4 });
  const url = await start(telegram, user);
  expect(url).toMatch(/^tg:\/\/login\?token=[\w-]+$/);
  const complete = telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  await telegram.network.scan(PHONE, url);
  expect(await complete).toMatchObject({ status: 200, body: { success: true, phone: PHONE } });
  await telegram.inbox.account(user);
  expect(telegram.network.account(PHONE).sessions).toHaveLength(1);
  expect(await telegram.call(user, "GET", "qr")).toMatchObject({ status: 404 });
});

test("a code that got old is replaced, the page hears of it, and the new one works", async () => {
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

test("a code that nobody scans ends with 408, by the server's clock", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  await start(telegram, user);
  const complete = telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  let isOver = false;
  void complete.finally(() => (isOver = true));
  await telegram.idle();
  // Half a minute is left for how long this takes.
  telegram.clock.advance(90);
  await telegram.idle();
  expect(isOver).toBe(false);
  telegram.clock.advance(30);
  expect(await complete).toMatchObject({ status: 408, body: { code: "qr_expired" } });
  expect(await telegram.call(user, "GET", "qr")).toMatchObject({ status: 404 });
  // A browser repeats the call by itself when the 408 came on a connection it had used before.
  const repeated = await telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  expect(repeated).toMatchObject({ status: 408, body: { code: "qr_expired" } });
  await start(telegram, user);
  expect(await telegram.call(user, "GET", "qr")).toMatchObject({ status: 200 });
});

test("an account with a two-step password says so after the scan and connects with it", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  telegram.network.createAccount({ phone: PHONE, password: "open sesame", hint: "forty thieves" });
  const url = await start(telegram, user);
  const complete = telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  await telegram.network.scan(PHONE, url);
  expect(await complete).toMatchObject({ status: 401, body: { "2fa_required": true, hint: "forty thieves" } });
  expect(await telegram.call(user, "POST", "verify-password", { password: "open sesame" })).toMatchObject({
    status: 200,
    body: { success: true, phone: PHONE },
  });
  expect(await telegram.call(user, "GET", "status")).toMatchObject({ body: { connected: true } });
});

test("without a login under way there is nothing to complete, and two minutes are the longest wait", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  const refused = async (path: string, body: object) => {
    const { status, body: answer } = await telegram.call(user, "POST", path, body);
    return [status, answer["code"]];
  };
  expect(await refused("qr-complete", { timeout_sec: 1 })).toEqual([422, "login_expired"]);
  expect(await refused("verify-password", { password: "x" })).toEqual([422, "login_expired"]);
  expect(await refused("qr-complete", { timeout_sec: 121 })).toEqual([422, "invalid_input"]);
});
