import { expect, test } from "vitest";
import { createLogger, scrub } from "../../../server/core/logging.ts";
import { startGuardedApp } from "../../support/guarded-app.ts";
import { requestsTo } from "../../support/requests.ts";

/** Values that must never be logged, in their real format. */
const CANARIES = {
  phone: "+15551234567",
  spacedPhone: "+44 20 7946 0958",
  bareNumber: "79261234567",
  code: "73519",
  password: "hunter2-canary",
  email: "canary.person@example.com",
  jwt: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJlLWNhbmFyeQ",
  refresh: "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8SNFZ4",
  authKey: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  base64Key: "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
  stripeKey: "sk_live_51CanaryKey00000000",
  webhookSecret: "whsec_canary0123456789abcdef",
  qrUrl: "tg://login?token=canaryQrToken_123",
  message: "the canary sings at midnight",
  personName: "Canary McBird",
  databaseUrl: "postgres://owner:canarypw@db/leads",
};

async function logged(write: (logger: ReturnType<typeof createLogger>) => void | Promise<void>): Promise<string> {
  let output = "";
  await write(createLogger("trace", { write: (line) => void (output += line) }));
  return output;
}
const found = (output: string, canaries: string[] = Object.values(CANARIES)) =>
  canaries.filter((canary) => output.includes(canary));

test("hides fields with secrets or message texts at any depth", async () => {
  const output = await logged((logger) => {
    const { phone, code, password, email, jwt, message, personName, qrUrl } = CANARIES;
    logger.info({ phone, password, email, authorization: `Bearer ${jwt}`, qr_url: qrUrl }, "flat");
    logger.info(
      { call: { input: { text: message, first_name: personName, login_code: code, deep: [{ notes: message }] } } },
      "nested",
    );
    logger.child({ phone_number: phone, email }).warn({ session_string: CANARIES.refresh }, "child");
    logger.error({ parameters: Object.values(CANARIES) }, "list");
  });
  expect(found(output)).toEqual([]);
  expect([...output.matchAll(/"msg":"(\w+)"/g)].map(([, msg]) => msg)).toEqual(["flat", "nested", "child", "list"]);
});

test("hides secrets within texts by their shape", async () => {
  const { message: _message, personName: _name, password, code, ...shaped } = CANARIES;
  const output = await logged((logger) => {
    for (const canary of Object.values(shaped)) {
      logger.info(`failed for ${canary} today`);
      logger.info({ reason: `value "${canary}" was refused` }, "while handling %s", canary);
      logger.error({ err: new Error(`upstream said ${canary}`) }, "failed");
      logger.error(new Error(`upstream said ${canary}`));
    }
    logger.info(`password=${password} and code: ${code}`);
  });
  expect(found(output, [...Object.values(shaped), password, code])).toEqual([]);
});

test("drops additional properties of driver errors", async () => {
  const error = Object.assign(new Error("duplicate key value violates unique constraint"), {
    code: "23505",
    constraint: "users_email_key",
    detail: `Key (email)=(${CANARIES.email}) already exists.`,
    parameters: [CANARIES.password, CANARIES.message],
    request: { headers: { authorization: CANARIES.jwt } },
    cause: Object.assign(new Error("inner"), { body: CANARIES.message }),
  });
  const output = await logged((logger) => logger.error({ err: error }, "failed"));
  expect(found(output)).toEqual([]);
  expect(JSON.parse(output)).toMatchObject({
    err: { type: "Error", code: "23505", constraint: "users_email_key", cause: { message: "inner" } },
  });
});

test("logs no secrets of a failed request", async () => {
  let output = "";
  const logger = createLogger("trace", { write: (line) => void (output += line) });
  const server = await startGuardedApp({ logger });
  const { email, jwt: token, message: text, password, phone } = CANARIES;
  const address = `/api/things/${encodeURIComponent(email)}?token=${token}&phone=${encodeURIComponent(phone)}`;
  await requestsTo(server.url).call("PATCH", address, { token, body: { password, text } });
  await server.stop();
  expect(output).toContain("a fault of ours");
  expect(found(output)).toEqual([]);
});

test("keeps details that help to find an error", () => {
  for (const text of [
    "TypeError: x is not a function at read (file:///srv/leadloom/server/leads/very-long-file-name-of-ours.ts:12:5)",
    "connect ECONNREFUSED 127.0.0.1:5432",
    "job reminders failed for 6f1f0d5e-6f0a-4a67-9a5e-0d9d8a1c2b3f after 3 tries",
    "FLOOD_WAIT_86400 on messages.sendMessage",
    "2026-11-21T03:20:00.000Z took 1234 ms",
  ]) {
    expect(scrub(text)).toBe(text);
  }
});
