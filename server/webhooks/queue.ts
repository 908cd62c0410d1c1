import { sql, type RawBuilder } from "kysely";
import { storedReason } from "../../domain/stored-reasons.ts";
import { WEBHOOK_ACCESS_WAIT_DAYS, WEBHOOK_IN_FLIGHT_MAX, WEBHOOK_WAITS } from "../../domain/webhook.ts";
import { audit } from "../core/audit.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { Db, DbOrTx, Tx } from "../db/index.ts";
import type { DeliveredEvent } from "./body.ts";
import type { PostOutcome } from "./post.ts";

/** Longer than a receiver may take to answer: after that, another process delivers what a killed one had claimed. */
const LEASE_SECONDS = 15;
const GIVEN_UP_AT_ONCE = 1_000;
const GIVEN_UP_WITH_IT = storedReason("webhook_off_before");
const DROPPED = storedReason("delivery_dropped", { days: WEBHOOK_ACCESS_WAIT_DAYS });
/** Clocks of two hosts may differ by so much. */
const SKEW_SECONDS = 1;
const WAITS_IN_ALL_MS = WEBHOOK_WAITS.reduce((sum, seconds) => sum + seconds, 0) * 1_000;

/** A webhook with deliveries that are not settled. `at` is when the earliest is to be tried, `attempts` how often it was. */
export type OpenWebhook = {
  id: string;
  ownerId: string;
  url: string;
  keyVersion: number;
  sealed: Uint8Array;
  isEnabled: boolean;
  isFailing: boolean;
  at: number;
  attempts: number;
};
/** A delivery to make now. `attempts` counts those before. */
export type DueDelivery = { id: string; webhookId: string; attempts: number; eventKey: string; event: DeliveredEvent };
export type Tried = { delivery: DueDelivery; outcome: PostOutcome };
export type DeliveryState = "delivered" | "failed" | "given_up";

/**
 * Returns the webhooks with open deliveries whose owners have access, and those that are switched off, in the order of their ids. Reads one
 * index entry for each, however many deliveries wait.
 */
export async function findOpen({ db, clock }: Pick<Deps, "db" | "clock">): Promise<OpenWebhook[]> {
  const { rows } = await sql<OpenWebhook>`
    with recursive open as (
      (select webhook_id, next_try_at, attempts from webhook_deliveries where settled_at is null
        order by webhook_id, next_try_at, id limit 1)
      union all
      select n.* from open cross join lateral (
        select webhook_id, next_try_at, attempts from webhook_deliveries d where d.settled_at is null and d.webhook_id > open.webhook_id
        order by d.webhook_id, d.next_try_at, d.id limit 1) n
    )
    select w.id, w.owner_id as "ownerId", w.url, w.key_version as "keyVersion", w.sealed, w.is_enabled as "isEnabled",
      w.failing_since is not null as "isFailing", extract(epoch from open.next_try_at)::float8 * 1000 as at, open.attempts
    from open join webhooks w on w.id = open.webhook_id
    where w.deleted_at is null and (not w.is_enabled or public.has_access(w.owner_id, ${clock.iso()}::timestamptz))
    order by w.id`.execute(db);
  return rows;
}

/** Returns how many deliveries a webhook may have in flight: one while it fails, so that a receiver that hangs holds few connections. */
export const slotsOf = ({ isFailing }: Pick<OpenWebhook, "isFailing">): number =>
  isFailing ? 1 : WEBHOOK_IN_FLIGHT_MAX;

