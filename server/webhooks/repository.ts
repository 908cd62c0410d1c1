import { reasonFields } from "../core/languages.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import {
  WEBHOOK_TEST,
  WEBHOOKS_MAX,
  type DeliveryPage,
  type Webhook,
  type WebhookCreate,
  type WebhookDelivery,
  type WebhookWithSecret,
  type WebhookPatch,
} from "../../domain/webhook.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import { notFound, refuse } from "../core/problem.ts";
import { withIdempotencyKey, type KeyedRequest } from "../core/request-keys.ts";
import type { Vault } from "../core/vault.ts";
import type { Db, DbOrTx, Tx } from "../db/index.ts";
import { bodyOf } from "./body.ts";
import { giveUpSwitchedOff } from "./queue.ts";

type OwnedRef = { ownerId: string; id: string };
type WriteDeps = Pick<Deps, "db" | "bus" | "clock">;

const SECRET_BYTES = 32;

const columns = ["id", "url", "events", "is_enabled", "disabled_reason", "created_at"] as const;
type Row = Omit<Webhook, "enabled" | "disabled_reason_code" | "disabled_reason_params"> & { is_enabled: boolean };
const webhookOf = ({ is_enabled: enabled, ...row }: Row): Webhook => ({
  ...row,
  ...reasonFields("disabled_reason", row.disabled_reason),
  enabled,
});

/** Returns the owner's webhooks, oldest first. */
export async function listWebhooks(db: Db, ownerId: string): Promise<Webhook[]> {
  const rows = await db
    .selectFrom("webhooks")
    .select(columns)
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(webhookOf);
}

/**
 * Adds a webhook. Only this response contains its secret, which is stored encrypted. A repeated request returns the webhook with a new secret.
 * @throws ProblemError 409 when the owner has the maximum number, 404 for a repeat after the webhook was deleted
 */
export function addWebhook(
  { db, bus }: Pick<WriteDeps, "db" | "bus">,
  vault: Vault,
  form: WebhookCreate,
  request: KeyedRequest,
): Promise<WebhookWithSecret> {
  const { ownerId } = request;
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  const sealFor = (rowId: string) => {
    const { version, bytes } = vault.seal(Buffer.from(secret), { userId: ownerId, rowId });
    return { key_version: version, sealed: bytes };
  };
  return db.transaction().execute(async (tx) => {
    const { id } = await withIdempotencyKey(tx, request, async () => {
      const rowId = randomUUID();
      await insertWebhook(tx, form, { ...request, id: rowId, ...sealFor(rowId) });
      return { id: rowId };
    });
    const row = await tx
      .updateTable("webhooks")
      .set(sealFor(id))
      .where("id", "=", id)
      .where("owner_id", "=", ownerId)
      .where("deleted_at", "is", null)
      .returning(columns)
      .executeTakeFirst();
    if (row === undefined) throw notFound();
    await publishEvent(bus, ownerId, "webhook.changed", { id }, tx);
    return { ...webhookOf(row), secret };
  });
}

