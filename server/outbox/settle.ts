import { sql } from "kysely";
import { PAUSE_MESSAGES } from "../../domain/bulk.ts";
import { storedReason } from "../../domain/stored-reasons.ts";
import { isChannelRefusal, UPLOAD_FAILED, type SendOutcome } from "../../domain/send-outcome.ts";
import { dayOf } from "../../domain/schedule.ts";
import { publishEvent, publishEvents } from "../core/bus.ts";
import { answeredAt } from "../lead-rows/conversation-state.ts";
import type { Deps } from "../core/deps.ts";
import { inEnglish } from "../core/languages.ts";
import type { Tx } from "../db/index.ts";
import type { Claim } from "./claim.ts";
import { ACCOUNT_LIMITED, countTarget, failJob, failLimitedJob, isJobRunning } from "./job-counts.ts";
import type { SenderAccount, SentMessage } from "./port.ts";
import { publishReply } from "./reply-state.ts";
import {
  finish,
  isUserInitiated,
  advancePastStep,
  settleAbandoned,
  settleSkipped,
  publishSettled,
} from "./settle-refused.ts";

type SettleDeps = Pick<Deps, "db" | "bus" | "clock">;

const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_LAST_MS = 300_000;
/** How many attempts a file gets that Telegram refused, and one that failed to upload: about four hours. */
const UPLOADS_MAX = 5;
const FAILED_UPLOADS_MAX = 50;
/** Until then the account's keeper notices the lost session. */
const SESSION_CHECK_MS = 2_000;

/** Seconds doubled from 1 s up to 5 minutes. */
const backoffMs = (attempt: number): number =>
  Math.min(BACKOFF_LAST_MS, BACKOFF_FIRST_MS * 2 ** Math.min(attempt - 1, 20));

const later = (deps: SettleDeps, ms: number): string => new Date(deps.clock.now() + ms).toISOString();

/**
 * Records a delivered message in one transaction: the row, the lead, the conversation, the job's count, the daily limit. Safe to repeat,
 * also by a process that has lost the account.
 */
export function settleSent(deps: SettleDeps, account: SenderAccount, claimed: Claim, sent: SentMessage): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    const at = deps.clock.iso();
    const { rows } = await sql<{ epoch: number | null }>`
      update outbox set state = 'sent', is_uncertain = false, message_id = ${sent.messageId}, reason = null, settled_at = ${at}::timestamptz
      where id = ${claimed.id}::bigint and state in ('pending', 'sending') returning epoch`.execute(tx);
    const [row] = rows;
    if (row === undefined) return;
    // An undone move has given the stage entry a new number.
    const claim = { ...claimed, epoch: row.epoch };
    if (claim.leadId !== null && claim.kind !== "reminder") {
      const id = await recordOnLead(tx, account, claim, sent);
      const data = { lead_id: claim.leadId, id };
      if (id !== null)
        await publishEvents(
          deps.bus,
          claim.ownerId,
          [{ type: "message.changed", data }, { type: "inbox.changed" }],
          tx,
        );
    }
    if (claim.isCold) await countCold(tx, claim.ownerId, dayOf(deps.clock.now()));
    const isJobDone = claim.jobId !== null && (await countTarget(tx, deps, claim.jobId, true));
    if (claim.leadId !== null) await publishEvent(deps.bus, claim.ownerId, "lead.changed", { id: claim.leadId }, tx);
    if (isJobDone) await publishEvent(deps.bus, claim.ownerId, "bulk.changed", { job_id: claim.jobId }, tx);
    await publishSettled(tx, deps, claim);
  });
}

/** The parts of a claim that are needed to record a delivered message. */
export type Delivery = Pick<Claim, "id" | "ownerId" | "kind" | "leadId" | "followupId" | "epoch" | "text" | "mediaId">;
type Sender = Pick<SenderAccount, "telegramUserId">;

