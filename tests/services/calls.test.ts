import { afterEach, describe, expect, it, vi } from "vitest";
import { createBillingGateway } from "../../src/services/billing.ts";
import { createBulkGateway } from "../../src/services/bulk.ts";
import { createHttp } from "../../src/services/http.ts";
import { createNamedLeads } from "../../src/services/named-leads.ts";
import { createStatsGateway } from "../../src/services/stats.ts";
import { createStorage } from "../../src/services/storage.ts";
import { createTelegramGateway } from "../../src/services/telegram.ts";

const http = createHttp({ baseURL: "/api", getSession: () => ({ accessToken: "token" }), refresh: async () => null });
const bulk = createBulkGateway(http);
const stats = createStatsGateway(http);
const telegram = createTelegramGateway(http);
const billing = createBillingGateway(http);
const { signal } = new AbortController();

type Sent = { call: string; body: unknown; token: string | null };

/** Answers every call with `answer` and keeps what was sent; form fields become a plain object. */
function serve(answer: () => Response | Promise<Response>): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", async (input: Request | string, init: RequestInit = {}) => {
    const { body } = init;
    sent.push({
      call: `${init.method ?? "GET"} ${typeof input === "string" ? input : input.url}`,
      body: body instanceof FormData ? Object.fromEntries(body) : typeof body === "string" ? JSON.parse(body) : null,
      token: new Headers(init.headers).get("authorization"),
    });
    return answer();
  });
  return sent;
}
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

afterEach(() => vi.unstubAllGlobals());

it("a bulk message to leads chosen in the list names them by the list's filters", async () => {
  const sent = serve(() => json({ job_id: "job-1", leads: [{ id: "1" }], total: 812 }));
  const stageId = "?q=price&tag=t1&tag=t2";
  expect(await bulk.countLeads({ stageId }, signal)).toEqual(812);
  await bulk.queueMessages({ message: "Hi", stageId, throttle: "0.3", media: null });
  expect(sent.map(({ call, body }) => [call, body])).toEqual([
    ["GET /api/leads?q=price&tag=t1&tag=t2&limit=100000&fields=id", null],
    ["POST /api/bulk", { message: "Hi", query: "q=price&tag=t1&tag=t2", throttle: "0.3" }],
  ]);
});

it("a bulk message to leads ticked in the list names them one by one, as long as they are kept", async () => {
  const storage = createStorage(() => sessionStorage);
  const named = createNamedLeads(storage, "named", () => "some");
  const gateway = createBulkGateway(http, createNamedLeads(storage, "named").read);
  const preflight = {
    targets: 2,
    reachable: 2,
    skipped: [],
    cold: 0,
    cold_left_today: 9,
    starts_at: null,
    finishes_at: null,
  };
  const sent = serve(() => json({ job_id: "job-1", ...preflight }));
  const stageId = `#${named.keep(["l1", "l2"])}`;
  expect(await gateway.countLeads({ stageId }, signal)).toBe(2);
  expect(await gateway.countLeads({ stageId: "#others" }, signal)).toBe(0);
  expect(await gateway.foresee({ stageId, throttle: "0.3", messageLength: 2 }, signal)).toMatchObject({ targets: 2 });
  await gateway.queueMessages({ message: "Hi", stageId, throttle: "0.3", media: null });
  expect(sent.map(({ call, body }) => [call, body])).toEqual([
    ["POST /api/bulk/preflight", { lead_ids: ["l1", "l2"], throttle: 0.3, message_length: 2 }],
    ["POST /api/bulk", { message: "Hi", lead_ids: '["l1","l2"]', throttle: "0.3" }],
  ]);
});

const start = "2026-11-15T00:00:00.000Z";
const end = "2026-11-21T23:59:59.999Z";
const range = { start, end };
const inQuery = `start=${start}&end=${end}`;
const stages = [{ id: "s1", name: "New", color: "#999999", order: 1, keywords: ["hi"] }];
const conversion = { percentage: 12.5, count: 1, total: 8 };
const media = new File(["picture"], "picture.png", { type: "image/png" });
const message = { message: "Hi", stage_id: "", throttle: "0.3" };

