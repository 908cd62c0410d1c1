import { setTimeout as sleep } from "node:timers/promises";
import { EVERY_STAGE } from "../../domain/bulk-target.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EXAMPLE } from "../../domain/reference/index.ts";
import { createAccountGateway } from "../../src/services/account.ts";
import { createArchiveGateway } from "../../src/services/archive.ts";
import { createAutomationGateway } from "../../src/services/automation.ts";
import { createBatchGateway } from "../../src/services/batch.ts";
import { createBillingGateway } from "../../src/services/billing.ts";
import { createBulkGateway } from "../../src/services/bulk.ts";
import {
  createFieldsGateway,
  createTagsGateway,
  createViewsGateway,
  createValueFieldGateway,
} from "../../src/services/catalog.ts";
import { createChatImportGateway } from "../../src/services/chat-import.ts";
import { createSettingsGateway } from "../../src/services/settings.ts";
import { createConversationGateway } from "../../src/services/conversation.ts";
import { createExclusionsGateway } from "../../src/services/exclusions.ts";
import { createFollowupsGateway } from "../../src/services/followups.ts";
import { createForecastGateway } from "../../src/services/forecast.ts";
import { HttpError, createHttp } from "../../src/services/http.ts";
import { createKeysGateway } from "../../src/services/keys.ts";
import { createLeadFilesGateway } from "../../src/services/lead-files.ts";
import { createLeadTagsAndFieldsGateway } from "../../src/services/lead-tags-and-fields.ts";
import { createLeadsGateway } from "../../src/services/leads.ts";
import { createLedgerGateway } from "../../src/services/ledger.ts";
import { createNamedLeads } from "../../src/services/named-leads.ts";
import { createRemindersGateway } from "../../src/services/reminders.ts";
import { createAutomationSettingsGateway } from "../../src/services/automation-settings.ts";
import { createSnippetsGateway } from "../../src/services/snippets.ts";
import { createStagesGateway } from "../../src/services/stages.ts";
import { createStatsGateway } from "../../src/services/stats.ts";
import { createStorage } from "../../src/services/storage.ts";
import { createTelegramGateway } from "../../src/services/telegram.ts";
import { createWebhooksGateway } from "../../src/services/webhooks.ts";
import { RESET } from "../support/leads.ts";
import { sampleOf } from "../support/reference-samples.ts";
import { createChecker, type Page } from "../support/reference.ts";
import { sharedServer } from "../support/server.ts";

const http = createHttp({ baseURL: "/api", getSession: () => ({ accessToken: "token" }), refresh: async () => null });
const account = createAccountGateway(http);
const archive = createArchiveGateway(http);
const automation = createAutomationGateway(http);
const batch = createBatchGateway(http, () => Date.parse("2026-03-05T08:59:40.000Z"));
const billing = createBillingGateway(http);
const bulk = createBulkGateway({ http, sessionStorage: createStorage(() => window.sessionStorage) }, () => [
  EXAMPLE.lead,
]);
const chatImport = createChatImportGateway(http);
const settings = createSettingsGateway(http);
const conversation = createConversationGateway(http);
const exclusions = createExclusionsGateway(http);
const fields = createFieldsGateway(http);
const followups = createFollowupsGateway(http);
const forecast = createForecastGateway(http);
const keys = createKeysGateway(http);
const leadFiles = createLeadFilesGateway(http);
const leadTagsAndFields = createLeadTagsAndFieldsGateway(http);
const leads = createLeadsGateway(http);
const ledger = createLedgerGateway(http);
const reminders = createRemindersGateway(http);
const automationSettings = createAutomationSettingsGateway(http);
const snippets = createSnippetsGateway(http);
const stages = createStagesGateway(http);
const stats = createStatsGateway(http);
const tags = createTagsGateway(http);
const telegram = createTelegramGateway(http);
const valueField = createValueFieldGateway(http);
const views = createViewsGateway(http);
const webhooks = createWebhooksGateway(http);

