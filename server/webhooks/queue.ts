import { sql } from "kysely";
import { WEBHOOK_ACCESS_WAIT_DAYS, WEBHOOK_WAITS } from "../../domain/webhook.ts";
import { audit } from "../core/audit.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { Sealed } from "../core/vault.ts";
import type { Db, Tx } from "../db/index.ts";
import type { ToldEvent } from "./body.ts";
import type { PostOutcome } from "./post.ts";

type QueueDeps = Pick<Deps, "db" | "bus" | "clock">;

/** After that, another process takes over the deliveries of one that was killed. */
const LEASE_SECONDS = 10;
/** Rows that are looked at, and given up, by one statement. */
const LOOKED_AT_ONCE = 64;
const GIVEN_UP_AT_ONCE = 1_000;
const GIVEN_UP_WITH_IT = "The webhook was switched off before this could be delivered.";
const DROPPED = `Dropped after ${WEBHOOK_ACCESS_WAIT_DAYS} days without an active subscription.`;
const WAITS_IN_ALL_MS = WEBHOOK_WAITS.reduce((sum, seconds) => sum + seconds, 0) * 1_000;

/** A webhook as its deliveries need it. */
export type Receiver = { id: string; ownerId: string; url: string; sealed: Sealed };
/** A delivery to be made now. `attempts` counts those before. */
export type DueDelivery = { id: string; attempts: number; eventKey: string; event: ToldEvent };
/** What a look at a webhook's deliveries gave; `isMore` asks for another look at once. */
export type Taken = { receiver: Receiver; due: DueDelivery[]; isMore: boolean };

/** `waitMs` is how long a failed delivery waits for its next try. */
export type Settled = { state: "delivered" | "failed" | "given_up"; waitMs: number | null };

type Row = {
  id: string;
  owner_id: string;
  url: string;
  is_enabled: boolean;
  key_version: number;
  sealed: Uint8Array;
  give_up_below: string | null;
  failing_delivery: string | null;
  is_taken_over: boolean;
  has_access: boolean;
};

/**
 * Takes a webhook's deliveries into one process's hands, or keeps them there, and gives those that are due: of each lead only the first that
 * is not settled. What was given to this process before stays out. While its owner has no access, nothing is due.
 * @returns null when another process has them, or the webhook is gone
 */
export function takeDue(
  { db, clock }: Pick<Deps, "db" | "clock">,
  ask: { webhookId: string; holder: string; inFlight: readonly string[]; most: number },
): Promise<Taken | null> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<Row>`
      with held as (
        select id, lease_owner from webhooks where id = ${ask.webhookId}::uuid and deleted_at is null
          and (lease_owner is null or lease_owner = ${ask.holder} or lease_until < clock_timestamp()) for no key update
      )
      update webhooks w set lease_owner = ${ask.holder}, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      from held where w.id = held.id
      returning w.id, w.owner_id, w.url, w.is_enabled, w.key_version, w.sealed, w.give_up_below, w.failing_delivery,
        held.lease_owner is distinct from ${ask.holder} as is_taken_over,
        public.has_access(w.owner_id, ${clock.iso()}::timestamptz) as has_access`.execute(tx);
    const webhook = rows[0];
    if (webhook === undefined) return null;
    const receiver = {
      id: webhook.id,
      ownerId: webhook.owner_id,
      url: webhook.url,
      sealed: { version: webhook.key_version, bytes: Buffer.from(webhook.sealed) },
    };
    if (!webhook.is_enabled || webhook.give_up_below !== null)
      if (await giveUpSome(tx, webhook, clock.iso())) return { receiver, due: [], isMore: true };
    if (!webhook.is_enabled || !webhook.has_access) return { receiver, due: [], isMore: false };
    if (webhook.is_taken_over) await unparkHeads(tx, webhook.id);
    return { receiver, ...(await dueOf(tx, { ...ask, first: webhook.failing_delivery }, clock.iso())) };
  });
}

