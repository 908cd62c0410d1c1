import { beforeEach, describe, expect, test } from "vitest";
import { type TestUser } from "../../support/server.ts";
import { sharedServer } from "../../support/servers.ts";

const server = await sharedServer();
let user: TestUser;

beforeEach(async () => {
  user = await server.subscriber();
});

type Row = { id: string };
type Answer<T> = { status: number; body: T; headers: Headers };
const call = <T = { code?: string; current?: unknown }>(
  method: string,
  path: string,
  { body, version, key }: { body?: unknown; version?: string | null; key?: string } = {},
): Promise<Answer<T>> =>
  server.call<T>(method, `/api${path}`, {
    token: user.token,
    body,
    headers: {
      ...(version === undefined || version === null ? {} : { "if-match": version }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
  });
const versionOf = ({ headers }: { headers: Headers }) => headers.get("etag");
const stage = (name: string) => ({ name, keywords: [name], color: "#123456", order: 1 });
const step = (message: string) => ({ message, delay_hours: 24 });
const automation = (start: number) => ({
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

describe.each([
  { what: "a stage", read: "/stages", path: stagePath, method: "PATCH", save: stage, texts: ["One", "Two", "Three"] },
  {
    what: "a follow-up",
    read: "/followups",
    path: stepPath,
    method: "PATCH",
    save: step,
    texts: ["One", "Two", "Three"],
  },
  {
    what: "the automation settings",
    read: "/user_settings",
    path: async () => "/user_settings",
    method: "POST",
    save: (text: string) => automation(text.length),
    texts: ["123", "12345", "1234567"],
  },
  {
    what: "the settings",
    read: "/settings",
    path: async () => "/settings",
    method: "PATCH",
    save: (text: string) => ({ opt_out_words: [text] }),
    texts: ["one", "two", "three"],
  },
])("saving $what", ({ read, path, method, save, texts: [first = "", second = "", third = ""] }) => {
  test("answers 409 with what is stored when something else was saved since the version it names", async () => {
    const address = await path();
    const base = versionOf(await call("GET", read));
    expect(base).toMatch(/^"[\w-]{22}"$/);
    const saved = await call(method, address, { body: save(first), version: base });
    expect(saved.status).toBe(200);
    const late = await call(method, address, { body: save(second), version: base });
    const stored = await call<unknown>("GET", read);
    expect([late.status, late.body]).toMatchObject([409, { code: "stale" }]);
    expect(late.body.current).toEqual(stored.body);
    expect(new Set([versionOf(saved), versionOf(late), versionOf(stored)]).size).toBe(1);
    expect([stored.body].flat()).toMatchObject([save(first)]);
    // A proxy that compresses answers weakens their tags.
    expect((await call(method, address, { body: save(second), version: `W/${versionOf(late)}` })).status).toBe(200);
  });

  test("overwrites without a version, and with any", async () => {
    const address = await path();
    await call(method, address, { body: save(first) });
    expect((await call(method, address, { body: save(second) })).status).toBe(200);
    expect((await call(method, address, { body: save(third), version: "*" })).status).toBe(200);
  });

  test("lets one of two saves pass that come at once", async () => {
    const address = await path();
    const base = versionOf(await call("GET", read));
    const statuses = await Promise.all(
      [first, second].map(async (text) => (await call(method, address, { body: save(text), version: base })).status),
    );
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409]);
  });
});

test("saves the settings form after the checklist was dismissed or the language changed elsewhere", async () => {
  const base = versionOf(await call("GET", "/settings"));
  await call("PATCH", "/settings", { body: { setup_dismissed: true, language: "ru" } });
  expect((await call("PATCH", "/settings", { body: { opt_out_words: ["no"] }, version: base })).status).toBe(200);
});