/** An id that must be escaped in a path. */
const id = "a/b";
const leadId = id;
const at = "2026-03-05T09:00:00.000Z";
const range = { start: at, end: at };
const inRange = `start=${at}&end=${at}`;
const file = new File(["x"], "a.png", { type: "image/png" });
const stage = { name: "Keen", keywords: ["hi"], order: 1, color: "#999999" };
const form = { name: "Keen", color: "#22c55e" };
const reminder = { type: "stuck" as const, stage: "Keen", delay_days: 2, channel_id: "me", template: "Hi {name}" };
const hours = { auto_followups_enabled: true, auto_followup_start_hour: 9, auto_followup_end_hour: 22 };
const newFollowup = { stage_id: EXAMPLE.stage, message: "Hi", followup_order: 0, delay_hours: 24 };
const followupForm = { stage_id: EXAMPLE.stage, message: "Hi", followup_order: "0", delay_hours: "24" };
const bulkMessage = { message: "Hi", target: EVERY_STAGE, throttle: "0.3", media: null };
const stageTarget = { kind: "stage", stageId: EXAMPLE.stage } as const;
const [leadIds, tagIds, values] = [[EXAMPLE.lead], [EXAMPLE.tag], { [EXAMPLE.field]: "S" }];
const batchOrder = { where: { ids: leadIds }, action: { type: "move" as const, stage_id: EXAMPLE.stage } };
const batchDone = { status: "completed", done: 7, total: 8, changed: 6, error: null };
const [skip, hold] = [{ action: "skip" } as const, { action: "hold", until: at } as const];
const sizes = { options: ["S"] };
const chats = { days: 30, include_contacts: false };
const waiting = { view: "waiting", q: "", before: null, limit: 50 } as const;
const text = "Hi";
const stepEdit = { message: "Hi", delay_hours: 3 };
const snippet = { title: "Hi", text: "Hello" };
const edited = { stages: [{ name: "Keen", keywords: ["hi"], order: 1 }] };
const [code, password] = [{ phone: "+1555", code: "12345" }, { password: "secret" }];
const webhook = { url: "https://a.example", events: ["lead.created"] };
const move = { stage_id: EXAMPLE.stage, ...RESET };
const anySend = { leadId: "", kind: "", state: "", from: null, to: null, before: null, limit: 50 };
const oneSend = { leadId: id, kind: "bulk", state: "sent", from: at, to: null, before: "9", limit: 50 };

type Options = {
  /** The request body, or a form's fields by name. */
  body?: unknown;
  /** The gateway's result; by default the response body. */
  result?: unknown;
  /** The result of a 404 that does not count as a failure. */
  unknown?: unknown;
  /** The result of a refusal that does not count as a failure. */
  refusal?: unknown;
  /** The response body, instead of the page's example. */
  answer?: unknown;
  /** The response body does not matter. */
  isDone?: true;
  /** Sends no Idempotency-Key, although the page offers one. */
  hasNoKey?: true;
};
/** A call's expected requests, the call itself, and options. Calls that use the signal are reads. */
type Call = [calls: string, make: (signal: AbortSignal) => Promise<unknown>, options?: Options];
const some = expect.anything();
const including = (fields: object): unknown => expect.objectContaining(fields);
const anything: unknown = expect.toSatisfy(() => true);
const isDone = true as const;

/** A write whose response body does not matter. */
const writes = (call: string, make: Call[1], body?: unknown): Call => [call, make, { body, isDone }];
/** A call with a body whose response is used. */
const asks = (call: string, make: Call[1], body: unknown, ...result: unknown[]): Call => [
  call,
  make,
  result.length > 0 ? { body, result: result[0] } : { body },
];
/** A read that returns null when the server responds 404. */
const readsIfKnown = (call: string, make: Call[1]): Call => [call, make, { unknown: null }];