/** Gives up what is of a time before the webhook was switched off. @returns whether there may be more of it */
async function giveUpSome(tx: Tx, webhook: Row, at: string): Promise<boolean> {
  const isOld = webhook.is_enabled ? sql`id < ${webhook.give_up_below}::bigint` : sql`true`;
  const { numAffectedRows } = await sql`
    update webhook_deliveries set state = 'given_up', is_parked = false, settled_at = ${at}::timestamptz, error = coalesce(error, ${GIVEN_UP_WITH_IT})
    where id = any(array(select id from webhook_deliveries where webhook_id = ${webhook.id}::uuid and settled_at is null and ${isOld}
      limit ${GIVEN_UP_AT_ONCE}))`.execute(tx);
  if (Number(numAffectedRows ?? 0) === GIVEN_UP_AT_ONCE) return true;
  if (webhook.is_enabled)
    await sql`update webhooks set give_up_below = null where id = ${webhook.id}::uuid`.execute(tx);
  return false;
}

/** What the process before had parked may have had its turn come while nobody looked. */
const unparkHeads = (tx: Tx, webhookId: string) =>
  sql`update webhook_deliveries d set is_parked = false where d.webhook_id = ${webhookId}::uuid and d.settled_at is null and d.is_parked
    and not exists (select from webhook_deliveries e where e.webhook_id = d.webhook_id and e.lead_id = d.lead_id and e.settled_at is null
      and e.id < d.id)`.execute(tx);

type DueRow = {
  /** null where everything that was looked at has to wait */
  id: string | null;
  attempts: number;
  key: string | null;
  type: string;
  data: Record<string, unknown>;
  at: string;
  looked: number;
};

/**
 * What waits for an earlier one of its lead is parked, so that it is looked at once and not at every look. What has not been tried comes
 * before what failed, but for the `first` that did.
 */
async function dueOf(
  tx: Tx,
  ask: { webhookId: string; inFlight: readonly string[]; most: number; first: string | null },
  at: string,
): Promise<Omit<Taken, "receiver">> {
  const { webhookId, inFlight, most, first } = ask;
  const isDue = sql`d.webhook_id = ${webhookId}::uuid and d.settled_at is null and not d.is_parked and d.next_try_at <= ${at}::timestamptz
    and d.id <> all(${inFlight}::bigint[])`;
  const { rows } = await sql<DueRow>`
    with found as (
      (select d.id from webhook_deliveries d where ${isDue} order by d.next_try_at, d.id limit ${LOOKED_AT_ONCE})
      union select d.id from webhook_deliveries d where d.id = ${first}::bigint and ${isDue}
    ), due as (
      select d.id, d.attempts, d.event_id, d.lead_id is not null and exists (
          select from webhook_deliveries e where e.webhook_id = d.webhook_id and e.lead_id = d.lead_id and e.settled_at is null and e.id < d.id
        ) as has_to_wait
      from found join webhook_deliveries d on d.id = found.id
    ), parked as (
      update webhook_deliveries p set is_parked = true from due where p.id = due.id and due.has_to_wait
    ), first as (
      select * from due where not has_to_wait order by id <> coalesce(${first}::bigint, 0), id limit ${most}
    )
    select first.id, first.attempts, e.key, e.type, e.data, e.at, looked.n as looked
    from (select count(*)::int as n from due) looked left join first on true left join webhook_events e on e.id = first.event_id
    where looked.n > 0 order by first.id`.execute(tx);
  const looked = rows[0]?.looked ?? 0;
  const due: DueDelivery[] = [];
  const erased: string[] = [];
  for (const { id, attempts, key, type, data, at: toldAt } of rows) {
    if (id === null) continue;
    if (key === null) erased.push(id);
    else due.push({ id, attempts, eventKey: key, event: { type, data, at: toldAt } });
  }
  // With its lead an event is erased, and there is nothing to deliver.
  if (erased.length > 0) await sql`delete from webhook_deliveries where id = any(${erased}::bigint[])`.execute(tx);
  return { due, isMore: due.length < most && looked >= LOOKED_AT_ONCE };
}