/** Records a delivered message on its lead and in the conversation. @returns the message's id */
export async function recordOnLead(
  tx: Tx,
  account: Sender,
  claim: Delivery,
  sent: SentMessage,
): Promise<string | null> {
  const isStep = claim.followupId !== null;
  if (isStep && claim.leadId !== null && claim.followupId !== null)
    await advancePastStep(tx, { ...claim, leadId: claim.leadId, followupId: claim.followupId });
  // Telegram counts whole seconds: a reply within the same second still came after the lead's message.
  await sql`
    update leads l set last_message_at = greatest(last_message_at, m.at, case when last_inbound_at = m.at then m.at + interval '1 millisecond' end),
      last_outbound_at = greatest(last_outbound_at, m.at)
      ${isStep ? sql`, last_followup_sent_at = case when stage_entry_epoch = ${claim.epoch}::int then m.at else last_followup_sent_at end` : sql``}
      , unreachable_reason = null
      ${isUserInitiated(claim.kind) ? sql`, last_manual_at = greatest(last_manual_at, m.at)` : sql``}
      , ${answeredAt({ at: sql`m.at`, messageId: sql`${sent.messageId}::int` }, isUserInitiated(claim.kind))}
    from (select ${sent.date}::timestamptz as at) m where l.id = ${claim.leadId}::uuid`.execute(tx);
  if (claim.kind === "reply") return showAsSent(tx, account, claim, sent);
  // The account's updates may have stored the message already; then only its kind and source are set.
  const { rows } = await sql<{ id: string }>`
    insert into messages (owner_id, account_user_id, peer_user_id, message_id, is_outgoing, text, sent_at, kind, source, state, outbox_id,
      media_id, media)
    select l.owner_id, ${account.telegramUserId}::bigint, l.telegram_user_id, ${sent.messageId}::int, true, ${claim.text},
      ${sent.date}::timestamptz, case f.kind when 'image' then 'photo' when 'video' then 'video' else 'text' end,
      ${claim.kind === "bulk" ? "bulk" : "followup"}, 'sent', ${claim.id}::bigint, f.id,
      coalesce(${fileOf(sent)}::jsonb, case when f.id is not null then jsonb_build_object('mime', f.mime, 'size', f.size) end)
    from leads l left join media f on f.id = ${claim.mediaId}::uuid where l.id = ${claim.leadId}::uuid
    on conflict on constraint messages_key do update set source = excluded.source, outbox_id = excluded.outbox_id,
      media_id = case when messages.edited_at is null then excluded.media_id end
    returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Turns the pending message into the sent one, and merges the copy that the account's updates stored. */
async function showAsSent(tx: Tx, account: Sender, claim: Delivery, sent: SentMessage): Promise<string | null> {
  await sql`delete from messages where owner_id = ${claim.ownerId}::uuid and account_user_id = ${account.telegramUserId}::bigint
    and message_id = ${sent.messageId}::int and outbox_id is null`.execute(tx);
  const { rows } = await sql<{ id: string }>`
    update messages set state = 'sent', reason = null, message_id = ${sent.messageId}::int, sent_at = ${sent.date}::timestamptz,
      account_user_id = ${account.telegramUserId}::bigint, media = coalesce(${fileOf(sent)}::jsonb, media)
    where outbox_id = ${claim.id}::bigint returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Returns the description of Telegram's copy, which alone remains after the upload is deleted. */
const fileOf = ({ photo }: SentMessage): string | null => (photo === null ? null : JSON.stringify(photo));

const countCold = (tx: Tx, ownerId: string, today: string) =>
  sql`update send_pace set cold_count = case when cold_day = ${today}::date then cold_count + 1 else 1 end, cold_day = ${today}::date
    where owner_id = ${ownerId}::uuid`.execute(tx);

/** Records a failed call in one transaction. A process that has lost the row changes nothing. */
export function settleRefused(
  deps: SettleDeps,
  account: SenderAccount,
  claim: Claim,
  outcome: SendOutcome,
): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      select 1 from outbox where id = ${claim.id}::bigint and state = 'sending' and attempts = ${claim.attempt} for update`.execute(
      tx,
    );
    if (rows.length === 0) return;
    await record(tx, deps, account, claim, outcome);
    await publishReply(tx, deps, claim);
    await deps.bus.publish("ledger.changed", { owner_id: claim.ownerId }, tx);
  });
}

async function record(
  tx: Tx,
  deps: SettleDeps,
  account: SenderAccount,
  claim: Claim,
  outcome: SendOutcome,
): Promise<void> {
  const at = deps.clock.iso();
  switch (outcome.kind) {
    case "unknown":
    case "inFlight":
      // First in the queue again: only a retry with the same id shows the outcome.
      await sql`update outbox set state = 'pending', is_uncertain = true, priority = 0, reason = ${outcome.reason},
        not_before = ${later(deps, backoffMs(claim.attempt))}::timestamptz where id = ${claim.id}::bigint`.execute(tx);
      return;
    case "upload":
      if (claim.attempt >= UPLOADS_MAX) return giveFileUp(tx, deps, claim, outcome.reason, at);
      return release(tx, deps, claim, later(deps, backoffMs(claim.attempt)), outcome.reason);
    case "recipient":
      await settleSkipped(tx, deps, claim, outcome.reason, at);
      if (claim.reminderId !== null && isChannelRefusal(outcome.reason))
        await disableReminder(
          tx,
          claim.reminderId,
          storedReason("channel_unreachable", { reason: outcome.reason }),
          account.telegramUserId,
        );
      return;
    case "content":
      return refuseContent(tx, deps, claim, outcome.reason, at);
    case "wait":
      return restAccount(tx, deps, account, claim, outcome);
    case "unsent":
      if (outcome.reason === UPLOAD_FAILED && claim.attempt >= FAILED_UPLOADS_MAX)
        return giveFileUp(tx, deps, claim, outcome.reason, at);
      return releaseUnlessManual(tx, deps, claim, later(deps, backoffMs(claim.attempt)), outcome.reason);
    case "chatWait":
      return releaseUnlessManual(tx, deps, claim, later(deps, outcome.seconds * 1000), outcome.reason);
    case "sessionLost":
      return releaseUnlessManual(tx, deps, claim, later(deps, SESSION_CHECK_MS), outcome.reason);
    case "stopped":
      return stopAccount(tx, deps, account, claim, outcome.reason);
  }
}

/**
 * Requeues a row after a refused attempt; an earlier attempt may still be open. If none is and the row's job has ended, cancels the row
 * instead, because no sender would claim it.
 */
async function release(tx: Tx, deps: SettleDeps, claim: Claim, notBefore: string, reason: string): Promise<void> {
  if (claim.jobId !== null && !claim.isUncertain && !(await isJobRunning(tx, claim.jobId)))
    return finish(tx, deps, claim, "cancelled", "JOB_ENDED", deps.clock.iso());
  await sql`update outbox set state = 'pending', reason = ${reason}, not_before = ${notBefore}::timestamptz
    where id = ${claim.id}::bigint`.execute(tx);
}

/** A send by click fails at once instead of waiting in the queue. */
async function releaseUnlessManual(
  tx: Tx,
  deps: SettleDeps,
  claim: Claim,
  notBefore: string,
  reason: string,
): Promise<void> {
  if (claim.kind === "manual" && !claim.isUncertain)
    return finish(tx, deps, claim, "cancelled", reason, deps.clock.iso());
  return release(tx, deps, claim, notBefore, reason);
}

/** Fails the row for good: an earlier attempt may have delivered it, which cannot be found out. Other messages are unaffected. */
const giveFileUp = (tx: Tx, deps: SettleDeps, claim: Claim, reason: string, at: string): Promise<void> =>
  claim.isUncertain ? settleAbandoned(tx, deps, claim, reason, at) : refuseContent(tx, deps, claim, reason, at);

async function refuseContent(tx: Tx, deps: SettleDeps, claim: Claim, reason: string, at: string): Promise<void> {
  if (claim.jobId === null) {
    await finish(tx, deps, claim, "failed", reason, at);
    if (claim.reminderId !== null)
      await disableReminder(tx, claim.reminderId, storedReason("message_refused", { reason }), null);
    return;
  }
  await finish(tx, deps, claim, "failed", reason, at);
  await failJob(tx, deps, { id: claim.jobId, ownerId: claim.ownerId }, storedReason("message_refused", { reason }));
  await publishEvent(deps.bus, claim.ownerId, "bulk.changed", { job_id: claim.jobId }, tx);
}

/** @param accountUserId the Telegram account that could not post; null when no account could */
async function disableReminder(
  tx: Tx,
  reminderId: string,
  reason: string,
  accountUserId: string | null,
): Promise<void> {
  await sql`update reminders set is_enabled = false, disabled_reason = ${reason}, disabled_account = ${accountUserId}::bigint
    where id = ${reminderId}::uuid`.execute(tx);
}

/** Locks the account first and the job last, as all code does. */
async function restAccount(
  tx: Tx,
  deps: SettleDeps,
  account: SenderAccount,
  claim: Claim,
  wait: { seconds: number; reason: string },
): Promise<void> {
  const until = later(deps, wait.seconds * 1000);
  await sql`update telegram_sessions set paused_until = greatest(paused_until, ${until}::timestamptz),
    paused_reason = ${inEnglish(PAUSE_MESSAGES.account_waits)}
    where id = ${account.accountId}::uuid`.execute(tx);
  const { rows } = await sql<{ id: string }>`
    update outbox set state = 'cancelled', reason = ${wait.reason}, settled_at = ${deps.clock.iso()}::timestamptz
    where owner_id = ${account.userId}::uuid and state = 'pending' and kind = 'manual' and not is_uncertain
    returning id`.execute(tx);
  for (const { id } of rows) await deps.bus.publish("outbox.settled", { owner_id: account.userId, outbox_id: id }, tx);
  await releaseUnlessManual(tx, deps, claim, until, wait.reason);
  await publishEvent(deps.bus, account.userId, "telegram.changed", {}, tx);
  if (claim.jobId !== null) await publishEvent(deps.bus, account.userId, "bulk.changed", { job_id: claim.jobId }, tx);
}

/** Locks in the same order as `restAccount`. */
async function stopAccount(
  tx: Tx,
  deps: SettleDeps,
  account: SenderAccount,
  claim: Claim,
  reason: string,
): Promise<void> {
  const at = deps.clock.iso();
  await sql`update telegram_sessions set stopped_at = coalesce(stopped_at, ${at}::timestamptz), stopped_reason = ${ACCOUNT_LIMITED}
    where id = ${account.accountId}::uuid`.execute(tx);
  if (isUserInitiated(claim.kind)) await finish(tx, deps, claim, "failed", reason, at);
  // `release` would lock the job before its other targets.
  else if (claim.jobId !== null && !claim.isUncertain) await finish(tx, deps, claim, "cancelled", reason, at);
  else await release(tx, deps, claim, at, reason);
  await failLimitedJob(tx, deps, account.userId);
  await publishEvent(deps.bus, account.userId, "telegram.changed", {}, tx);
}