const CALLS: Call[] = [
  ["GET /account/export", (signal) => account.exportData(signal), { result: expect.any(Blob), isDone }],
  [
    "DELETE /account",
    () => account.deleteAccount(password),
    { body: password, result: { kind: "deleted" }, refusal: { kind: "refused", message: "No." }, isDone },
  ],
  readsIfKnown("GET /account/import", (signal) => archive.readImport(signal)),
  asks("POST /account/import", () => archive.sendArchive(file), { file: some }),
  ["DELETE /account/import", () => archive.stopImport()],
  readsIfKnown("GET /leads/a%2Fb/automation", (signal) => automation.read({ leadId }, signal)),
  asks("POST /leads/a%2Fb/automation", () => automation.steer({ leadId, ...skip, shown: "s1" }), skip),
  ["POST /leads/a%2Fb/automation", () => automation.steer({ leadId, ...hold }), { body: hold, hasNoKey: true }],
  [
    "POST /leads/batch",
    () => batch.start({ ...batchOrder, key: "1" }),
    { body: batchOrder, answer: { job_id: "j1" }, result: { jobId: "j1" } },
  ],
  [
    "GET /leads/batch/a%2Fb",
    (signal) => batch.readJob({ jobId: id }, signal),
    {
      answer: { ...batchDone, left: 0, undo_id: "u1", undo_until: at },
      result: { ...batchDone, undoId: "u1", undoLeftMs: 20_000 },
    },
  ],
  writes("DELETE /leads/batch/a%2Fb", () => batch.cancelJob({ jobId: id })),
  ["POST /leads/batch/a%2Fb/undo", () => batch.undo({ undoId: id }), { result: including({ changed: 1 }) }],
  ["POST /billing/checkout", (signal) => billing.openCheckout(signal), { result: at }],
  ["POST /billing/portal", (signal) => billing.openPortal(signal), { result: at }],
  ["POST /billing/sync", () => billing.sync(), { result: at }],
  asks("POST /billing/confirm", () => billing.confirm({ sessionId: "cs" }), { session_id: "cs" }, at),
  ["GET /stages", (signal) => bulk.listStages(signal)],
  [
    `GET /leads?limit=100000&fields=id&stage_id=${EXAMPLE.stage}`,
    (signal) => bulk.countLeads({ target: stageTarget }, signal),
    { result: 1 },
  ],
  [
    "GET /leads?q=price&tag=t1&tag=t2&limit=100000&fields=id",
    (signal) => bulk.countLeads({ target: { kind: "query", query: "q=price&tag=t1&tag=t2" } }, signal),
    { result: 1 },
  ],
  readsIfKnown(`GET /bulk/preflight?stage_id=${EXAMPLE.stage}&throttle=0.3&message_length=5`, (signal) =>
    bulk.preflight({ target: stageTarget, throttle: "0.3", messageLength: 5 }, signal),
  ),
  readsIfKnown("GET /bulk/preflight?query=q%3Dprice&throttle=0.3", (signal) =>
    bulk.preflight({ target: { kind: "query", query: "q=price" }, throttle: "0.3", messageLength: 0 }, signal),
  ),
  [
    "POST /bulk/preflight",
    (signal) =>
      bulk.preflight({ target: { kind: "leads", name: "ticked" }, throttle: "0.3", messageLength: 2 }, signal),
    { body: { lead_ids: leadIds, throttle: 0.3, message_length: 2 }, unknown: null },
  ],
  ...(
    [
      [EVERY_STAGE, null, { stage_id: "" }],
      [stageTarget, file, { stage_id: EXAMPLE.stage, media: some }],
      [{ kind: "query", query: "q=price" }, null, { query: "q=price" }],
      [{ kind: "leads", name: "ticked" }, null, { lead_ids: `["${EXAMPLE.lead}"]` }],
    ] as const
  ).map(([target, media, fields]): Call => [
    "POST /bulk",
    () => bulk.queueMessages({ ...bulkMessage, target, media }),
    { body: { message: "Hi", throttle: "0.3", ...fields }, result: { jobId: at } },
  ]),
  ["GET /bulk/a%2Fb", (signal) => bulk.fetchJob({ jobId: id }, signal)],
  ["GET /bulk/current", (signal) => bulk.fetchRunningJob(signal)],
  ["POST /bulk/a%2Fb/continue", () => bulk.continueJob({ jobId: id })],
  ["DELETE /bulk/a%2Fb", () => bulk.cancelJob({ jobId: id }), { result: { sent: 1, total: 1 }, isDone }],
  ["GET /tags", (signal) => tags.list(signal)],
  writes("POST /tags", () => tags.add({ form }), form),
  writes("PATCH /tags/a%2Fb", () => tags.change({ id, form, moveTo: undefined }), form),
  writes("DELETE /tags/a%2Fb", () => tags.remove({ id })),
  writes("POST /tags/a%2Fb/restore", () => tags.restore({ id })),
  ["GET /fields", (signal) => fields.list(signal)],
  writes("PATCH /fields/a%2Fb", () => fields.change({ id, form: sizes, moveTo: null }), { ...sizes, move_to: null }),
  ["GET /fields", (signal) => valueField.read(signal), { result: some, unknown: null }],
  ["GET /views", (signal) => views.list(signal)],
  readsIfKnown("GET /telegram/import", (signal) => chatImport.readImport(signal)),
  asks("POST /telegram/import", () => chatImport.startImport(chats), chats),
  ["DELETE /telegram/import", () => chatImport.cancelImport()],
  ["GET /settings", (signal) => settings.read(signal)],
  readsIfKnown("GET /settings", (signal) => settings.readIfKnown(signal)),
  ["GET /settings", (signal) => settings.readDryRun(signal), { result: true, unknown: null }],
  ["GET /settings", (signal) => settings.readReceipts(signal), { result: true }],
  asks("PATCH /settings", () => settings.save({ time_zone: null, weekdays: [1] }), { time_zone: null, weekdays: [1] }),
  asks("PATCH /settings", () => settings.saveDryRun({ isOn: true }), { dry_run: true }, true),
  asks("PATCH /settings", () => settings.saveReceipts({ isOn: false }), { read_receipts: false }, true),
  [
    "GET /ledger?state=would_send&limit=20",
    (signal) => settings.listHeldBack({ since: at }, signal),
    { result: { items: some, hasMore: true } },
  ],
  ["GET /inbox?view=waiting&limit=50", (signal) => conversation.listInbox({ ...waiting, order: "longest" }, signal)],
  [
    "GET /inbox?view=waiting&limit=50&order=newest",
    (signal) => conversation.listInbox({ ...waiting, order: "newest" }, signal),
  ],
  writes("POST /leads/a%2Fb/done", () => conversation.markDone({ leadId, isDone: true }), { done: true }),
  writes("POST /leads/a%2Fb/done", () => conversation.markDone({ leadId, isDone: true, upTo: "7" }), {
    done: true,
    up_to: "7",
  }),
  readsIfKnown("GET /leads/a%2Fb", (signal) => conversation.readLead(id, signal)),
  readsIfKnown("GET /leads/a%2Fb/messages?before=9&limit=50", (signal) =>
    conversation.listMessages({ leadId, before: "9", limit: 50 }, signal),
  ),
  asks("POST /leads/a%2Fb/messages", () => conversation.reply({ leadId, text, file, key: "1" }), { text, media: some }),
  asks("POST /leads/a%2Fb/messages", () => conversation.reply({ leadId, text, file: null, key: "1" }), { text }),
  [
    "POST /leads/a%2Fb/read",
    () => conversation.markRead({ leadId, upTo: "9" }),
    { body: { up_to: "9" }, answer: { unread: 3 }, result: 3 },
  ],
  ["GET /leads/a%2Fb/story?before=9", (signal) => conversation.readStory({ leadId, before: "9" }, signal)],
  ["GET /exclusions", (signal) => exclusions.list(signal)],
  ["POST /leads/a%2Fb/exclude", () => exclusions.exclude({ leadId }), { result: { telegramUserId: at } }],
  ["DELETE /exclusions/a%2Fb", () => exclusions.restore({ telegramUserId: id }), { result: at }],
  ["GET /followups", (signal) => followups.list(signal)],
  [
    "POST /followups/send/a%2Fb",
    () => followups.send({ leadId, step: "s1:0" }),
    { result: { kind: "sent" }, refusal: { kind: "refused", reason: "No." }, isDone },
  ],
  asks("POST /followups", () => followups.add({ ...newFollowup, media: null }), followupForm),
  asks("POST /followups", () => followups.add({ ...newFollowup, media: file }), { ...followupForm, media: some }),
  writes("PATCH /followups/a%2Fb", () => followups.change({ id, ...stepEdit }), stepEdit),
  writes("PATCH /followups/a%2Fb", () => followups.setOrder({ id, followup_order: 0 }), { followup_order: 0 }),
  writes("DELETE /followups/a%2Fb", () => followups.remove({ id })),
  ["POST /followups/a%2Fb/restore", () => followups.restore({ id })],
  readsIfKnown(`GET /followups/results?from=${at}&to=${at}`, (signal) =>
    followups.results({ from: at, to: at }, signal),
  ),
  ["GET /followups/overdue", (signal) => followups.overdue(signal)],
  asks("POST /followups/overdue/confirm", () => followups.confirmOverdue({ leadIds }), { lead_ids: leadIds }, some),
  asks("POST /followups/overdue/confirm", () => followups.confirmOverdue({ leadIds: null }), {}, some),
  readsIfKnown("GET /forecast?hours=24", (signal) => forecast.fetchForecast(signal)),
  [
    "GET /inbox?view=waiting&limit=5, GET /inbox/counts",
    (signal) => forecast.fetchPeopleWaiting(signal),
    { result: { items: some, count: some }, unknown: null },
  ],
  readsIfKnown("GET /telegram/account", (signal) => forecast.fetchAccount(signal)),
  ["GET /keys", (signal) => keys.list(signal)],
  asks("POST /keys", () => keys.create({ name: "n8n", scopes: ["read"] }), { name: "n8n", scopes: ["read"] }),
  ["DELETE /keys/a%2Fb", () => keys.revoke({ id }), { unknown: undefined, isDone }],
  ["GET /leads/export?q=a", () => leadFiles.exportFile("q=a"), { result: some, isDone }],
  asks(
    "POST /leads/import",
    () => leadFiles.importFile({ file, mapping: { Name: "notes" }, isDryRun: true }),
    { mapping: '{"Name":"notes"}', dry_run: "true", file: some },
    including({ matched: 1 }),
  ),
  asks("PUT /leads/a%2Fb/tags", () => leadTagsAndFields.setTags({ leadId, tagIds }), { tag_ids: tagIds }, some),
  asks("PATCH /leads/a%2Fb/fields", () => leadTagsAndFields.setFields({ leadId, values }), values, some),
  [
    "GET /leads?limit=50&offset=0&name=ada+%26+co&followup_order_sent=0",
    (signal) => leads.list({ limit: 50, offset: 0, name: "ada & co", stage_id: "", followup_order_sent: "0" }, signal),
  ],
  ["GET /leads/a%2Fb", (signal) => leads.read({ leadId }, signal), { result: some, unknown: null }],
  [
    "PATCH /leads/a%2Fb",
    () => leads.saveNotes({ leadId, notes: "New", over: "Old" }),
    { body: { notes: "New" }, result: "New", isDone },
  ],
  writes("PATCH /leads/a%2Fb", () => leads.changeStage({ leadId, stageId: EXAMPLE.stage }), move),
  writes("POST /leads/a%2Fb/stage/undo", () => leads.undoStage({ leadId })),
  [
    `GET /ledger?lead_id=a%2Fb&kind=bulk&state=sent&from=${at}&before=9&limit=50`,
    (signal) => ledger.listSends(oneSend, signal),
  ],
  ["GET /ledger?limit=50", (signal) => ledger.listSends(anySend, signal)],
  ["GET /reminders", (signal) => reminders.list(signal)],
  writes("POST /reminders", () => reminders.add(reminder), reminder),
  writes("PATCH /reminders/a%2Fb", () => reminders.setEnabled({ id, isEnabled: false }), { is_enabled: false }),
  writes("DELETE /reminders/a%2Fb", () => reminders.remove({ id })),
  ["POST /reminders/a%2Fb/restore", () => reminders.restore({ id })],
  ["GET /user_settings", (signal) => automationSettings.read(signal)],
  writes("POST /user_settings", () => automationSettings.save(hours), hours),
  ["GET /snippets", (signal) => snippets.list(signal)],
  asks("POST /snippets", () => snippets.add({ ...snippet, media: file }), { ...snippet, media: some }),
  asks("PATCH /snippets/a%2Fb", () => snippets.change({ id, ...snippet, media: null }), { ...snippet, media: null }),
  writes("DELETE /snippets/a%2Fb", () => snippets.remove({ id })),
  ["GET /stages", (signal) => stages.list(signal)],
  ["POST /stages", () => stages.create(stage), { body: stage, result: { id: some }, isDone }],
  writes("PATCH /stages/a%2Fb", () => stages.update({ id, ...stage }), stage),
  writes("PATCH /stages/a%2Fb", () => stages.setOrder({ id, order: 2 }), { order: 2 }),
  writes("DELETE /stages/a%2Fb", () => stages.remove({ id })),
  writes("POST /stages/a%2Fb/restore", () => stages.restore({ id })),
  ["POST /stages/preview", (signal) => stages.preview(edited, signal), { body: edited, unknown: null }],
  ["GET /stages", (signal) => stats.listStages(signal)],
  [`GET /stats/volume?${inRange}`, (signal) => stats.fetchVolume(range, signal)],
  [`GET /stats/total?${inRange}`, (signal) => stats.fetchTotal(range, signal), { result: 1 }],
  [`GET /stats/stage-breakdown?${inRange}`, (signal) => stats.fetchBreakdown(range, signal)],
  [`GET /stats/funnel?${inRange}`, (signal) => stats.fetchFunnel(range, signal)],
  asks(
    "POST /stats/conversions",
    (signal) => stats.fetchConversion({ stageId: "s1", stages: [{ id: "s1", ...stage }], ...range }, signal),
    { stage_id: "s1", ...range, stages: [{ id: "s1", order: 1 }] },
  ),
  ["GET /telegram/status", (signal) => telegram.fetchStatus(signal)],
  writes("POST /telegram/send-code", (signal) => telegram.sendCode({ phone: "+1555" }, signal), { phone: "+1555" }),
  asks("POST /telegram/verify-code", () => telegram.verifyCode(code), code, some),
  asks("POST /telegram/verify-password", () => telegram.verifyPassword(password), password, some),
  asks("POST /telegram/qr-start", (signal) => telegram.startQr(signal), {}, { qrUrl: some }),
  ["GET /telegram/qr", (signal) => telegram.fetchQr(signal), { result: { qrUrl: some } }],
  asks("POST /telegram/qr-complete", (signal) => telegram.completeQr(signal), { timeout_sec: 120 }, some),
  writes("POST /telegram/qr-cancel", () => telegram.cancelQr(), {}),
  writes("POST /telegram/disconnect", () => telegram.disconnect()),
  readsIfKnown("GET /telegram/account", (signal) => telegram.fetchAccount(signal)),
  writes("PATCH /telegram/account", () => telegram.saveDailyCap({ dailyCap: 5 }), { daily_cap: 5 }),
  writes("POST /telegram/account/resume", () => telegram.resumeSending()),
  ["GET /webhooks", (signal) => webhooks.list(signal)],
  asks("POST /webhooks", () => webhooks.add(webhook), webhook),
  writes("PATCH /webhooks/a%2Fb", () => webhooks.change({ id, enabled: true }), { enabled: true }),
  ["DELETE /webhooks/a%2Fb", () => webhooks.remove({ id }), { unknown: undefined, isDone }],
  readsIfKnown("GET /webhooks/a%2Fb/deliveries?before=9&limit=50", (signal) =>
    webhooks.listDeliveries({ id, before: "9", limit: 50 }, signal),
  ),
  ["POST /webhooks/a%2Fb/deliveries/d1/replay", () => webhooks.replay({ id, delivery: "d1" })],
  ["POST /webhooks/a%2Fb/test", () => webhooks.test({ id })],
];