type Call = { call: string; body?: unknown; make: () => Promise<unknown>; answer: unknown; result: unknown };
const reads: Call[] = [
  {
    call: "GET /leads?limit=100000&fields=id&stage_id=s1",
    make: () => bulk.countLeads({ stageId: "s1" }, signal),
    answer: { leads: [{ id: "l1" }], total: 7 },
    result: 7,
  },
  {
    call: "GET /leads?limit=100000&fields=id",
    make: () => bulk.countLeads({ stageId: "" }, signal),
    answer: { leads: [] },
    result: 0,
  },
  {
    call: "POST /bulk",
    body: message,
    make: () => bulk.queueMessages({ message: "Hi", stageId: "", throttle: "0.3", media: null }),
    answer: { job_id: "j1" },
    result: { jobId: "j1" },
  },
  {
    call: "POST /bulk",
    body: { ...message, stage_id: "s1", media: expect.any(File) },
    make: () => bulk.queueMessages({ message: "Hi", stageId: "s1", throttle: "0.3", media }),
    answer: { job_id: 7 },
    result: { jobId: "7" },
  },
  {
    call: "GET /bulk/current",
    make: () => bulk.fetchRunningJob(signal),
    answer: { job_id: "j1", status: "in_progress", sent_count: 1, failed_count: 0, total_targets: 2 },
    result: {
      job_id: "j1",
      status: "in_progress",
      sent_count: 1,
      failed_count: 0,
      total_targets: 2,
      error: null,
      paused_until: null,
      paused_reason: null,
      is_held: false,
    },
  },
  {
    call: "POST /bulk/j%2F1/continue",
    make: () => bulk.continueJob({ jobId: "j/1" }),
    answer: { job_id: "j/1", status: "in_progress", sent_count: 1, failed_count: 0, total_targets: 2 },
    result: expect.objectContaining({ status: "in_progress", is_held: false }),
  },
  {
    call: "GET /bulk/j%2F1",
    make: () => bulk.fetchJob({ jobId: "j/1" }, signal),
    answer: { job_id: "j/1", status: "completed", sent_count: 3, failed_count: 1, total_targets: 4, error: null },
    result: expect.objectContaining({ status: "completed", sent_count: 3, failed_count: 1, total_targets: 4 }),
  },
  {
    call: `GET /stats/volume?${inQuery}`,
    make: () => stats.fetchVolume(range, signal),
    answer: [{ day: "2026-11-15", lead_count: 2 }],
    result: [{ day: "2026-11-15", lead_count: 2 }],
  },
  { call: `GET /stats/total?${inQuery}`, make: () => stats.fetchTotal(range, signal), answer: { total: 8 }, result: 8 },
  {
    call: `GET /stats/stage-breakdown?${inQuery}`,
    make: () => stats.fetchBreakdown(range, signal),
    answer: [{ stage_id: "s1", count: 8 }],
    result: [{ stage_id: "s1", count: 8 }],
  },
  { call: `GET /stats/funnel?${inQuery}`, make: () => stats.fetchFunnel(range, signal), answer: [], result: [] },
  {
    call: "POST /stats/conversions",
    body: { stage_id: "s1", start, end, stages: [{ id: "s1", order: 1 }] },
    make: () => stats.fetchConversion({ stageId: "s1", stages, ...range }, signal),
    answer: conversion,
    result: conversion,
  },
  {
    call: "GET /telegram/status",
    make: () => telegram.fetchStatus(signal),
    answer: { connected: true },
    result: { connected: true, phone: null },
  },
  {
    call: "POST /telegram/verify-code",
    body: { phone: "+15550001", code: "12345" },
    make: () => telegram.verifyCode({ phone: "+15550001", code: "12345" }),
    answer: { "2fa_required": true },
    result: expect.objectContaining({ "2fa_required": true }),
  },
  {
    call: "POST /telegram/verify-password",
    body: { password: "secret" },
    make: () => telegram.verifyPassword({ password: "secret" }),
    answer: { success: true, phone: "+15550001" },
    result: expect.objectContaining({ success: true, phone: "+15550001" }),
  },
  {
    call: "POST /telegram/qr-start",
    body: {},
    make: () => telegram.startQr(signal),
    answer: { qr_url: "tg://login?token=a" },
    result: { qrUrl: "tg://login?token=a" },
  },
  {
    call: "POST /telegram/qr-complete",
    body: { timeout_sec: 120 },
    make: () => telegram.completeQr(signal),
    answer: { success: true, phone: "+15550001" },
    result: expect.objectContaining({ success: true, phone: "+15550001" }),
  },
  { call: "POST /billing/sync", make: () => billing.sync(), answer: { status: "active" }, result: "active" },
  {
    call: "POST /billing/portal",
    make: () => billing.openPortal(signal),
    answer: { url: "https://pay.example/portal" },
    result: "https://pay.example/portal",
  },
  {
    call: "POST /billing/checkout",
    make: () => billing.openCheckout(signal),
    answer: { url: "https://pay.example/checkout" },
    result: "https://pay.example/checkout",
  },
  {
    call: "POST /billing/confirm",
    body: { session_id: "cs_1" },
    make: () => billing.confirm({ sessionId: "cs_1" }),
    answer: { status: "active" },
    result: "active",
  },
];
const writes: Call[] = [
  { call: "DELETE /bulk/j1", make: () => bulk.cancelJob({ jobId: "j1" }), answer: {}, result: undefined },
  {
    call: "POST /telegram/send-code",
    body: { phone: "+15550001" },
    make: () => telegram.sendCode({ phone: "+15550001" }, signal),
    answer: {},
    result: undefined,
  },
  { call: "POST /telegram/qr-cancel", body: {}, make: () => telegram.cancelQr(), answer: {}, result: undefined },
  { call: "POST /telegram/disconnect", make: () => telegram.disconnect(), answer: {}, result: undefined },
];
const all = [...reads, ...writes];

