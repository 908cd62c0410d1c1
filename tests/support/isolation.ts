import { sql } from "kysely";
import { SignJWT } from "jose";
import type { Deps } from "../../server/core/deps.ts";
import type { TestServer } from "./server.ts";
import { rowOf } from "./rows.ts";

export type Endpoint = {
  method: string;
  path: string;
  takesJson: boolean;
  isPublic: boolean;
  needsSubscription: boolean;
};

type OpenApi = {
  paths: Record<string, Record<string, { responses: object; security?: unknown[]; requestBody?: { content: object } }>>;
};

/** Calls that also take a form have their own tests. */
export const takesOnlyJson = (content: object): boolean =>
  "application/json" in content && !("multipart/form-data" in content);

/** Returns every call of the product from its OpenAPI document, so that new calls are included automatically. */
export async function endpointsOf(server: TestServer): Promise<Endpoint[]> {
  const { body } = await server.call<OpenApi>("GET", "/api/openapi.json");
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses, security, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      takesJson: takesOnlyJson(requestBody?.content ?? {}),
      isPublic: security?.length === 0,
      needsSubscription: "402" in responses,
    })),
  );
}

const TABLES = {
  lead: "leads",
  stage: "stages",
  followup: "followups",
  reminder: "reminders",
  job: "bulk_jobs",
  message: "messages",
  snippet: "snippets",
  tag: "tags",
  field: "fields",
  view: "views",
  batch: "lead_batches",
  key: "api_keys",
  webhook: "webhooks",
  delivery: "webhook_deliveries",
} as const;

/** One id of each kind that a call may name, all of one owner; an exclusion's is a Telegram user's. */
export type Ids = Record<keyof typeof TABLES | "exclusion", string>;

export async function idsOf({ db }: Pick<Deps, "db">, ownerId: string): Promise<Ids> {
  const ids = Object.entries(TABLES).map(async ([kind, table]) => {
    const { id } = await db.selectFrom(table).select("id").where("owner_id", "=", ownerId).executeTakeFirstOrThrow();
    return [kind, id];
  });
  const { telegram_user_id: exclusion } = await rowOf(db, "exclusions", { owner_id: ownerId }, ["telegram_user_id"]);
  return { ...(Object.fromEntries(await Promise.all(ids)) as Omit<Ids, "exclusion">), exclusion };
}

/** Returns the id that a path asks for. Throws for an unknown path: add it here. */
export function idFor(path: string, ids: Ids): string {
  const kind = [
    [/^\/api\/leads\/\{id\}/, ids.lead],
    [/^\/api\/leads\/batch\/\{id\}/, ids.batch],
    [/^\/api\/stages\/\{id\}/, ids.stage],
    [/^\/api\/followups\/send\/\{\w+\}/, ids.lead],
    [/^\/api\/followups\/\{id\}/, ids.followup],
    [/^\/api\/reminders\/\{id\}/, ids.reminder],
    [/^\/api\/exclusions\/\{\w+\}/, ids.exclusion],
    [/^\/api\/keys\/\{id\}/, ids.key],
    [/^\/api\/webhooks\/\{id\}/, ids.webhook],
    [/^\/api\/snippets\/\{id\}/, ids.snippet],
    [/^\/api\/tags\/\{id\}/, ids.tag],
    [/^\/api\/fields\/\{id\}/, ids.field],
    [/^\/api\/views\/\{id\}/, ids.view],
    [/^\/api\/bulk\/\{\w+\}/, ids.job],
    [/^\/api\/files\/\{id\}/, ids.message],
  ] as const;
  const found = kind.find(([pattern]) => pattern.test(path));
  if (found === undefined) throw new Error(`idFor does not know which id ${path} takes.`);
  return found[1];
}

/** Returns a path with its ids filled in; `id` is the first of them. */
export const addressWith = (path: string, id: string, ids: Ids): string =>
  path.replace(/\{\w+\}/, encodeURIComponent(id)).replace("{delivery}", ids.delivery);

/** Returns a path with the owner's ids filled in. */
export const addressOf = (path: string, ids: Ids): string =>
  path.includes("{") ? addressWith(path, idFor(path, ids), ids) : path;