const server = await sharedServer();
const page = await server.must<Page>("GET", "/api/openapi.json");
const checker = createChecker(page);
beforeEach(() => void vi.stubGlobal("window", { location: { origin: "http://localhost" } }));
afterEach(() => vi.unstubAllGlobals());

type Sent = { call: string; body: unknown; key: string | null; token: string | null; type: "json" | "form" };

function answerWith(
  answer: (method: string, address: string, signal?: AbortSignal | null) => Promise<Response>,
): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", async (address: string, { method = "GET", body, headers, signal }: RequestInit = {}) => {
    const values = new Headers(headers);
    sent.push({
      call: `${method} ${address.replace("/api", "")}`,
      body:
        body instanceof FormData ? Object.fromEntries(body) : typeof body === "string" ? JSON.parse(body) : undefined,
      key: values.get("idempotency-key"),
      token: values.get("authorization"),
      type: body instanceof FormData ? "form" : "json",
    });
    return answer(method, address, signal);
  });
  return sent;
}

const json = (body: unknown, status = 200) => Response.json(body, { status });

function operationOf(method: string, address: string) {
  const found = checker.find(method, address);
  if (found === undefined) throw new Error(`${method} ${address} is not on the page`);
  return found.operation;
}

/** Returns a successful response that the page describes. */
function answerOf(method: string, address: string): unknown {
  const { responses } = operationOf(method, address);
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  return sampleOf(page, success?.content?.["application/json"]?.schema ?? {});
}
const asDescribed = async (method: string, address: string) => json(answerOf(method, address));