async function insertWebhook(
  tx: Tx,
  { url, events, enabled }: WebhookCreate,
  { id, ownerId, at, key_version, sealed }: OwnedRef & { at: string; key_version: number; sealed: Buffer },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('webhooks'), hashtext(${ownerId}))`.execute(tx);
  const { n } = await tx
    .selectFrom("webhooks")
    .select(({ fn }) => fn.countAll<string>().as("n"))
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  if (Number(n) >= WEBHOOKS_MAX) throw refuse(409, "too_many_webhooks", { limit: WEBHOOKS_MAX });
  await tx
    .insertInto("webhooks")
    .values({ id, owner_id: ownerId, url, events, is_enabled: enabled, key_version, sealed, created_at: at })
    .execute();
}

/**
 * Changes a webhook. Disabling it drops its waiting deliveries. Enabled again, it receives only new events.
 * @throws ProblemError 404
 */
export function changeWebhook(
  { db, bus, clock }: WriteDeps,
  { ownerId, id }: OwnedRef,
  { url, events, enabled }: WebhookPatch,
): Promise<Webhook> {
  return db.transaction().execute(async (tx) => {
    // Locked, because a worker may be disabling it. Its old deliveries must not be sent once it is enabled again.
    const before = await requireWebhook(tx, { ownerId, id }, { isLocked: true });
    const resetsFailures = url !== undefined || enabled !== undefined;
    const { rows } = await sql<Row>`
      update webhooks w set url = coalesce(${url ?? null}, w.url), events = coalesce(${events ?? null}::text[], w.events),
        is_enabled = coalesce(${enabled ?? null}::boolean, w.is_enabled),
        disabled_reason = case when ${enabled ?? false}::boolean then null else w.disabled_reason end,
        failing_since = case when ${resetsFailures}::boolean then null else w.failing_since end,
        failures = case when ${resetsFailures}::boolean then 0 else w.failures end
      where w.id = ${id}::uuid and w.owner_id = ${ownerId}::uuid and w.deleted_at is null
      returning ${sql.join(columns.map((column) => sql.ref(`w.${column}`)))}`.execute(tx);
    const row = rows[0];
    if (row === undefined) throw notFound();
    if (enabled === true && !before.is_enabled) while (await giveUpSwitchedOff(tx, id, clock.iso()));
    if (enabled === false) await giveUpSwitchedOff(tx, id, clock.iso());
    await bus.publish("webhook.ready", { webhook_id: id }, tx);
    await publishEvent(bus, ownerId, "webhook.changed", { id }, tx);
    return webhookOf(row);
  });
}

/** Deletes a webhook. Nothing more is delivered, and past deliveries are erased soon. @throws ProblemError 404 */
export function removeWebhook({ db, bus, clock }: WriteDeps, { ownerId, id }: OwnedRef): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("webhooks")
      .set({ deleted_at: clock.iso(), is_enabled: false })
      .where("id", "=", id)
      .where("owner_id", "=", ownerId)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw notFound();
    await publishEvent(bus, ownerId, "webhook.changed", { id }, tx);
  });
}

type DeliveryRow = {
  id: string;
  type: string;
  data: Record<string, unknown>;
  event_at: string;
  key: string;
  at: string;
  state: WebhookDelivery["state"];
  attempts: number;
  next_try_at: string;
  status: number | null;
  error: string | null;
  replay_of: string | null;
};

const deliveryColumns = sql`d.id, e.type, e.data, e.at as event_at, e.key, d.at, d.state, d.attempts, d.next_try_at, d.status, d.error, d.replay_of`;

const deliveryOf = ({ type, data, event_at, key, next_try_at, ...row }: DeliveryRow): WebhookDelivery => ({
  ...row,
  ...reasonFields("error", row.error),
  event: type,
  event_id: key,
  next_try_at: row.state === "failed" ? next_try_at : null,
  body: bodyOf({ type, data, at: event_at }),
});

/** Returns a webhook's deliveries, newest first. @throws ProblemError 404 */
export async function listDeliveries(
  db: Db,
  { ownerId, id }: OwnedRef,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<DeliveryPage> {
  await requireWebhook(db, { ownerId, id });
  const { rows } = await sql<DeliveryRow>`
    select ${deliveryColumns} from webhook_deliveries d join webhook_events e on e.id = d.event_id
    where d.webhook_id = ${id}::uuid and (${before ?? null}::bigint is null or d.id < ${before ?? null}::bigint)
    order by d.id desc limit ${limit + 1}`.execute(db);
  const items = rows.slice(0, limit).map(deliveryOf);
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

async function requireWebhook(
  db: DbOrTx,
  { ownerId, id }: OwnedRef,
  { isLocked = false } = {},
): Promise<{ is_enabled: boolean }> {
  const row = await db
    .selectFrom("webhooks")
    .select("is_enabled")
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .$if(isLocked, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

/** @throws ProblemError 409 when it is disabled */
function requireEnabled(webhook: { is_enabled: boolean }): void {
  if (!webhook.is_enabled) throw refuse(409, "webhook_disabled");
}

/**
 * Delivers an event again, outside the order of its lead.
 * @returns the new delivery
 * @throws ProblemError 404, 409 when the webhook is disabled
 */
export function replayDelivery(
  deps: WriteDeps,
  { id, deliveryId }: { id: string; deliveryId: string },
  request: KeyedRequest,
): Promise<WebhookDelivery> {
  return order(deps, id, request, async (tx, at) => {
    // Erasing locks an event before its deliveries; the same order here avoids a deadlock.
    const { rows } = await sql<{ id: string }>`
      with event as (
        select d.* from webhook_deliveries d join webhook_events e on e.id = d.event_id
        where d.id = ${deliveryId}::bigint and d.webhook_id = ${id}::uuid
        for key share of d for key share of e skip locked
      )
      insert into webhook_deliveries (owner_id, webhook_id, event_id, at, replay_of)
      select owner_id, webhook_id, event_id, ${at}::timestamptz, id from event returning id`.execute(tx);
    return rows[0];
  });
}

/** Delivers a test event. @throws as `replayDelivery` */
export function testWebhook(deps: WriteDeps, id: string, request: KeyedRequest): Promise<WebhookDelivery> {
  return order(deps, id, request, async (tx, at) => {
    const { rows } = await sql<{ id: string }>`
      with told as (
        insert into webhook_events (owner_id, type, data, at)
        select owner_id, ${WEBHOOK_TEST}, jsonb_build_object('webhook_id', id), ${at}::timestamptz from webhooks where id = ${id}::uuid
        returning id, owner_id
      )
      insert into webhook_deliveries (owner_id, webhook_id, event_id, at)
      select owner_id, ${id}::uuid, id, ${at}::timestamptz from told returning id`.execute(tx);
    return rows[0];
  });
}

function order(
  { db, bus }: WriteDeps,
  id: string,
  request: KeyedRequest,
  write: (tx: Tx, at: string) => Promise<{ id: string } | undefined>,
): Promise<WebhookDelivery> {
  const { ownerId, at } = request;
  return db.transaction().execute(async (tx) => {
    requireEnabled(await requireWebhook(tx, { ownerId, id }));
    const { id: deliveryId } = await withIdempotencyKey(tx, request, async () => {
      const made = await write(tx, at);
      if (made === undefined) throw notFound();
      return made;
    });
    await bus.publish("webhook.ready", { webhook_id: id }, tx);
    await publishEvent(bus, ownerId, "webhook.changed", { id }, tx);
    const { rows } = await sql<DeliveryRow>`select ${deliveryColumns}
      from webhook_deliveries d join webhook_events e on e.id = d.event_id where d.id = ${deliveryId}::bigint`.execute(
      tx,
    );
    const row = rows[0];
    if (row === undefined) throw notFound();
    return deliveryOf(row);
  });
}