/** Returns a valid body for each call, made from the owner's ids. Throws for a call that is missing here. */
export function bodyFor({ method, path }: Pick<Endpoint, "method" | "path">, own: Ids): Record<string, unknown> {
  const range = { start: "2026-01-01T00:00:00.000Z", end: "2026-12-31T23:59:59.999Z" };
  const bodies: Record<string, Record<string, unknown>> = {
    "PATCH /api/leads/{id}": { notes: "changed" },
    "POST /api/leads/batch": { where: { ids: [own.lead] }, action: { type: "hold" } },
    "POST /api/bulk/preflight": { lead_ids: [own.lead] },
    "POST /api/leads/{id}/automation": { action: "hold" },
    "POST /api/leads/{id}/done": { done: true },
    "POST /api/leads/{id}/read": { up_to: own.message },
    "PUT /api/leads/{id}/tags": { tag_ids: [own.tag] },
    "PATCH /api/leads/{id}/fields": { [own.field]: null },
    "POST /api/webhooks": { url: "https://hooks.example.com/leads", events: ["lead.created"] },
    "PATCH /api/webhooks/{id}": { events: ["lead.opted_out"] },
    "POST /api/keys": { name: "Fresh", scopes: ["read"] },
    "POST /api/tags": { name: "Fresh", color: "#123456" },
    "PATCH /api/tags/{id}": { name: "Changed" },
    "POST /api/fields": { name: "Fresh", type: "choice", options: ["one"] },
    "PATCH /api/fields/{id}": { name: "Changed" },
    "POST /api/views": { name: "Fresh", kind: "board", query: "name=ann", columns: ["name"] },
    "PATCH /api/views/{id}": { name: "Changed" },
    "POST /api/telegram/import": { days: 30, include_contacts: false },
    "POST /api/stages": { name: "Fresh", keywords: ["fresh"], order: 9, color: "#123456" },
    "POST /api/stages/preview": { stages: [{ name: "Changed", keywords: ["changed"], order: 1 }], days: 30 },
    "PATCH /api/stages/{id}": { name: "Changed", keywords: ["changed"], order: 1, color: "#123456" },
    "POST /api/user_settings": {
      auto_followups_enabled: false,
      auto_followup_start_hour: 8,
      auto_followup_end_hour: 20,
    },
    "PATCH /api/settings": { read_receipts: false, time_zone: "Europe/Berlin" },
    "POST /api/stats/conversions": { stage_id: own.stage, ...range, stages: [own.stage] },
    "PATCH /api/followups/{id}": { message: "changed", delay_hours: 5 },
    "POST /api/followups/overdue/confirm": { lead_ids: [own.lead] },
    "POST /api/reminders": {
      type: "stuck",
      stage: "Changed",
      delay_days: 2,
      channel_id: "@leadloom_team",
      template: "{name}",
    },
    "PATCH /api/reminders/{id}": { is_enabled: false },
    "POST /api/telegram/send-code": { phone: "+15550001111" },
    "POST /api/telegram/verify-code": { phone: "+15550001111", code: "12345" },
    "POST /api/telegram/verify-password": { password: "secret" },
    "POST /api/telegram/qr-complete": { timeout_sec: 1 },
    "PATCH /api/telegram/account": { daily_cap: 50 },
    "POST /api/billing/confirm": { session_id: "cs_unknown" },
    "DELETE /api/account": { password: "not the password" },
  };
  const body = bodies[`${method} ${path}`];
  if (body === undefined) throw new Error(`bodyFor has no body for ${method} ${path}.`);
  return body;
}

/** Fields that a caller may never set. */
export const EXTRA = {
  id: "00000000-0000-4000-8000-000000000000",
  owner_id: "00000000-0000-4000-8000-000000000000",
  user_id: "00000000-0000-4000-8000-000000000000",
  status: "active",
  role: "service_role",
  is_admin: true,
  created_at: "2000-01-01T00:00:00Z",
  plan: "free for ever",
  expires_at: "2999-01-01T00:00:00Z",
  telegram_user_id: 1,
  stage_entry_epoch: 99,
  constructor: { prototype: {} },
};

