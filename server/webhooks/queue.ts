import { sql, type RawBuilder } from "kysely";
import { storedReason } from "../../domain/stored-reasons.ts";
import { WEBHOOK_ACCESS_WAIT_DAYS, WEBHOOK_IN_FLIGHT_MAX, WEBHOOK_WAITS } from "../../domain/webhook.ts";
import { audit } from "../core/audit.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import type { DeliveredEvent } from "./body.ts";
import type { PostOutcome } from "./post.ts";

/** Longer than the timeout of a request. After it, another process delivers what a killed one had claimed. */
const LEASE_SECONDS = 15;
const GIVEN_UP_AT_ONCE = 1_000;
const SWITCHED_OFF = sql`coalesce(error, ${storedReason("webhook_off_before")})`;
/** Checked again by the statement that drops deliveries, because a webhook enabled in the meantime has new ones. */
const isOff = (id: string) => sql`exists (select from webhooks where id = ${id}::uuid and not is_enabled)`;
const DROPPED = storedReason("delivery_dropped", { days: WEBHOOK_ACCESS_WAIT_DAYS });
/** How much the clocks of two hosts may differ. */
const SKEW_SECONDS = 1;
const WAITS_IN_ALL_MS = WEBHOOK_WAITS.reduce((sum, seconds) => sum + seconds, 0) * 1_000;

type OpenWebhook = { id: string; isEnabled: boolean; isFailing: boolean; isDue: boolean; isLate: boolean };
/** A due delivery and its receiver. `attempts` counts earlier attempts. */
export type DueDelivery = DeliveredEvent & {
  id: string;
  webhookId: string;
  ownerId: string;
  url: string;
  keyVersion: number;
  sealed: Uint8Array;
  isFailing: boolean;
  attempts: number;
  eventKey: string;
};
export type DeliveryState = "delivered" | "failed" | "given_up";

/**
 * Returns the webhooks with open deliveries whose owners have access, and disabled ones, whose deliveries it drops. Reads one index entry for
 * each webhook. A delivery with a longer wait than its attempts allow becomes due: the clock was set back after its time was set.
 */
export async function sweepOpenWebhooks({ db, clock }: Pick<Deps, "db" | "clock">): Promise<OpenWebhook[]> {
  const now = sql`${clock.iso()}::timestamptz`;
  const isLate = sql`next_try_at > ${now} + make_interval(secs => coalesce((${WEBHOOK_WAITS}::int[])[attempts], 0) + ${SKEW_SECONDS})`;
  const { rows } = await sql<OpenWebhook>`
    with recursive open as (
      (select webhook_id, next_try_at, attempts from webhook_deliveries where settled_at is null
        order by webhook_id, next_try_at, id limit 1)
      union all
      select n.* from open cross join lateral (
        select webhook_id, next_try_at, attempts from webhook_deliveries d where d.settled_at is null and d.webhook_id > open.webhook_id
        order by d.webhook_id, d.next_try_at, d.id limit 1) n
    )
    select w.id, w.is_enabled as "isEnabled", w.failing_since is not null as "isFailing",
      next_try_at <= ${now} or ${isLate} as "isDue", ${isLate} as "isLate"
    from open join webhooks w on w.id = open.webhook_id
    where w.deleted_at is null and (not w.is_enabled or public.has_access(w.owner_id, ${now}))`.execute(db);
  for (const { id, isEnabled, isLate: hasLate } of rows) {
    // oxlint-disable no-await-in-loop -- however many there are, a statement changes one webhook's deliveries
    if (!isEnabled) await giveUp(db, clock.iso(), sql`webhook_id = ${id}::uuid and ${isOff(id)}`, SWITCHED_OFF);
    else if (hasLate)
      await sql`update webhook_deliveries set next_try_at = ${now}
        where webhook_id = ${id}::uuid and settled_at is null and ${isLate}`.execute(db);
    // oxlint-enable no-await-in-loop
  }
  return rows;
}