/**
 * Writes down what became of a try, in one transaction with what follows: the lead's next delivery has its turn, the next try has its
 * time, or the webhook is switched off, when nothing has reached the address for all the days of a delivery.
 */
export async function settleTry(
  deps: QueueDeps,
  receiver: Pick<Receiver, "id" | "ownerId">,
  delivery: Pick<DueDelivery, "id" | "attempts">,
  outcome: PostOutcome,
): Promise<Settled> {
  const isDelivered = outcome.error === null;
  const wait = WEBHOOK_WAITS[delivery.attempts];
  const state = isDelivered ? "delivered" : wait === undefined ? "given_up" : "failed";
  await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now();
    const at = deps.clock.iso();
    // With whoever looks for what is due, one after the other: what that one parks, this one sees.
    const { rows } = await sql<{ failing_since: string | null }>`
      select failing_since from webhooks where id = ${receiver.id}::uuid for no key update`.execute(tx);
    const webhook = rows[0];
    if (webhook === undefined) return;
    const nextTry = state === "failed" ? new Date(now + (wait ?? 0) * 1_000).toISOString() : null;
    const settled = await sql<{ lead_id: string | null }>`
      update webhook_deliveries set state = ${state}, attempts = attempts + 1, status = ${outcome.status}::int, error = ${outcome.error},
        next_try_at = coalesce(${nextTry}::timestamptz, next_try_at), settled_at = ${state === "failed" ? null : at}::timestamptz
      where id = ${delivery.id}::bigint and settled_at is null returning lead_id`.execute(tx);
    const leadId = settled.rows[0]?.lead_id ?? null;
    if (state !== "failed" && leadId !== null) await unparkNext(tx, receiver.id, leadId);
    if (isDelivered && webhook.failing_since !== null)
      await sql`update webhooks set failing_since = null, failing_delivery = null where id = ${receiver.id}::uuid`.execute(
        tx,
      );
    if (!isDelivered && webhook.failing_since === null)
      await sql`update webhooks set failing_since = ${at}::timestamptz, failing_delivery = ${delivery.id}::bigint where id = ${receiver.id}::uuid`.execute(
        tx,
      );
    const since = webhook.failing_since === null ? now : Date.parse(webhook.failing_since);
    if (state === "given_up" && now - since >= WAITS_IN_ALL_MS) await switchOff(tx, deps, receiver, outcome);
  });
  return { state, waitMs: state === "failed" ? (wait ?? 0) * 1_000 : null };
}

const unparkNext = (tx: Tx, webhookId: string, leadId: string) =>
  sql`update webhook_deliveries set is_parked = false where id = (
    select id from webhook_deliveries where webhook_id = ${webhookId}::uuid and lead_id = ${leadId}::uuid and settled_at is null
    order by id limit 1) and is_parked`.execute(tx);

async function switchOff(
  tx: Tx,
  { bus, clock }: QueueDeps,
  { id, ownerId }: Pick<Receiver, "id" | "ownerId">,
  { error }: PostOutcome,
): Promise<void> {
  const reason = `Switched off: nothing could be delivered for three days. ${error ?? ""}`.trim();
  const { numAffectedRows } =
    await sql`update webhooks set is_enabled = false, disabled_reason = ${reason}, failing_since = null
    where id = ${id}::uuid and is_enabled`.execute(tx);
  if (Number(numAffectedRows ?? 0) === 0) return;
  await audit(tx, { userId: ownerId, action: "webhook_disabled", at: clock.iso(), detail: { webhook_id: id } });
  await bus.publish("webhook.ready", { webhook_id: id }, tx);
  await publishEvent(bus, ownerId, "webhook.changed", { id }, tx);
}

/**
 * Drops the oldest deliveries of a webhook that waited too long for access, and lets the next one of each lead have its turn.
 * @returns whether there may be more
 */