/** Returns the parts of a request that the page does not describe. */
function faultsOf({ call, body, key, type }: Sent, { hasNoKey }: Options): string[] {
  const [method = "", address = ""] = call.replace(" ", " /api").split(" ");
  const { parameters = [], requestBody } = operationOf(method, address);
  const names = parameters.map(({ name, $ref }) => name ?? $ref);
  const [, search = ""] = address.split("?");
  const faults = [...new URLSearchParams(search).keys()].filter((name) => !names.includes(name));
  const takesKey = names.includes("#/components/parameters/IdempotencyKey") && hasNoKey !== true;
  if (takesKey !== (key !== null)) faults.push("Idempotency-Key");
  if (body === undefined || (requestBody === undefined && JSON.stringify(body) === "{}")) return faults;
  const media = type === "form" ? "multipart/form-data" : "application/json";
  const { properties = {}, required = [] } = (requestBody?.content[media]?.schema ?? {}) as {
    properties?: object;
    required?: string[];
  };
  if (type === "json") return [...faults, ...checker.request(method, address, body)];
  const unknown = Object.keys(body as object).filter((name) => !(name in properties));
  return [...faults, ...unknown, ...required.filter((name) => !(name in (body as object)))];
}

test.each(CALLS)("sends %s and reads its response as the API page describes", async (calls, make, options = {}) => {
  const sent = answerWith("answer" in options ? async () => json(options.answer) : asDescribed);
  const result = await make(new AbortController().signal);
  expect(sent.map(({ call, body, token }) => ({ call, body, token }))).toEqual(
    calls.split(", ").map((call) => ({ call, body: options.body, token: "Bearer token" })),
  );
  expect(sent.flatMap((one) => faultsOf(one, options))).toEqual([]);
  const [method = "", address = ""] = calls.replace(" ", " /api").split(" ");
  const described = options.isDone ? anything : answerOf(method, address);
  expect(result).toEqual("result" in options ? options.result : described);
});

