import { beforeEach, expect, test } from "vitest";
import { sharedServer, type TestUser } from "../../support/server.ts";

const server = await sharedServer();
let user: TestUser;

beforeEach(async () => {
  user = await server.subscriber();
});

type Row = { id: string };
const call = <T = { code?: string; current?: unknown }>(
  method: string,
  path: string,
  { body, version = null }: { body?: unknown; version?: string | null } = {},
) => {
  const headers: Record<string, string> = version === null ? {} : { "if-match": version };
  return server.call<T>(method, `/api${path}`, { token: user.token, body, headers });
};
const versionOf = ({ headers }: { headers: Headers }) => headers.get("etag");
const stage = (name: string) => ({ name, keywords: [name], color: "#123456", order: 1 });
const step = (message: string) => ({ message, delay_hours: 24 });
const automation = ({ length: start }: string) => ({
  auto_followups_enabled: true,
  auto_followup_start_hour: start,
  auto_followup_end_hour: 20,
});
async function stepPath(): Promise<string> {
  const [first] = (await call<Row[]>("GET", "/stages")).body;
  const body = { stage_id: first?.id, message: "Hi" };
  return `/followups/${(await call<Row>("POST", "/followups", { body })).body.id}`;
}
async function stagePath(): Promise<string> {
  return `/stages/${(await call<Row[]>("GET", "/stages")).body[0]?.id}`;
}

test.each([
  ["a stage", "/stages", stagePath, "PATCH", stage, ["One", "Two", "Three"]],
  ["a follow-up", "/followups", stepPath, "PATCH", step, ["One", "Two", "Three"]],
  ["the automation settings", "/user_settings", null, "POST", automation, ["123", "12345", "1234567"]],
  ["the settings", "/settings", null, "PATCH", (text: string) => ({ opt_out_words: [text] }), ["one", "two", "three"]],
] as const)("refuses a stale save of %s, unless it sends no version", async (...row) => {
  const [, read, path, method, make, [first, second, third]] = row;
  const address = (await path?.()) ?? read;
  const save = (text: string, version: string | null = null) => call(method, address, { body: make(text), version });
  const base = versionOf(await call("GET", read));
  expect(base).toMatch(/^"[\w-]{22}"$/);
  const saved = await save(first, base);
  expect(saved.status).toBe(200);
  const late = await save(second, base);
  const stored = await call<unknown>("GET", read);
  expect(late).toMatchObject({ status: 409, body: { code: "stale" } });
  expect(late.body.current).toEqual(stored.body);
  expect(new Set([versionOf(saved), versionOf(late), versionOf(stored)]).size).toBe(1);
  expect([stored.body].flat()).toMatchObject([make(first)]);
  // Proxies that compress responses make their ETags weak.
  expect((await save(second, `W/${versionOf(late)}`)).status).toBe(200);

  expect([(await save(first)).status, (await save(third, "*")).status]).toEqual([200, 200]);
  const last = versionOf(await call("GET", read));
  const statuses = await Promise.all([first, second].map(async (text) => (await save(text, last)).status));
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409]);
});

test("saves the settings form after a change of checklist or language elsewhere", async () => {
  const base = versionOf(await call("GET", "/settings"));
  await call("PATCH", "/settings", { body: { setup_dismissed: true, language: "ru" } });
  expect((await call("PATCH", "/settings", { body: { opt_out_words: ["no"] }, version: base })).status).toBe(200);
});