/** The fields of calls that take a form, without ids. */
export const FORMS: Record<string, Record<string, string>> = {
  "/api/leads/{id}/messages": { text: "hi" },
  "/api/snippets": { title: "Greeting", text: "hi" },
  "/api/followups": { message: "hi", followup_order: "3", delay_hours: "24" },
  "/api/bulk": { message: "hi", throttle: "1" },
};

/** Returns a hash of every stored row that names the user, by table. Values that change every minute are left out. */
export async function rowsNaming({ db }: Pick<Deps, "db">, userId: string): Promise<Record<string, string | null>> {
  const tables = await sql<{ name: string }>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'auth') and c.relkind = 'r' and c.relname not in ('audit_log', 'telegram_workers', 'lead_standings', 'lead_standing_changes') order by 1`.execute(
    db,
  );
  const prints: Record<string, string | null> = {};
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ print: string | null }>`
      select md5(string_agg(r.text, '|' order by r.text)) as print from ${sql.raw(name)} t
      cross join lateral (select ${name === "public.reminders" ? sql`(to_jsonb(t) - 'told_until')::text` : sql`t::text`} as text) r
      where t::text like ${`%${userId}%`}`.execute(db);
    prints[name] = rows[0]?.print ?? null;
  }
  return prints;
}

/** Returns an access token of a real session, expired an hour ago. */
export async function expiredToken({ config }: Pick<Deps, "config">, token: string): Promise<string> {
  const [, payload = ""] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
  const hourAgo = Math.floor(Date.now() / 1000) - 3_600;
  return new SignJWT({ ...claims, iat: hourAgo - 3_600, exp: hourAgo })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(new TextEncoder().encode(config.auth.jwtSecret ?? ""));
}

/** Sends a call with the id of another owner, an unknown id and a malformed id. Returns the responses that differ from one plain 404. */
export async function findLeaks(
  server: TestServer,
  endpoint: Endpoint,
  caller: { token: string; own: Ids },
  others: Ids,
  body = endpoint.takesJson ? bodyFor(endpoint, caller.own) : undefined,
): Promise<string[]> {
  const ask = async (id: string) => {
    const path = addressWith(endpoint.path, id, others);
    const answer = await server.call(endpoint.method, path, { token: caller.token, body });
    return `${answer.status} ${JSON.stringify(answer.body)} ${answer.headers.get("content-length")}`;
  };
  const theirs = await ask(idFor(endpoint.path, others));
  const absent = await ask("00000000-0000-4000-8000-000000000000");
  const malformed = await Promise.all(["1", "not-an-id", "' or 1=1 --", "../leads", "%00"].map(ask));
  // Also tries the other owner's nested id below one's own id.
  const hanging = endpoint.path.includes("{delivery}") ? [await ask(idFor(endpoint.path, caller.own))] : [];
  const isPlain = (answer: string) => answer.startsWith('404 {"message":') && answer === absent;
  return [theirs, absent, ...malformed, ...hanging]
    .filter((answer) => !isPlain(answer))
    .map((answer) => `${endpoint.method} ${endpoint.path}: ${answer}`);
}

/** Returns what the user's own lists, figures and settings say, by address. */
export async function readLists(
  server: TestServer,
  endpoints: readonly Endpoint[],
  token: string,
): Promise<Map<string, string>> {
  const reads = endpoints.filter(
    ({ method, path, isPublic }) =>
      method === "GET" && !isPublic && !path.includes("{") && !/events$|export$/.test(path),
  );
  const range = "?start=2026-01-01T00:00:00.000Z&end=2027-12-31T23:59:59.999Z";
  const answers = new Map<string, string>();
  for (const { path } of reads) {
    const query = path.startsWith("/api/stats") ? range : path === "/api/leads" ? "?limit=100000&offset=0" : "";
    const { status, body } = await server.call("GET", `${path}${query}`, { token });
    answers.set(path, `${status} ${JSON.stringify(body)}`);
  }
  return answers;
}
