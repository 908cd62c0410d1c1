import fs from "node:fs";
import { expect, test } from "vitest";
import { ownServer } from "../../support/server.ts";
import { addRow } from "../../support/rows.ts";

const server = await ownServer();
const user = await server.subscriber();
const { phone } = await server.connect(user);
await server.receive(phone, { first_name: "Ada", username: "ada_private" }, "a private text");

const read = () => server.must<string>("GET", "/metrics");
/** Returns the value of one line, by its name and labels. */
const valueOf = (text: string, line: string) => Number(text.split(`\n${line} `)[1]?.split("\n")[0]);

test("counts requests by route and status, not by address", async () => {
  const id = "00000000-0000-4000-8000-000000000000";
  await user.call("PATCH", `/leads/${id}`, { notes: "x" });
  await server.call("GET", "/some/where/else");
  const text = await read();
  const count = (route: string, status: number, method: string) =>
    valueOf(text, `leadloom_http_request_seconds_count{method="${method}",route="${route}",status="${status}"}`);
  expect(count("/api/leads/:id", 404, "PATCH")).toBe(1);
  expect(count("/api/telegram/send-code", 200, "POST")).toBe(1);
  expect(text).not.toContain("/some/where/else");
});

test("reports metrics of the process and the database", async () => {
  const controller = new AbortController();
  await fetch(`${server.url}/api/events`, {
    headers: { authorization: `Bearer ${user.token}` },
    signal: controller.signal,
  });
  await addRow(server.deps.db, "outbox", {
    owner_id: user.userId,
    kind: "manual",
    priority: 0,
    dedupe_key: "later",
    random_id: "1",
    not_before: new Date(Date.now() + 3_600_000).toISOString(),
    created_at: server.deps.clock.iso(),
  });
  const text = await read();
  controller.abort();
  expect(valueOf(text, "leadloom_accounts_held")).toBe(1);
  expect(valueOf(text, 'leadloom_telegram_accounts{state="connected"}')).toBe(1);
  expect(valueOf(text, "leadloom_event_streams")).toBe(1);
  expect(valueOf(text, 'leadloom_outbox_rows{kind="manual",state="pending"}')).toBe(1);
  expect(valueOf(text, 'leadloom_database_sessions{state="open"}')).toBeGreaterThanOrEqual(1);
  expect(valueOf(text, 'leadloom_event_loop_delay_seconds{quantile="0.99"}')).toBeGreaterThan(0);
  expect(valueOf(text, "process_resident_memory_bytes")).toBeGreaterThan(1e7);
  await server.idle();
  const again = await read();
  expect(valueOf(again, "leadloom_event_streams")).toBe(0);
  expect(valueOf(again, "leadloom_intake_messages_total")).toBe(1);
});

test("allows only local clients without a token, and only its bearer with one", async () => {
  const statusOf = async (headers: Record<string, string>, of = server) =>
    (await of.call("GET", "/metrics", { headers })).status;
  const ways = [{}, { "x-forwarded-for": "203.0.113.7" }, { forwarded: "for=203.0.113.7" }];
  expect(await Promise.all(ways.map((headers) => statusOf(headers)))).toEqual([200, 404, 404]);
  const guarded = await ownServer({ METRICS_TOKEN: "a-long-token" });
  const tokens = [{}, { authorization: "Bearer wrong-token!" }, { authorization: "Bearer a-long-token" }];
  expect(await Promise.all(tokens.map((headers) => statusOf(headers, guarded)))).toEqual([404, 404, 200]);
});

test("serves every metric that the alerts and the dashboard ask for", async () => {
  const served = await read();
  const docs = new URL("../../../docs/", import.meta.url);
  for (const file of ["alerts.yaml", "grafana.json"]) {
    const used = fs.readFileSync(new URL(file, docs), "utf8").match(/leadloom_[a-z_]+/g) ?? [];
    const names = [...new Set(used.map((name) => name.replace(/_(count|bucket|sum)$/, "")))];
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !served.includes(`# HELP ${name} `))).toEqual([]);
  }
});
