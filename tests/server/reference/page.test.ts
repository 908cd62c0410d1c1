import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { EXAMPLE, REFERENCE } from "../../../domain/reference/index.ts";
import { fillAccount } from "../../support/full-account.ts";
import { idFor, idsOf } from "../../support/isolation.ts";
import { callsOf, createChecker, type Json, type Page } from "../../support/reference.ts";
import { rowOf } from "../../support/rows.ts";
import { sharedServer } from "../../support/server.ts";

const server = await sharedServer();
const page = await server.must<Page>("GET", "/api/openapi.json");
const checker = createChecker(page);
/** Sends a request, and adds the differences between the response and its description to `faults`. */
const ask = async (faults: string[], method: string, address: string, token: string | undefined, body?: unknown) => {
  const answer = await server.call(method, address, { token, body });
  const type = answer.headers.get("content-type") ?? "";
  faults.push(...checker.answer(method, address, { status: answer.status, type, body: answer.body }));
  return answer;
};

test("passes the linter", async () => {
  const file = path.join(server.dataDir, "openapi.json");
  fs.writeFileSync(file, JSON.stringify(page));
  const redocly = path.resolve("node_modules/@redocly/cli/bin/cli.js");
  const args = [redocly, "lint", file, "--config", path.resolve("redocly.yaml"), "--format", "json"];
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 50_000_000 }).catch(
    (failure: { stdout: string }) => failure,
  );
  const { problems, totals } = JSON.parse(stdout) as {
    problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
    totals: { errors: number; warnings: number };
  };
  const lines = problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer ?? ""}`);
  expect(lines).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, warnings: 0 });
});

test("names, summarizes, groups and authorizes every call", () => {
  const calls = callsOf(page);
  const ids = calls.map(({ operation }) => operation.operationId);
  expect(ids.filter((id) => !/^[a-z][A-Za-z]{3,39}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  const wrong = calls.filter(
    ({ operation: { summary, description } }) => summary.length > 120 || !/key|Needs neither/.test(description),
  );
  expect(wrong.map(({ path: address }) => address)).toEqual([]);
  expect(calls.length).toBeGreaterThan(90);
});

test("describes every field and parameter", () => {
  const bare: string[] = [];
  const visit = (json: unknown, at: string): void => {
    if (Array.isArray(json)) json.forEach((item, index) => visit(item, `${at}/${index}`));
    if (typeof json !== "object" || json === null || Array.isArray(json)) return;
    for (const [key, value] of Object.entries(json)) {
      if (key === "examples" || key === "example") continue;
      if (key === "properties") {
        for (const [name, property] of Object.entries(value as Record<string, Json>))
          if (typeof property["description"] !== "string" || property["description"] === "") bare.push(`${at}.${name}`);
      }
      visit(value, `${at}/${key}`);
    }
  };
  visit(page, "");
  for (const { method, path: address, operation } of callsOf(page)) {
    for (const parameter of operation.parameters ?? []) {
      if (parameter["$ref"] === undefined && !parameter["description"])
        bare.push(`${method} ${address} ${String(parameter["name"])}`);
    }
  }
  expect(bare).toEqual([]);
});

test("documents every named schema with valid examples", () => {
  const faults = REFERENCE.flatMap(({ name, examples }) =>
    name in page.components.schemas
      ? examples.flatMap((example) => checker.schema(name, example).map((fault) => `${name} ${fault}`))
      : [],
  );
  expect(faults).toEqual([]);
});

test("shows a code that the call can return in the example of every refusal", () => {
  const shared = Object.values(page.components.responses);
  const own = callsOf(page).flatMap(({ operation }) => Object.values(operation.responses));
  type Refusal = { properties?: { code?: { enum: string[] } }; examples?: { code: string }[] };
  const refusals = [...shared, ...own].flatMap(({ content }) => {
    const { properties, examples = [] }: Refusal = content?.["application/json"]?.schema ?? {};
    return properties?.code === undefined ? [] : [{ codes: properties.code.enum, examples }];
  });
  expect(refusals.length).toBeGreaterThan(20);
  expect(refusals.filter(({ codes, examples }) => !codes.includes(examples[0]?.code ?? ""))).toEqual([]);
});

test("accepts every example request, and responds as documented", async () => {
  const user = await server.subscriber();
  await server.connect(user);
  await fillAccount(server.deps, user.userId, "Example", { isConnected: false, hasSubscription: true });
  const { id: field } = await rowOf(server.deps.db, "fields", { owner_id: user.userId, type: "number" }, ["id"]);
  const own = { ...(await idsOf(server.deps, user.userId)), field };
  const real = (text: string) =>
    Object.entries(EXAMPLE)
      .reduce((out, [kind, id]) => out.replaceAll(id, own[kind as keyof typeof EXAMPLE]), text)
      .replaceAll("Initial Contact", "Interested");
  const faults: string[] = [];
  const sent: string[] = [];
  for (const { method, path: address, operation } of callsOf(page)) {
    const where = address.replace(/\{\w+\}/, () => (address.startsWith("/api/media") ? own.lead : idFor(address, own)));
    if (method === "GET" && !OPEN_ENDED.has(operation.operationId)) {
      const needsRange = operation.parameters?.some(({ name, required }) => name === "start" && required === true);
      await ask(faults, "GET", needsRange === true ? `${where}${RANGE}` : where, user.token);
      continue;
    }
    const schema = operation.requestBody?.content["application/json"]?.schema;
    const name = ((schema?.["$ref"] ?? "") as string).split("/").at(-1);
    const examples = (schema?.["examples"] ?? page.components.schemas[name ?? ""]?.["examples"] ?? []) as unknown[];
    for (const example of examples) {
      const answer = await ask(faults, method, where, user.token, JSON.parse(real(JSON.stringify(example))));
      sent.push(operation.operationId);
      if (answer.status >= 300)
        faults.push(`${method} ${where} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }
  expect(faults).toEqual([]);
  expect(new Set(sent).size).toBeGreaterThan(20);
});