/** Claims what is due of these webhooks: of each lead only the first delivery that is not settled, of each webhook what its slots allow. */
export function claimDue(
  { db, clock }: Pick<Deps, "db" | "clock">,
  webhookIds: readonly string[],
): Promise<DueDelivery[]> {
  return db.transaction().execute(async (tx) => {
    // One process at a time claims for a webhook, so that all together keep to its slots.
    const locked = await sql<{ id: string }>`select id from webhooks
      where id = any(${webhookIds}::uuid[]) and is_enabled and deleted_at is null for no key update skip locked`.execute(
      tx,
    );
    const { rows } = await sql<
      { id: string; webhookId: string; attempts: number; eventKey: string | null } & DeliveredEvent
    >`
      with due as (
        select d.id, d.event_id from webhooks w cross join lateral (
          select d.id, d.event_id from webhook_deliveries d
          where d.webhook_id = w.id and d.settled_at is null and d.next_try_at <= ${clock.iso()}::timestamptz
            and (d.lease_until is null or d.lease_until < clock_timestamp())
            and not exists (select from webhook_deliveries e
              where e.webhook_id = d.webhook_id and e.lead_id = d.lead_id and e.settled_at is null and e.id < d.id)
          order by d.next_try_at, d.id
          limit greatest(0, case when w.failing_since is null then ${WEBHOOK_IN_FLIGHT_MAX}::int else 1 end
            - (select count(*) from webhook_deliveries f where f.webhook_id = w.id and f.lease_until >= clock_timestamp()))
          for update skip locked
        ) d where w.id = any(${locked.rows.map(({ id }) => id)}::uuid[])
      )
      update webhook_deliveries d set lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      from due left join webhook_events e on e.id = due.event_id where d.id = due.id
      returning d.id, d.webhook_id as "webhookId", d.attempts, e.key as "eventKey", e.type, e.data, e.at`.execute(tx);
    // An event is erased with its lead, and there is nothing left to deliver.
    const erased = rows.filter(({ eventKey }) => eventKey === null).map(({ id }) => id);
    if (erased.length > 0) await sql`delete from webhook_deliveries where id = any(${erased}::bigint[])`.execute(tx);
    return rows.flatMap(({ type, data, at, eventKey, ...row }) =>
      eventKey === null ? [] : [{ ...row, eventKey, event: { type, data, at } }],
    );
  });
}

/** Returns what a delivery is after an attempt. */
export const stateAfter = ({ delivery, outcome }: Tried): DeliveryState => {
  if (outcome.error === null) return "delivered";
  return WEBHOOK_WAITS[delivery.attempts] === undefined ? "given_up" : "failed";
};

/**
 * Stores the results of attempts. A failed delivery is tried again after its wait; those behind it of the same lead wait as long. A webhook
 * whose receiver has accepted nothing for all the waits of a delivery is switched off.
 */
export function settle(deps: Pick<Deps, "db" | "bus" | "clock">, tried: readonly Tried[]): Promise<void> {
  const now = deps.clock.now();
  const at = deps.clock.iso();
  const results = tried.map((one) => {
    const state = stateAfter(one);
    const wait = (WEBHOOK_WAITS[one.delivery.attempts] ?? 0) * 1_000;
    const { status, error } = one.outcome;
    return { id: one.delivery.id, state, status, error, next: state === "failed" ? new Date(now + wait) : null };
  });
  const webhookIds = tried.map(({ delivery }) => delivery.webhookId);
  return deps.db.transaction().execute(async (tx) => {
    // In one order, so that two processes do not wait for each other.
    await sql`select id from webhooks where id = any(${webhookIds}::uuid[]) order by id for no key update`.execute(tx);
    const { rows } = await sql<{ id: string; owner_id: string; failures: number; since: string; error: string }>`
      with result as (
        select * from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) r (id bigint, state text, status int, error text, next timestamptz)
      ), settled as (
        update webhook_deliveries d set state = r.state, attempts = d.attempts + 1, status = r.status, error = r.error, lease_until = null,
          next_try_at = coalesce(r.next, d.next_try_at), settled_at = case when r.next is null then ${at}::timestamptz end
        from result r where d.id = r.id and d.settled_at is null returning d.*
      ), behind as (
        update webhook_deliveries d set next_try_at = s.next_try_at from settled s
        where s.state = 'failed' and d.webhook_id = s.webhook_id and d.lead_id = s.lead_id and d.settled_at is null and d.id > s.id
      ), receiver as (
        select webhook_id, bool_or(state = 'delivered') as accepts, count(*)::int as n, max(error) as error from settled group by webhook_id
      )
      update webhooks w set failures = case when r.accepts then 0 else w.failures + r.n end,
        failing_since = case when r.accepts then null else coalesce(w.failing_since, ${at}::timestamptz) end
      from receiver r where w.id = r.webhook_id and (w.failing_since is not null or not r.accepts)
      returning w.id, w.owner_id, w.failures, w.failing_since as since, r.error`.execute(tx);
    for (const { id, owner_id: ownerId, failures, since, error } of rows)
      if (failures > WEBHOOK_WAITS.length && now - Date.parse(since) >= WAITS_IN_ALL_MS)
        await switchOff(tx, deps, { id, ownerId }, storedReason("nothing_delivered", { last: error }));
  });
}