type Outcome = "success" | { result: unknown } | { status: number | null; message: string } | { error: string };
const outcomeOf = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    (result) => ({ result }),
    (error: unknown) =>
      error instanceof HttpError ? { status: error.status, message: error.message } : { error: (error as Error).name },
  );
/** Omits the result of an outcome where any success is expected. */
const comparable = (outcome: Outcome, expected: Outcome): Outcome =>
  expected === "success" && typeof outcome === "object" && "result" in outcome ? "success" : outcome;

/** Each possible response or failure, and the expected outcome of a call. */
const TRANSPORT: [name: string, answer: typeof asDescribed, expected: (call: Call) => Outcome][] = [
  ...[401, 402, 403, 404, 409, 413, 422, 429, 500, 503].map((status): (typeof TRANSPORT)[number] => [
    `a ${status}`,
    async () => json({ message: "No.", code: "no" }, status),
    ([, , options = {}]) => {
      if (status === 404 && "unknown" in options) return { result: options.unknown };
      if ("refusal" in options) return { result: options.refusal };
      return { status, message: "No." };
    },
  ]),
  [
    "no answer",
    () => Promise.reject(new TypeError("Failed to fetch")),
    () => ({ status: null, message: "No answer from the server" }),
  ],
  [
    "a slow answer",
    async (...request) => {
      await sleep(5);
      return asDescribed(...request);
    },
    () => "success",
  ],
  ...["{", "<h1>Hello</h1>", '"yes"'].map((text): (typeof TRANSPORT)[number] => [
    `the answer ${text}`,
    async () => new Response(text, { headers: { "content-type": "application/json" } }),
    ([, , options]) => (options?.isDone ? "success" : { error: "ValiError" }),
  ]),
];