const refusals = [401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503];
const nonsense: [string, () => Response][] = [
  ["bad JSON", () => new Response("{", { headers: { "content-type": "application/json" } })],
  ["an HTML page", () => new Response("<h1>Hello</h1>", { headers: { "content-type": "text/html" } })],
  ["the wrong type", () => json("yes")],
];

describe("a call of the bulk sender, the statistics, the connection and billing", () => {
  it.each(all)("$call carries the token and its promised body alone, and understands its answer", async (one) => {
    const sent = serve(() => json(one.answer));
    expect(await one.make()).toEqual(one.result);
    const call = one.call.replace(" /", " /api/");
    expect(sent).toEqual([{ call, body: one.body ?? null, token: "Bearer token" }]);
  });

  it.each(all.flatMap((one) => refusals.map((status) => ({ ...one, status }))))(
    "$call answered $status is a failure with the server's words",
    async ({ make, status }) => {
      serve(() => json({ message: "No.", code: "no" }, status));
      await expect(make()).rejects.toMatchObject({ status, message: "No." });
    },
  );

  it.each(all)("$call without an answer is a failure, sent once", async ({ make }) => {
    const sent = serve(() => Promise.reject(new TypeError("Failed to fetch")));
    await expect(make()).rejects.toMatchObject({ status: null });
    expect(sent).toHaveLength(1);
  });

  it.each(reads.flatMap((one) => nonsense.map(([what, answer]) => ({ ...one, what, refuse: answer }))))(
    "$call answered with $what never reaches the screen as data",
    async ({ make, refuse }) => {
      serve(refuse);
      await expect(make()).rejects.toBeInstanceOf(Error);
    },
  );
});