test("refuses as documented: authentication, scope, unknown ids and fields", async () => {
  const [seller, guest] = [await server.subscriber(), await server.signUp()];
  const { body: key } = await seller.call<{ secret: string }>("POST", "/keys", { name: "Other", scopes: ["read"] });
  const faults: string[] = [];
  const seen = new Set<number>();
  const tryAs = async (token: string | undefined, method: string, address: string, sent?: unknown) =>
    seen.add((await ask(faults, method, address, token, sent)).status);
  for (const { method, path: address, operation } of callsOf(page)) {
    if (OPEN_ENDED.has(operation.operationId) || operation.security.length === 0) continue;
    const where = address.replaceAll(/\{\w+\}/g, "00000000-0000-4000-8000-000000000000");
    const content = operation.requestBody?.content ?? {};
    const unknown = "application/json" in content ? { nobody: 1 } : undefined;
    await tryAs(undefined, method, where, unknown);
    if ("402" in operation.responses) await tryAs(guest.token, method, where, unknown);
    if (method !== "GET") await tryAs(key.secret, method, where, unknown);
    if (unknown !== undefined || address.includes("{")) await tryAs(seller.token, method, where, unknown);
    if (operation.parameters?.some(({ name }) => name === "limit") === true)
      await tryAs(seller.token, method, `${where}?limit=many`);
  }
  const { body: webhook } = await seller.call<{ id: string }>("POST", "/webhooks", {
    url: "https://hooks.example.com/leads",
    events: ["lead.created"],
  });
  await seller.call("PATCH", `/webhooks/${webhook.id}`, { enabled: false });
  await tryAs(seller.token, "POST", `/api/webhooks/${webhook.id}/test`);
  expect(faults).toEqual([]);
  expect([...seen].toSorted((one, other) => one - other)).toEqual(
    expect.arrayContaining([401, 402, 403, 404, 409, 422]),
  );
});

/** These respond with a stream. */
const OPEN_ENDED = new Set(["streamEvents"]);
const RANGE = "?start=2026-01-01T00:00:00.000Z&end=2026-12-31T23:59:59.999Z";
