import { sql } from "kysely";
import { OPTED_OUT, PEER_NOT_KNOWN } from "../../domain/send-outcome.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { Tx } from "../db/index.ts";
import type { OutboxKind } from "../db/tables/outbox.ts";
import { nextIsBefore } from "../lead-rows/step-places.ts";
import { EXCERPT_CHARS } from "./fold.ts";
import { countTarget } from "./job-counts.ts";
import { publishReply } from "./reply-state.ts";

type SettleDeps = Pick<Deps, "bus" | "clock">;
export type Target = { id: string; ownerId: string; kind: OutboxKind; leadId: string | null; jobId: string | null };

/** True for what the user just sent and is watching: its failure is reported, and it is sent even while Telegram limits the account. */
export const isUserInitiated = (kind: OutboxKind): boolean => kind === "reply" || kind === "manual";

/**
 * Settles a row whose lead cannot be messaged, without retry: counts it as skipped and flags the lead until it writes. A lead that is only
 * unknown to the connected account is not flagged (see `resetReachability`), nor is one that opted out.
 */
export async function settleSkipped(
  tx: Tx,
  deps: SettleDeps,
  target: Target,
  reason: string,
  at: string,
): Promise<void> {
  const state = isUserInitiated(target.kind) || target.kind === "reminder" ? "failed" : "skipped";
  await finish(tx, deps, target, state, reason, at);
  if (target.leadId !== null && target.kind !== "reminder" && reason !== PEER_NOT_KNOWN && reason !== OPTED_OUT) {
    await sql`update leads set unreachable_reason = ${reason},
        unreachable_account = coalesce((select account_user_id from outbox where id = ${target.id}::bigint), unreachable_account)
      where id = ${target.leadId}::uuid`.execute(tx);
    await publishEvent(deps.bus, target.ownerId, "lead.changed", { id: target.leadId }, tx);
  }
  if (target.jobId !== null) await countAndPublish(tx, deps, target.ownerId, target.jobId);
}

/** Settles a row in a dry run: the ledger records what would have been sent, and the lead is unchanged. */
export async function settleWouldSend(
  tx: Tx,
  deps: SettleDeps,
  target: Target,
  text: string,
  at: string,
): Promise<void> {
  await sql`
    with kept as (
      insert into ledger (id, owner_id, kind, state, lead_id, followup_id, epoch, reminder_id, excerpt, random_id, by_key, attempts, planned_at, settled_at)
      select id, owner_id, kind, 'would_send', lead_id, followup_id, epoch, reminder_id, left(${text}::text, ${EXCERPT_CHARS}), random_id, by_key, attempts,
        created_at, ${at}::timestamptz
      from outbox where id = ${target.id}::bigint returning id
    )
    delete from outbox where id in (select id from kept)`.execute(tx);
  await deps.bus.publish("ledger.changed", { owner_id: target.ownerId }, tx);
  if (target.leadId !== null) await publishEvent(deps.bus, target.ownerId, "lead.changed", { id: target.leadId }, tx);
}

/** Settles a row whose placeholders left no text for this lead; other leads are unaffected. */
export async function settleEmpty(tx: Tx, deps: SettleDeps, target: Target, at: string): Promise<void> {
  await finish(tx, deps, target, target.jobId === null ? "failed" : "skipped", "MESSAGE_EMPTY", at);
  if (target.jobId !== null) await countAndPublish(tx, deps, target.ownerId, target.jobId);
}

/**
 * Settles a row that may have been delivered and must not be retried (the lead replied, or another account was connected). Its step counts
 * as used, so that it is not sent twice.
 */
export async function settleAbandoned(
  tx: Tx,
  deps: SettleDeps,
  target: Target & { followupId: string | null; epoch: number | null },
  reason: string,
  at: string,
): Promise<void> {
  await finish(tx, deps, target, "unknown", reason, at);
  if (target.leadId !== null && target.followupId !== null)
    await advancePastStep(tx, { ...target, leadId: target.leadId, followupId: target.followupId });
  if (target.jobId !== null) await countAndPublish(tx, deps, target.ownerId, target.jobId);
}

/**
 * Moves the lead's cursor past the step of message `id`, if the lead is still in the same stage entry. A step deleted within the undo period
 * may be restored, so it is passed too. A step that moved after the message was queued is passed only if no earlier step is left to send.
 */
export async function advancePastStep(
  tx: Tx,
  { id, leadId, followupId, epoch }: { id: string; leadId: string; followupId: string; epoch: number | null },
): Promise<void> {
  await sql`
    update leads l set followup_order_sent = greatest(l.followup_order_sent, f.followup_order + 1)
    from (
      select stage_id, followup_order, created_at from followups where id = ${followupId}::uuid
      union all
      select stage_id, (step ->> 'followup_order')::int, (step ->> 'created_at')::timestamptz from deleted_followups where id = ${followupId}::uuid
    ) f
    where l.id = ${leadId}::uuid and l.stage_entry_epoch = ${epoch}::int and f.stage_id = l.stage_id
      and (f.created_at < (select created_at from outbox where id = ${id}::bigint) or not ${nextIsBefore})`.execute(tx);
}

/** Settles a row without a delivery and publishes the change. */
export async function finish(
  tx: Tx,
  deps: Pick<Deps, "bus">,
  target: Target,
  state: "skipped" | "failed" | "unknown" | "cancelled",
  reason: string,
  at: string,
): Promise<void> {
  await sql`update outbox set state = ${state}, reason = ${reason}, settled_at = ${at}::timestamptz
    where id = ${target.id}::bigint`.execute(tx);
  await publishSettled(tx, deps, target);
}

/** Publishes the ledger change, and the outcome of a manual send. */
export async function publishSettled(tx: Tx, deps: Pick<Deps, "bus">, target: Target): Promise<void> {
  await deps.bus.publish("ledger.changed", { owner_id: target.ownerId }, tx);
  if (!isUserInitiated(target.kind)) return;
  await publishReply(tx, deps, target);
  await deps.bus.publish("outbox.settled", { owner_id: target.ownerId, outbox_id: target.id }, tx);
}

async function countAndPublish(tx: Tx, deps: SettleDeps, ownerId: string, jobId: string): Promise<void> {
  if (await countTarget(tx, deps, jobId, false))
    await publishEvent(deps.bus, ownerId, "bulk.changed", { job_id: jobId }, tx);
}
