import { sql } from "kysely";
import { expect, test } from "vitest";
import { readConfig } from "../../../server/core/config.ts";
import { createCodeLimits } from "../../../server/telegram/login/limits.ts";
import { fixedClock } from "../../support/fixed-clock.ts";
import { startWithUser } from "./support.ts";
import { ownEngine } from "../../support/engine.ts";

const REAL = { TELEGRAM_API_ID: "12345", TELEGRAM_API_HASH: "0123456789abcdef0123456789abcdef" };
const { deps } = await ownEngine();

/** The production limits, on a clock that only the test moves. */
function realLimits() {
  const clock = fixedClock();
  const limits = createCodeLimits({
    ...deps,
    clock,
    config: readConfig({ LEADLOOM_DATA: deps.config.dataDir, ...REAL }),
  });
  const ask = (phone: string, userId: string = crypto.randomUUID(), address = "192.0.2.1") =>
    limits.admit({ userId, phone, address }).then(
      () => "sent",
      (error: { status: number; headers: Record<string, string> }) =>
        `${error.status} after ${error.headers["retry-after"]}`,
    );
  return { clock, ask };
}

/** Returns the largest number of values in any range of this length. */
const mostWithin = (places: readonly number[], span: number): number =>
  Math.max(...places.map((from) => places.filter((place) => place >= from && place < from + span).length));

/** Repeats a request and returns the indexes of those that were accepted. */
async function admitted(times: number, ask: (n: number) => Promise<string>, pass: () => void): Promise<number[]> {
  const sent: number[] = [];
  for (let n = 0; n < times; n += 1) {
    if ((await ask(n)) === "sent") sent.push(n);
    pass();
  }
  return sent;
}

test("limits codes per user and phone to one a minute and five an hour", async () => {
  const { clock, ask } = realLimits();
  const userId = crypto.randomUUID();
  const again = () => ask("+491510000001", userId);
  expect([await again(), await again()]).toEqual(["sent", "429 after 60"]);
  clock.advance(60);
  const sent = await admitted(90, again, () => clock.advance(60));
  // The fifth is accepted after an hour.
  expect(sent.slice(0, 4)).toEqual([0, 1, 2, 60]);
  expect(mostWithin(sent, 59)).toBeLessThanOrEqual(5);
});

test("limits codes per phone to ten a day, and per address to twenty an hour", async () => {
  const { clock, ask } = realLimits();
  const onePhone = await admitted(
    60,
    (n) => ask("+491510000002", undefined, `192.0.2.${n}`),
    () => clock.advance(3_600),
  );
  expect([8, 9, 10]).toContain(mostWithin(onePhone, 24));
  const oneAddress = await admitted(
    60,
    (n) => ask(`+4915100010${n}`, undefined, "198.51.100.7"),
    () => clock.advance(120),
  );
  expect([18, 19, 20]).toContain(mostWithin(oneAddress, 30));
});

test("does not count a refused request for a code", async () => {
  const { ask } = realLimits();
  const userId = crypto.randomUUID();
  const starts = async (times: number, by?: string) => {
    const answers = [];
    for (let again = 0; again < times; again += 1)
      answers.push((await ask("+491510000006", by, "198.51.100.8")).slice(0, 4));
    return answers;
  };
  expect(await starts(21, userId)).toEqual(["sent", ...Array(20).fill("429 ")]);
  expect(await starts(8)).toEqual([...Array(7).fill("sent"), "429 "]);
  expect(await ask("+491510000007", undefined, "198.51.100.8")).toBe("sent");
});

test("stores neither phone nor address in plain text", async () => {
  await realLimits().ask("+491510000005", undefined, "192.0.2.77");
  const { rows } = await sql`select * from rate_limits`.execute(deps.db);
  expect(rows.length).toBeGreaterThanOrEqual(4);
  expect(JSON.stringify(rows)).not.toMatch(/49151000000|192\.0\.2\./);
});

test("does not count a completed login, nor addresses on a simulated network", async () => {
  const { telegram, user } = await startWithUser();
  for (let login = 0; login < 7; login += 1)
    expect(await telegram.connect(user, "+491510000003")).toMatchObject({ status: 200 });
  const limits = createCodeLimits(telegram.deps);
  for (let other = 0; other < 21; other += 1)
    await limits.admit({ userId: crypto.randomUUID(), phone: `+4915100030${other}`, address: "192.0.2.9" });
  const send = () => telegram.call(user, "POST", "send-code", { phone: "+491510000004" });
  expect(await send()).toMatchObject({ status: 200 });
  const message = expect.stringMatching(
    /^A code was sent moments ago\. Use it, or ask again in \d+ seconds\.$/,
  ) as string;
  expect(await send()).toMatchObject({ status: 429, body: { code: "too_many_codes", message } });
});

test("limits QR codes per user only", async () => {
  const { telegram, user } = await startWithUser({ hasKeeper: false });
  const start = async (by: string) => (await telegram.call(by, "POST", "qr-start")).status;
  const from = telegram.clock.now();
  let codes = 0;
  for (let status = await start(user); status !== 429; status = await start(user)) codes += status === 200 ? 1 : 1_000;
  expect(codes).toBeGreaterThanOrEqual(10);
  // On a slow machine enough time passes for some more.
  expect(codes).toBeLessThanOrEqual(10 + (telegram.clock.now() - from) / 30_000);
  expect(await start(await telegram.newUser())).toBe(200);
  telegram.clock.advance(31);
  expect(await start(user)).toBe(200);
});