/** Claims due deliveries of these webhooks: for each lead only the oldest unsettled one, for each webhook as many as may be in flight. */
export function claimDue(
  { db, clock }: Pick<Deps, "db" | "clock">,
  webhookIds: readonly string[],
): Promise<DueDelivery[]> {
  const now = sql`${clock.iso()}::timestamptz`;
  return db.transaction().execute(async (tx) => {
    // One process at a time claims for a webhook, to respect its limit over all processes.
    const { rows: locked } = await sql<{ id: string }>`
      select id from webhooks where id = any(${webhookIds}::uuid[]) and is_enabled and deleted_at is null
        and public.has_access(owner_id, ${now}) for no key update skip locked`.execute(tx);
    const { rows: due } = await sql<DueDelivery>`
      with due as (
        select w.owner_id, w.url, w.key_version, w.sealed, w.failing_since, d.* from webhooks w cross join lateral (
          select d.id, e.key as event_key, e.type, e.data, e.at
          from webhook_deliveries d join webhook_events e on e.id = d.event_id
          where d.webhook_id = w.id and d.settled_at is null and d.next_try_at <= ${now}
            and (d.lease_until is null or d.lease_until < clock_timestamp())
            and not exists (select from webhook_deliveries e
              where e.webhook_id = d.webhook_id and e.lead_id = d.lead_id and e.settled_at is null and e.id < d.id)
          order by d.next_try_at, d.id
          limit greatest(0, case when w.failing_since is null then ${WEBHOOK_IN_FLIGHT_MAX}::int else 1 end
            - (select count(*) from webhook_deliveries f where f.webhook_id = w.id and f.lease_until >= clock_timestamp()))
          for update of d skip locked
        ) d where w.id = any(${locked.map(({ id }) => id)}::uuid[])
      )
      update webhook_deliveries d set lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      from due where d.id = due.id
      returning d.id, d.webhook_id as "webhookId", due.owner_id as "ownerId", due.url, due.key_version as "keyVersion", due.sealed,
        due.failing_since is not null as "isFailing", d.attempts, due.event_key as "eventKey", due.type, due.data, due.at`.execute(
      tx,
    );
    return due;
  });
}

/**
 * Stores the results of attempts. A failed delivery is retried after a wait, and later ones of the same lead wait for it. A webhook is
 * disabled when its receiver accepted nothing during all retries of a delivery.
 */
export async function settle(
  deps: Pick<Deps, "db" | "bus" | "clock">,
  tried: readonly (readonly [DueDelivery, PostOutcome])[],
): Promise<{ delivery: DueDelivery; state: DeliveryState }[]> {
  const now = deps.clock.now();
  const at = deps.clock.iso();
  const settled = tried.map(([delivery, { error }]) => {
    const wait = error === null ? undefined : WEBHOOK_WAITS[delivery.attempts];
    const next = wait === undefined ? null : new Date(now + wait * 1_000);
    const state: DeliveryState = error === null ? "delivered" : next === null ? "given_up" : "failed";
    return { delivery, state, next };
  });
  const results = settled.map(({ delivery, ...result }, place) => ({
    ...tried[place]?.[1],
    id: delivery.id,
    ...result,
  }));
  const webhookIds = tried.map(([{ webhookId }]) => webhookId);
  await deps.db.transaction().execute(async (tx) => {
    // Locked in a fixed order to avoid deadlocks.
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
        failing_since = case when r.accepts then null else least(w.failing_since, ${at}::timestamptz) end
      from receiver r where w.id = r.webhook_id and (w.failing_since is not null or not r.accepts)
      returning w.id, w.owner_id, w.failures, w.failing_since as since, r.error`.execute(tx);
    for (const { id, owner_id: ownerId, failures, since, error } of rows)
      if (failures > WEBHOOK_WAITS.length && now - Date.parse(since) >= WAITS_IN_ALL_MS)
        await switchOff(tx, deps, { id, ownerId }, storedReason("nothing_delivered", { last: error }));
  });
  return settled;
}

async function switchOff(
  tx: Tx,
  { bus, clock }: Pick<Deps, "bus" | "clock">,
  { id, ownerId }: { id: string; ownerId: string },
  reason: string,
): Promise<void> {
  const { numAffectedRows } =
    await sql`update webhooks set is_enabled = false, disabled_reason = ${reason}, failing_since = null
    where id = ${id}::uuid and is_enabled`.execute(tx);
  if (Number(numAffectedRows ?? 0) === 0) return;
  await audit(tx, { userId: ownerId, action: "webhook_disabled", at: clock.iso(), detail: { webhook_id: id } });
  await giveUpSwitchedOff(tx, id, clock.iso());
  await publishEvent(bus, ownerId, "webhook.changed", { id }, tx);
}

/** Drops some open deliveries of a webhook that this transaction has switched off or on. @returns whether there may be more */
export const giveUpSwitchedOff = (tx: Tx, webhookId: string, at: string): Promise<boolean> =>
  giveUp(tx, at, sql`webhook_id = ${webhookId}::uuid`, SWITCHED_OFF);

/** Drops some deliveries of a webhook that waited too long for access. @returns whether there may be more */
export const giveUpExpired = (db: DbOrTx, webhookId: string, now: number): Promise<boolean> => {
  const before = new Date(now - WEBHOOK_ACCESS_WAIT_DAYS * 86_400_000).toISOString();
  const which = sql`webhook_id = ${webhookId}::uuid and at < ${before}::timestamptz`;
  return giveUp(db, new Date(now).toISOString(), which, sql`${DROPPED}`);
};

async function giveUp(
  db: DbOrTx,
  at: string,
  which: RawBuilder<unknown>,
  error: RawBuilder<unknown>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set state = 'given_up', lease_until = null, settled_at = ${at}::timestamptz, error = ${error}
    where id = any(array(select id from webhook_deliveries where settled_at is null and ${which}
      order by id limit ${GIVEN_UP_AT_ONCE} for no key update skip locked))`.execute(db);
  return Number(numAffectedRows ?? 0) === GIVEN_UP_AT_ONCE;
}