async function switchOff(
  tx: Tx,
  { bus, clock }: Pick<Deps, "bus" | "clock">,
  { id, ownerId }: Pick<OpenWebhook, "id" | "ownerId">,
  reason: string,
): Promise<void> {
  const { numAffectedRows } =
    await sql`update webhooks set is_enabled = false, disabled_reason = ${reason}, failing_since = null
    where id = ${id}::uuid and is_enabled`.execute(tx);
  if (Number(numAffectedRows ?? 0) === 0) return;
  await audit(tx, { userId: ownerId, action: "webhook_disabled", at: clock.iso(), detail: { webhook_id: id } });
  await bus.publish("webhook.ready", { webhook_id: id }, tx);
  await publishEvent(bus, ownerId, "webhook.changed", { id }, tx);
}

/** Gives up some open deliveries of a webhook that was switched off. @returns whether there may be more */
export const giveUpSwitchedOff = (db: DbOrTx, webhookId: string, at: string): Promise<boolean> =>
  giveUp(db, { webhookId, at, which: sql`true`, error: sql`coalesce(error, ${GIVEN_UP_WITH_IT})` });

/** Gives up some deliveries of a webhook that waited too long for access. @returns whether there may be more */
export const giveUpExpired = (db: DbOrTx, webhookId: string, now: number): Promise<boolean> =>
  giveUp(db, {
    webhookId,
    at: new Date(now).toISOString(),
    which: sql`at < ${new Date(now - WEBHOOK_ACCESS_WAIT_DAYS * 86_400_000).toISOString()}::timestamptz`,
    error: sql`${DROPPED}`,
  });

async function giveUp(
  db: DbOrTx,
  {
    webhookId,
    at,
    which,
    error,
  }: { webhookId: string; at: string; which: RawBuilder<unknown>; error: RawBuilder<unknown> },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set state = 'given_up', lease_until = null, settled_at = ${at}::timestamptz, error = ${error}
    where id = any(array(select id from webhook_deliveries where webhook_id = ${webhookId}::uuid and settled_at is null and ${which}
      order by id limit ${GIVEN_UP_AT_ONCE}))`.execute(db);
  return Number(numAffectedRows ?? 0) === GIVEN_UP_AT_ONCE;
}

/** Ends the leases of deliveries that were not made: of these, or of all. */
export const releaseLeases = (db: Db, ids: readonly string[] | null): Promise<unknown> =>
  sql`update webhook_deliveries set lease_until = null
    where lease_until is not null and (${ids}::bigint[] is null or id = any(${ids}::bigint[]))`.execute(db);

const waitSeconds = (attempts: number): number => WEBHOOK_WAITS[attempts - 1] ?? 0;

/** Whether a delivery waits longer than its attempts allow: the clock that set its time was set back since. */
export const waitsByOtherClock = ({ at, attempts }: OpenWebhook, now: number): boolean =>
  at > now + (waitSeconds(attempts) + SKEW_SECONDS) * 1_000;

/** Makes those of a webhook's deliveries due that wait longer than their attempts allow. */
export const shortenWaits = (db: Db, webhookId: string, at: string): Promise<unknown> =>
  sql`with failing as (
      update webhooks set failing_since = least(failing_since, ${at}::timestamptz) where id = ${webhookId}::uuid and failing_since is not null
    )
    update webhook_deliveries set next_try_at = ${at}::timestamptz where webhook_id = ${webhookId}::uuid and settled_at is null
      and next_try_at > ${at}::timestamptz + make_interval(secs => coalesce((${WEBHOOK_WAITS}::int[])[attempts], 0) + ${SKEW_SECONDS})`.execute(
    db,
  );