test.each(TRANSPORT)("handles %s in every call and sends each once", async (_name, answer, expected) => {
  for (const call of CALLS) {
    const [calls, make] = call;
    const sent = answerWith(answer);
    // oxlint-disable-next-line no-await-in-loop -- one server after the other
    const outcome = await outcomeOf(make(new AbortController().signal));
    expect.soft(comparable(outcome, expected(call)), calls).toEqual(expected(call));
    const addresses = calls.split(", ");
    expect.soft(sent.filter((one) => addresses.includes(one.call)).length, calls).toBe(addresses.length);
  }
});

test("aborts reads and continues writes when the user leaves the screen", async () => {
  for (const [name, make] of CALLS) {
    const screen = new AbortController();
    answerWith(async (method, address, signal) => {
      screen.abort();
      signal?.throwIfAborted();
      return asDescribed(method, address);
    });
    const expected: Outcome = make.length === 1 ? { error: "AbortError" } : "success";
    // oxlint-disable-next-line no-await-in-loop -- one server after the other
    expect.soft(comparable(await outcomeOf(make(screen.signal)), expected), name).toEqual(expected);
  }
});

const asPage = { limit: 50, offset: 0 };
const held = { ...(sampleOf(page, { $ref: "#/components/schemas/LedgerItem" }) as object), planned_at: at };
const heldNow = { ...held, settled_at: "2026-03-05T10:00:00.000Z" };
const heldBefore = { ...held, settled_at: "2026-03-05T08:00:00.000Z" };

