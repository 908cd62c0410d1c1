import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createLimiter } from "../../../server/core/limits.ts";
import {
  movableClock,
  freshEmail,
  PASSWORD,
  signUp,
  startAuthServer,
  type AuthServer,
} from "../../support/auth-server.ts";

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer();
});
beforeEach(() => server.clock.advance(86_400));
afterAll(() => server.stop());

const tryPassword = async (email: string, password: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ email, password }),
  });
  return { status: response.status, retryAfter: response.headers.get("retry-after") };
};

test("a thousand wrong passwords in five minutes from one address: at least 950 are turned away", async () => {
  const emails = Array.from({ length: 50 }, () => freshEmail());
  let refused = 0;
  for (let step = 0; step < 100; step += 1) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        tryPassword(emails[(step + index) % 50] ?? "", "wrong", { "x-forwarded-for": `10.0.${step}.${index}` }),
      ),
    );
    refused += answers.filter(({ status }) => status === 429).length;
    server.clock.advance(3);
  }
  expect(refused).toBeGreaterThanOrEqual(950);
  await tryPassword(emails[0] ?? "", "wrong");
  const last = await tryPassword(emails[0] ?? "", "wrong");
  expect(last.status).toBe(429);
  expect(Number(last.retryAfter)).toBeGreaterThan(0);
  expect(Number(last.retryAfter)).toBeLessThanOrEqual(15);
});

test("one account's guesses are limited wherever they come from, and it opens again with time", async () => {
  const { email } = await signUp(server);
  const answers = [];
  for (let index = 0; index < 12; index += 1) answers.push((await tryPassword(email, "wrong")).status);
  expect(answers).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429]);
  expect((await tryPassword(email, PASSWORD)).status).toBe(429);
  server.clock.advance(31);
  expect((await tryPassword(email, PASSWORD)).status).toBe(200);
});

test("successes never count, not even two hundred at once", async () => {
  const { email } = await signUp(server);
  const answers = await Promise.all(Array.from({ length: 200 }, () => tryPassword(email, PASSWORD)));
  expect(answers.filter(({ status }) => status === 200).length).toBe(200);
});

test("sixty guesses at once get no more tries than sixty in a row", async () => {
  const { email } = await signUp(server);
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => tryPassword(email, `guess ${index}`)));
  expect(answers.filter(({ status }) => status === 400).length).toBe(10);
});

test("each key is counted by itself and told when to come back", () => {
  const clock = movableClock();
  const limiter = createLimiter(clock, { capacity: 2, refillSeconds: 10, message: "slow down" });
  limiter.use("a");
  limiter.use("a");
  expect(() => limiter.use("a")).toThrow("slow down");
  limiter.use("b");
  clock.advance(10);
  limiter.use("a");
  expect(() => limiter.use("a")).toThrow(expect.objectContaining({ status: 429, headers: { "retry-after": "10" } }));
});

test("sign-ups from one address are limited where nothing is simulated", async () => {
  const own = await startAuthServer({ env: { TELEGRAM_API_ID: "1", TELEGRAM_API_HASH: "x" } });
  try {
    const results = [];
    for (let index = 0; index < 31; index += 1) {
      const { error } = await own.client().auth.signUp({ email: freshEmail(), password: PASSWORD });
      results.push(error?.status ?? 200);
    }
    expect(results).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  } finally {
    await own.stop();
  }
});
