import { sql } from "kysely";
import { expect, test } from "vitest";
import { createCodeLimits } from "../../../server/telegram/login/limits.ts";
import { startTelegram, type Telegram } from "./support.ts";

const REAL = { TELEGRAM_API_ID: "12345", TELEGRAM_API_HASH: "0123456789abcdef0123456789abcdef" };

/** The limits as they are with the real network, on the test's database and clock. */
async function realLimits(telegram: Telegram) {
  const { readConfig } = await import("../../../server/core/config.ts");
  const config = readConfig({ LEADLOOM_DATA: telegram.dataDir, ...REAL });
  return createCodeLimits({ ...telegram.deps, config });
}

const admitted = (request: Promise<void>) =>
  request.then(
    () => "sent",
    (error: { status: number; headers: Record<string, string> }) =>
      `${error.status} after ${error.headers["retry-after"]}`,
  );

/** How many of these places lie within so many of each other, at most. */
const mostWithin = (places: readonly number[], span: number): number =>
  Math.max(...places.map((from) => places.filter((place) => place >= from && place < from + span).length));

test("a user asks for one phone once a minute and five times an hour", async () => {
  const telegram = await startTelegram();
  const limits = await realLimits(telegram);
  const userId = crypto.randomUUID();
  const ask = () => admitted(limits.admit({ userId, phone: "+491510000001", address: "192.0.2.1" }));
  expect(await ask()).toBe("sent");
  expect(await ask()).toMatch(/^429 after (?:60|[45]\d)$/);
  const sent = [0];
  for (let minute = 1; minute <= 90; minute += 1) {
    telegram.clock.advance(61);
    if ((await ask()) === "sent") sent.push(minute);
  }
  expect(sent.slice(0, 4)).toEqual([0, 1, 2, 3]);
  // The fifth comes when an hour is over, which a test on a slow machine may reach a minute earlier.
  expect([59, 60]).toContain(sent[4]);
  expect(mostWithin(sent, 59)).toBeLessThanOrEqual(5);
});

test("a phone gets ten codes a day from all users, an address twenty an hour for all phones", async () => {
  const telegram = await startTelegram();
  const limits = await realLimits(telegram);
  const askEvery = async (
    seconds: number,
    times: number,
    request: (n: number) => { phone: string; address: string },
  ) => {
    const sent: number[] = [];
    for (let n = 0; n < times; n += 1) {
      if ((await admitted(limits.admit({ userId: crypto.randomUUID(), ...request(n) }))) === "sent") sent.push(n);
      telegram.clock.advance(seconds);
    }
    return sent;
  };
  const onePhone = await askEvery(3_600, 60, (n) => ({ phone: "+491510000002", address: `192.0.2.${n}` }));
  expect(mostWithin(onePhone, 24)).toBeGreaterThan(8);
  expect(mostWithin(onePhone, 24)).toBeLessThanOrEqual(10);
  const oneAddress = await askEvery(120, 60, (n) => ({ phone: `+4915100010${n}`, address: "198.51.100.7" }));
  expect(mostWithin(oneAddress, 30)).toBeGreaterThan(17);
  expect(mostWithin(oneAddress, 30)).toBeLessThanOrEqual(20);
});

test("a refused request for a code counts nowhere", async () => {
  const telegram = await startTelegram();
  const limits = await realLimits(telegram);
  const ask = (phone: string, userId: string) => admitted(limits.admit({ userId, phone, address: "198.51.100.8" }));
  const userId = crypto.randomUUID();
  expect(await ask("+491510000006", userId)).toBe("sent");
  for (let again = 0; again < 20; again += 1) expect(await ask("+491510000006", userId)).toMatch(/^429/);
  for (let other = 0; other < 7; other += 1) expect(await ask("+491510000006", crypto.randomUUID())).toBe("sent");
  expect(await ask("+491510000006", crypto.randomUUID())).toMatch(/^429/);
  expect(await ask("+491510000007", crypto.randomUUID())).toBe("sent");
});

test("a completed login is forgiven, and a simulated network has no limit by address", async () => {
  const telegram = await startTelegram();
  await telegram.startKeeper();
  const user = await telegram.newUser();
  for (let login = 0; login < 7; login += 1)
    expect(await telegram.connect(user, "+491510000003")).toMatchObject({ status: 200, body: { success: true } });
  const others = [];
  for (let other = 0; other < 21; other += 1) {
    const limits = createCodeLimits(telegram.deps);
    const userId = await telegram.newUser();
    others.push(await admitted(limits.admit({ userId, phone: `+4915100030${other}`, address: "192.0.2.9" })));
  }
  expect(others.filter((answer) => answer === "sent")).toHaveLength(21);
  expect(await telegram.call(user, "POST", "send-code", { phone: "+491510000004" })).toMatchObject({ status: 200 });
  expect(await telegram.call(user, "POST", "send-code", { phone: "+491510000004" })).toMatchObject({
    status: 429,
    body: {
      code: "too_many_codes",
      message: expect.stringMatching(/^A code was sent moments ago\. Use it, or ask again in \d+ seconds\.$/) as string,
    },
  });
});

test("a user who asks for one QR code after another is told to wait, and nobody else", async () => {
  const telegram = await startTelegram();
  const user = await telegram.newUser();
  const start = async (by: string) => (await telegram.call(by, "POST", "qr-start")).status;
  const from = telegram.clock.now();
  let codes = 0;
  for (let status = await start(user); status !== 429; status = await start(user)) {
    expect(status).toBe(200);
    codes += 1;
  }
  expect(codes).toBeGreaterThanOrEqual(10);
  // A slow machine waits for some of them long enough.
  expect(codes).toBeLessThanOrEqual(10 + (telegram.clock.now() - from) / 30_000);
  expect(await start(await telegram.newUser())).toBe(200);
  telegram.clock.advance(31);
  expect(await start(user)).toBe(200);
});

test("neither phone nor address is stored as it is", async () => {
  const telegram = await startTelegram();
  const limits = await realLimits(telegram);
  await limits.admit({ userId: await telegram.newUser(), phone: "+491510000005", address: "192.0.2.77" });
  const { rows } = await sql`select * from rate_limits`.execute(telegram.deps.db);
  expect(rows).toHaveLength(4);
  expect(JSON.stringify(rows)).not.toMatch(/491510000005|192\.0\.2\.77/);
});
