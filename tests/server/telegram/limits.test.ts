import { expect, test } from "vitest";
import { createCodeLimits } from "../../../server/telegram/login/limits.ts";
import { timeLeft } from "../../../server/telegram/login/problems.ts";
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

test("a user asks for one phone once a minute and five times an hour", async () => {
  const telegram = await startTelegram();
  const limits = await realLimits(telegram);
  const userId = await telegram.newUser();
  const ask = () => admitted(limits.admit({ userId, phone: "+491510000001", address: "192.0.2.1" }));
  expect(await ask()).toBe("sent");
  expect(await ask()).toMatch(/^429 after (?:60|[45]\d)$/);
  const answers = [];
  for (let minute = 1; minute <= 5; minute += 1) {
    telegram.clock.advance(61);
    answers.push(await ask());
  }
  expect(answers.slice(0, 4)).toEqual(["sent", "sent", "sent", "sent"]);
  expect(answers[4]).toMatch(/^429 after 32\d\d$/);
});

test("a phone gets ten codes a day whoever asks, an address twenty an hour whatever for", async () => {
  const telegram = await startTelegram();
  const limits = await realLimits(telegram);
  const users = await Promise.all(Array.from({ length: 30 }, () => telegram.newUser()));
  const onePhone = [];
  for (const [index, userId] of users.slice(0, 11).entries())
    onePhone.push(await admitted(limits.admit({ userId, phone: "+491510000002", address: `192.0.2.${index}` })));
  expect(onePhone.filter((answer) => answer === "sent")).toHaveLength(10);
  expect(onePhone[10]).toMatch(/^429 after 86(?:3\d\d|400)$/);

  const oneAddress = [];
  for (const [index, userId] of users.slice(0, 21).entries())
    oneAddress.push(await admitted(limits.admit({ userId, phone: `+49151000010${index}`, address: "198.51.100.7" })));
  expect(oneAddress.filter((answer) => answer === "sent")).toHaveLength(20);
  expect(oneAddress[20]).toMatch(/^429 after 3(?:5\d\d|600)$/);
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
  const rows = await telegram.deps.db.selectFrom("telegram_code_requests").selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toMatch(/491510000005|192\.0\.2\.77/);
});

test("the time left is said in the largest unit that is exact enough", () => {
  expect([0.2, 1, 42, 119, 120, 150, 3_599, 7_199, 7_200, 86_400].map(timeLeft)).toEqual([
    "1 second",
    "1 second",
    "42 seconds",
    "119 seconds",
    "2 minutes",
    "3 minutes",
    "60 minutes",
    "120 minutes",
    "2 hours",
    "24 hours",
  ]);
});