export async function dropExpired(tx: Tx, webhookId: string, now: number): Promise<boolean> {
  const before = new Date(now - WEBHOOK_ACCESS_WAIT_DAYS * 86_400_000).toISOString();
  await sql`select from webhooks where id = ${webhookId}::uuid for no key update`.execute(tx);
  const { numAffectedRows } = await sql`
    update webhook_deliveries set state = 'given_up', is_parked = false, settled_at = ${new Date(now).toISOString()}::timestamptz, error = ${DROPPED}
    where id = any(array(select id from webhook_deliveries where webhook_id = ${webhookId}::uuid and settled_at is null
      and at < ${before}::timestamptz order by id limit ${GIVEN_UP_AT_ONCE}))`.execute(tx);
  const dropped = Number(numAffectedRows ?? 0);
  if (dropped > 0) await unparkHeads(tx, webhookId);
  return dropped === GIVEN_UP_AT_ONCE;
}

/** Prolongs this process's hold on webhooks whose receivers have not answered yet. */
export const keepHold = (db: Db, holder: string, webhookIds: readonly string[]) =>
  sql`update webhooks set lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where id = any(${webhookIds}::uuid[]) and lease_owner = ${holder}`.execute(db);

/** Lets others take what this process held. */
export const letGo = (db: Db, holder: string) =>
  sql`update webhooks set lease_owner = null, lease_until = null where lease_owner = ${holder}`.execute(db);

/** A webhook with something to deliver: when its earliest is to be tried, and how often it was. */
export type Due = { webhookId: string; at: number; attempts: number };

/**
 * The webhooks with something to deliver whose owners have access and that no other process holds, each with its earliest: by one look
 * into an index for each of them, however many deliveries wait.
 */
export async function findDue({ db, clock }: Pick<Deps, "db" | "clock">, holder: string): Promise<Due[]> {
  const { rows } = await sql<{ webhook_id: string; at: string; attempts: number }>`
    with recursive open as (
      (select webhook_id, next_try_at, attempts from webhook_deliveries where settled_at is null and not is_parked
        order by webhook_id, next_try_at, id limit 1)
      union all
      select n.* from open cross join lateral (
        select webhook_id, next_try_at, attempts from webhook_deliveries d where d.settled_at is null and not d.is_parked and d.webhook_id > open.webhook_id
        order by d.webhook_id, d.next_try_at, d.id limit 1) n
    )
    select open.webhook_id, open.next_try_at as at, open.attempts from open join webhooks w on w.id = open.webhook_id
    where w.deleted_at is null and public.has_access(w.owner_id, ${clock.iso()}::timestamptz) and (w.lease_owner is null or w.lease_owner = ${holder} or w.lease_until < clock_timestamp())`.execute(
    db,
  );
  return rows.map((row) => ({
    webhookId: row.webhook_id,
    at: row.at === "-infinity" ? -Infinity : Date.parse(row.at),
    attempts: row.attempts,
  }));
}

/** Clocks of two hosts may differ by so much. */
const SKEW_MS = 1_000;

/** Whether a delivery waits longer than so many tries make it wait: its time was counted by a clock that was set back since. */
export const waitsByOtherClock = ({ at, attempts }: Due, now: number): boolean =>
  at > now + (WEBHOOK_WAITS[attempts - 1] ?? 0) * 1_000 + SKEW_MS;

/** Lets none of a webhook's deliveries wait longer than its tries make it wait from now on. */
export const shortenWaits = (db: Db, webhookId: string, now: number): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const at = new Date(now).toISOString();
    await sql`update webhooks set failing_since = case when failing_since is not null then least(failing_since, ${at}::timestamptz) end
      where id = ${webhookId}::uuid`.execute(tx);
    await sql`
      update webhook_deliveries d set next_try_at = longest.at
      from (select n as attempts, ${at}::timestamptz + make_interval(secs => (${WEBHOOK_WAITS}::int[])[n]) as at
        from generate_series(1, ${WEBHOOK_WAITS.length}::int) n) longest
      where d.webhook_id = ${webhookId}::uuid and d.settled_at is null and d.attempts = longest.attempts
        and d.next_try_at > longest.at`.execute(tx);
  });