/** Responses of older or newer servers, and cases that the page's example omits. */
const ANSWERS: [what: string, make: Call[1], answer: unknown, result: unknown, status?: number][] = [
  [
    "settings that were never saved",
    (signal) => automationSettings.read(signal),
    null,
    { ...hours, auto_followups_enabled: false },
  ],
  [
    "a follow-up without a place and a delay",
    (signal) => followups.list(signal),
    [{ id: 7, stage_id: 3, message: "Hi", delay_hours: null }],
    [including({ id: "7", stage_id: "3", followup_order: 0, delay_hours: 24 })],
  ],
  [
    "stages out of order, with keywords as one text",
    (signal) => stages.list(signal),
    [
      { id: 2, name: "B", order: 2 },
      { id: 1, name: "A", order: 1, keywords: "a, b" },
    ],
    [
      { id: "1", name: "A", order: 1, color: "#999999", keywords: ["a", "b"] },
      { id: "2", name: "B", order: 2, color: "#999999", keywords: [] },
    ],
  ],
  [
    "a lead with nothing but its stage",
    (signal) => leads.list(asPage, signal),
    { leads: [{ id: 1, stage_id: 2, followup_order_sent: -3 }], total: 1 },
    {
      leads: [including({ id: "1", stage_id: "2", followup_order_sent: 0, name: null, notes: null })],
      total: 1,
    },
  ],
  [
    "a reminder with a number for its channel",
    (signal) => reminders.list(signal),
    [{ id: 1, stage: "A", channel_id: -100 }],
    [including({ id: "1", delay_days: 2, is_enabled: true, channel_id: -100, type: "stuck" })],
  ],
  ["no leads to count", (signal) => bulk.countLeads({ target: EVERY_STAGE }, signal), { leads: [] }, 0],
  [
    "more leads than ids",
    (signal) => bulk.countLeads({ target: EVERY_STAGE }, signal),
    { leads: [{ id: "1" }], total: 812 },
    812,
  ],
  ["a job with a number for its id", () => bulk.queueMessages(bulkMessage), { job_id: 7 }, { jobId: "7" }],
  [
    "a job without its later fields",
    (signal) => bulk.fetchRunningJob(signal),
    { job_id: "j1", status: "in_progress", sent_count: 1, failed_count: 0, total_targets: 2 },
    including({ error: null, paused_until: null, paused_reason: null, is_held: false }),
  ],
  [
    "a state of automation that this page does not know",
    (signal) => automation.read({ leadId }, signal),
    { state: "a_state_of_next_year", due_at: null, step: null, words: "Later." },
    { state: "a_state_of_next_year", due_at: null, step: null, words: "Later.", stage_entered_at: null },
  ],
  [
    "messages that a dry run held back before the moment asked for",
    (signal) => settings.listHeldBack({ since: at }, signal),
    { items: [heldNow, heldBefore], next: "7" },
    { items: [heldNow], hasMore: false },
  ],
  [
    "a Telegram account without its number",
    (signal) => telegram.fetchStatus(signal),
    { connected: true },
    { connected: true, phone: null },
  ],
  [
    "a login that needs a password",
    () => telegram.verifyCode(code),
    { "2fa_required": true },
    including({ "2fa_required": true }),
  ],
  ["a login without a body", () => telegram.verifyPassword(password), null, some],
  ["no code for a QR login", (signal) => telegram.startQr(signal), {}, { qrUrl: null }],
  [
    "a follow-up that was only taken",
    () => followups.send({ leadId, step: "s1:0" }),
    {},
    { kind: "refused", reason: null },
    202,
  ],
  ["a server without single leads", (signal) => leads.read({ leadId }, signal), null, null, 405],
  ["a server without previews", (signal) => stages.preview({ stages: [] }, signal), null, null, 405],
  ["a server without results", (signal) => followups.results({}, signal), null, null, 405],
];

test.each(ANSWERS)("reads %s", async (_what, make, answer, result, status = 200) => {
  answerWith(async () => json(answer, status));
  expect(await make(new AbortController().signal)).toEqual(result);
});

test("downloads an archive as a file, and fails when the server refuses", async () => {
  answerWith(async () => new Response("x"));
  expect(await archive.downloadArchive(new AbortController().signal)).toBeInstanceOf(Blob);
  answerWith(async () => json({ message: "No." }, 503));
  await expect(archive.downloadArchive(new AbortController().signal)).rejects.toMatchObject({ status: 503 });
});

test("counts only leads still stored under the name of a selection", async () => {
  const storage = createStorage(() => {
    throw new Error("forbidden");
  });
  const name = createNamedLeads(storage, "named", () => "some").keep(["l1", "l2"]);
  const gateway = createBulkGateway({ http, sessionStorage: storage }, createNamedLeads(storage, "named").read);
  const { signal } = new AbortController();
  expect(await gateway.countLeads({ target: { kind: "leads", name } }, signal)).toBe(2);
  expect(await gateway.countLeads({ target: { kind: "leads", name: "others" } }, signal)).toBe(0);
});
