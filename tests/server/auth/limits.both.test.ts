import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createGuessLimits, startAuth } from "../../../server/auth/index.ts";
import { readConfig } from "../../../server/core/config.ts";
import { openLimiter, rateLimitError, type Limiter } from "../../../server/core/limits.ts";
import { freshEmail, PASSWORD, signUp, startAuthServer } from "../../support/auth-server.ts";
import { createManualJobs } from "../../support/manual-jobs.ts";
import { fixedClock } from "../../support/fixed-clock.ts";

const server = await startAuthServer();
beforeEach(() => server.clock.advance(86_400));
afterAll(() => server.stop());

const tryPassword = async (email: string, password: string, headers: Record<string, string> = {}) => {
  const response = await server.post("/token?grant_type=password", { email, password }, headers);
  return { status: response.status, retryAfter: response.headers.get("retry-after") };
};

test("refuses nearly all of 300 wrong passwords from one address in five minutes", async () => {
  const emails = Array.from({ length: 50 }, () => freshEmail());
  let refused = 0;
  for (let step = 0; step < 30; step += 1) {
    const guess = (_: unknown, index: number) =>
      tryPassword(emails[(step + index) % 50] ?? "", "wrong", { "x-forwarded-for": `10.0.${step}.${index}` });
    const answers = await Promise.all(Array.from({ length: 10 }, guess));
    refused += answers.filter(({ status }) => status === 429).length;
    server.clock.advance(10);
  }
  expect(refused).toBeGreaterThanOrEqual(300 - 20 - 300 / 15);
  await tryPassword(emails[0] ?? "", "wrong");
  const last = await tryPassword(emails[0] ?? "", "wrong");
  expect(last.status).toBe(429);
  expect(Number(last.retryAfter)).toBeGreaterThan(0);
  expect(Number(last.retryAfter)).toBeLessThanOrEqual(15);
});

test.each([
  ["one IPv6 network", (index: number) => `2001:db8:1:2:${index.toString(16)}::1`, 20],
  ["IPv6 networks of their own", (index: number) => `2001:db8:1:${index.toString(16)}::1`, 30],
  ["one IPv4 address in two spellings", (index: number) => (index % 2 === 0 ? "192.0.2.7" : "::ffff:192.0.2.7"), 20],
])("checks only some of 30 wrong passwords from %s", async (_name, addressOf, checked) => {
  const { byIp } = createGuessLimits(server.deps);
  let count = 0;
  const guess = async () => {
    count += 1;
    return false;
  };
  for (let index = 0; index < 30; index += 1) await byIp.attempt(addressOf(index), guess).catch(() => {});
  expect(count).toBe(checked);
});

test("limits guesses per account from any address, and allows them again later", async () => {
  const { email } = await signUp(server);
  const answers = [];
  for (let index = 0; index < 12; index += 1) answers.push((await tryPassword(email, "wrong")).status);
  expect(answers).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429]);
  expect((await tryPassword(email, PASSWORD)).status).toBe(429);
  server.clock.advance(31);
  expect((await tryPassword(email, PASSWORD)).status).toBe(200);
});

test("counts no success, even twenty at once", async () => {
  const { email } = await signUp(server);
  const answers = await Promise.all(Array.from({ length: 20 }, () => tryPassword(email, PASSWORD)));
  expect(answers.filter(({ status }) => status === 200).length).toBe(20);
});

describe("a limit shared by two processes", () => {
  const start = (capacity: number) => {
    // A fixed clock, so that the time the calls take on this machine does not count.
    const clock = fixedClock();
    const name = crypto.randomUUID();
    const open = () =>
      openLimiter({ ...server.deps, clock }, name, { capacity, refillSeconds: 10, refusal: rateLimitError("guesses") });
    const limiters = [open(), open()];
    let turn = 0;
    return { clock, next: () => limiters[(turn += 1) % limiters.length] as Limiter };
  };

  test("counts per key, says when to retry, and refunds one use or all", async () => {
    const { clock, next } = start(2);
    await next().use("a");
    await next().use("a");
    await expect(next().use("a")).rejects.toThrow("Too many failed attempts.");
    await next().use("b");
    clock.advance(10);
    await next().use("a");
    await expect(next().use("a")).rejects.toMatchObject({ status: 429, headers: { "retry-after": "10" } });
    await next().forgive("a", 1);
    await next().use("a");
    await expect(next().use("a")).rejects.toThrow("Too many failed attempts.");
    await next().forgive("a");
    await next().use("a");
    await next().use("a");
    await expect(next().use("a")).rejects.toThrow("Too many failed attempts.");
  });

  test("refuses none of many concurrent successes", async () => {
    const { next } = start(3);
    for (let round = 0; round < 40; round += 1) {
      const right = Array.from({ length: 20 }, () =>
        next().attempt(`round ${round}`, async () => {
          await nextTurn();
          return true;
        }),
      );
      expect(await Promise.all(right)).toEqual(right.map(() => true));
    }
  });

  test("counts only failures, and allows as many concurrently as in a row", async () => {
    const { next } = start(3);
    const after = async (succeeds: boolean) => {
      await nextTurn();
      return succeeds;
    };
    await expect(next().attempt("a", () => Promise.reject(new Error("an outage")))).rejects.toThrow("an outage");
    const wrong = await Promise.allSettled(Array.from({ length: 20 }, () => next().attempt("a", () => after(false))));
    expect(wrong.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    await expect(next().attempt("a", () => after(true))).rejects.toMatchObject({ status: 429 });
  });
});

test("limits sign-ups from one address outside of a sandbox", async () => {
  const own = await startAuthServer({ env: { TELEGRAM_API_ID: "1", TELEGRAM_API_HASH: "x" } });
  const statuses: (number | undefined)[] = [];
  for (let count = 0; count < 31; count += 1)
    statuses.push((await own.client().auth.signUp({ email: freshEmail(), password: PASSWORD })).error?.status);
  await own.stop();
  expect(statuses).toEqual([...Array(30).fill(undefined), 429]);
});

test("deletes expired limits at night, also with a Supabase project", async () => {
  const { db, clock } = server.deps;
  await sql`insert into rate_limits (id, tokens, at) values ('spent long ago', 0, ${clock.iso()}::timestamptz)`.execute(
    db,
  );
  server.clock.advance(2 * 86_400);
  const config = readConfig({
    LEADLOOM_DATA: server.deps.config.dataDir,
    DATABASE_URL: "postgres://project@127.0.0.1/postgres",
    SUPABASE_URL: "https://project.supabase.co",
    SUPABASE_ANON_KEY: "sb_publishable_1",
    SUPABASE_SERVICE_ROLE_KEY: "sb_secret_1",
  });
  const jobs = createManualJobs(server.deps, { runsWork: true });
  await startAuth({ ...server.deps, config, jobs });
  await jobs.trigger("auth-sweep");
  await server.idle();
  expect((await sql`select id from rate_limits where id = 'spent long ago'`.execute(db)).rows).toEqual([]);
});
