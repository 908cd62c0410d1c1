import { sql, type RawBuilder } from "kysely";
import { PAUSE_MESSAGES } from "../../domain/bulk.ts";
import { textLimit } from "../../domain/limits.ts";
import { CLAIM_LEAD_MS, GAP_MS, JITTER } from "../../domain/send-pace.ts";
import { dayOf, jobPausedUntil } from "../../domain/schedule.ts";
import type { SendDecision } from "../../domain/send-decision.ts";
import { fillPlaceholders, hasPlaceholders } from "../../domain/placeholders.ts";
import type { Tx } from "../db/index.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import { inEnglish } from "../core/languages.ts";
import type { OutboxKind } from "../db/tables/outbox.ts";
import { nextCandidate, nextDue, type Candidate } from "./candidate.ts";
import { freeReminder, removeExcludedFromDigest } from "./digest.ts";
import { readGate, type Gate } from "./gate.ts";
import { restartPace, startPace } from "./pace.ts";
import type { Recipient, SenderAccount } from "./port.ts";
import { isCold, decide } from "./rules.ts";
import { publishReply } from "./reply-state.ts";
import { finish, settleAbandoned, settleEmpty, settleSkipped, settleWouldSend, type Target } from "./settle-refused.ts";

/** A row claimed for sending, committed before the network call. */
export type Claim = {
  id: string;
  ownerId: string;
  kind: OutboxKind;
  attempt: number;
  isUncertain: boolean;
  to: Recipient;
  text: string;
  mediaId: string | null;
  randomId: bigint;
  leadId: string | null;
  followupId: string | null;
  epoch: number | null;
  reminderId: string | null;
  jobId: string | null;
  isCold: boolean;
  /** earliest time of the call */
  startAt: number;
};
export type Claimed = { claim: Claim } | { claim: null; until: number | null };

const ROWS_PER_TRANSACTION = 100;

type Context = {
  deps: Pick<Deps, "db" | "bus" | "clock">;
  account: SenderAccount;
  random: () => number;
};

/**
 * Claims the account's next message if it may be sent now. The claiming transaction checks all conditions: lease, pauses, subscription,
 * hours, replies, daily limit, rhythm.
 * @returns the message, or the time of the next check (null: when something is added)
 */
export function claimNext(context: Context): Promise<Claimed> {
  return context.deps.db.transaction().execute(async (tx) => {
    const { account, deps } = context;
    const readAt = deps.clock.now();
    const gate = await readGate(tx, account, readAt);
    if (gate === null) return { claim: null, until: null };
    let now = deps.clock.now();
    // Calls are never stored this far ahead, so the clock was set back.
    if (gate.lastStartedAt !== null && gate.lastStartedAt > now + CLAIM_LEAD_MS) {
      if (gate.pausedUntil !== null && gate.pausedUntil > gate.lastStartedAt)
        await restartPause(tx, context, gate, now + gate.pausedUntil - gate.lastStartedAt);
      await restartPace(tx, account.userId, now);
      gate.lastStartedAt = now;
    }
    if (gate.pausedUntil !== null && gate.pausedUntil > now) return { claim: null, until: gate.pausedUntil };
    if (gate.pausedUntil !== null) await endPause(tx, context);
    if (gate.job !== null && gate.job.pausedUntil !== null && jobPausedUntil(gate.job.pausedUntil, now) === null)
      await endJobPause(tx, context, gate.job);
    for (let seen = 0; seen < ROWS_PER_TRANSACTION; seen += 1) {
      const row = await nextCandidate(tx, account.userId, gate, now);
      if (row === null) return { claim: null, until: await wakeTime(tx, account.userId, gate, now) };
      // A row planned after the clock was read would not seem due yet, so the clock is read again.
      now = deps.clock.now();
      // A new day began since the count was read: yesterday's would hold cold messages until tomorrow.
      if (dayOf(now) !== dayOf(readAt)) return { claim: null, until: now };
      const decision = decide(row, gate, account.telegramUserId, now);
      if (decision.do !== "send") {
        await apply(tx, context, row, gate, decision, now);
        continue;
      }
      await removeExcludedFromDigest(tx, account.userId, row);
      const content = freeze(row, gate);
      if (content.text.trim() === "" && content.mediaId === null && !row.is_uncertain) {
        await settleEmpty(tx, deps, targetOf(row, account), new Date(now).toISOString());
        continue;
      }
      if (gate.isDryRun && isAutomatic(row)) {
        await settleWouldSend(tx, deps, targetOf(row, account), content.text, new Date(now).toISOString());
        continue;
      }
      const throttle = row.job_id !== null && row.job_id === gate.job?.id ? gate.job.throttleMs : GAP_MS[row.kind];
      // The user waits for a reply to be sent, so the rhythm of automatic sends does not delay it.
      const gap = row.kind === "reply" ? throttle : Math.max(gate.lastGapMs, throttle);
      const startAt = gate.lastStartedAt === null ? now : Math.max(now, gate.lastStartedAt + gap);
      if (startAt - now > CLAIM_LEAD_MS) return { claim: null, until: startAt - CLAIM_LEAD_MS };
      const claim = await take(tx, context, { row, gate, content, startAt, throttle, now });
      await publishReply(tx, deps, claim);
      return { claim };
    }
    return { claim: null, until: now };
  });
}

/** Messages that no user sent by hand just now. One that may have been delivered is retried anyway. */
const isAutomatic = (row: Candidate): boolean =>
  (row.kind === "followup" || row.kind === "reminder") && !row.is_uncertain;

/** Tells the user's open pages that a wait imposed by Telegram is over. */
async function endPause(tx: Tx, { account, deps }: Context): Promise<void> {
  await sql`update telegram_sessions set paused_until = null, paused_reason = null
    where id = ${account.accountId}::uuid`.execute(tx);
  await publishEvent(deps.bus, account.userId, "telegram.changed", {}, tx);
}

/** Restarts a wait from now when the clock was set back after the call it counts from. */
async function restartPause(tx: Tx, { account, deps }: Context, gate: Gate, until: number): Promise<void> {
  gate.pausedUntil = until;
  await sql`update telegram_sessions set paused_until = ${new Date(until).toISOString()}::timestamptz
    where id = ${account.accountId}::uuid`.execute(tx);
  await publishEvent(deps.bus, account.userId, "telegram.changed", {}, tx);
}

/** Checks the daily limit again, for the current day. */
async function endJobPause(tx: Tx, { account, deps }: Context, job: NonNullable<Gate["job"]>): Promise<void> {
  job.pausedUntil = null;
  await sql`update bulk_jobs set paused_until = null, paused_reason = null where id = ${job.id}::uuid`.execute(tx);
  await publishEvent(deps.bus, account.userId, "bulk.changed", { job_id: job.id }, tx);
}

async function wakeTime(tx: Tx, ownerId: string, gate: Gate, now: number): Promise<number | null> {
  const due = await nextDue(tx, ownerId, gate, now);
  const pausedUntil = gate.job?.pausedUntil ?? null;
  // The end of a pause sends no notification: the job may wait for another reason, such as ended access.
  const jobAgain = pausedUntil !== null && pausedUntil > now ? pausedUntil : null;
  if (due === null || jobAgain === null) return due ?? jobAgain;
  return Math.min(due, jobAgain);
}

async function take(
  tx: Tx,
  { account, random }: Context,
  found: { row: Candidate; gate: Gate; content: Content; startAt: number; throttle: number; now: number },
): Promise<Claim> {
  const { row, gate, content, startAt, throttle, now } = found;
  const at = new Date(now).toISOString();
  await sql`
    update outbox set state = 'sending', attempts = attempts + 1, claimed_at = ${at}::timestamptz,
      account_user_id = ${account.telegramUserId}::bigint
      ${contentOf(row, gate, content)}
    where id = ${row.id}::bigint`.execute(tx);
  const gapMs = Math.ceil(throttle * (1 + JITTER * random()));
  await startPace(tx, account.userId, { startAt, gapMs });
  return {
    id: row.id,
    ownerId: account.userId,
    kind: row.kind,
    attempt: row.attempts + 1,
    isUncertain: row.is_uncertain,
    to: row.channel === null ? { telegramUserId: row.telegram_user_id ?? "" } : { channel: row.channel },
    text: content.text,
    mediaId: content.mediaId,
    randomId: BigInt(row.random_id),
    leadId: row.lead_id,
    followupId: row.followup_id,
    epoch: row.epoch,
    reminderId: row.reminder_id,
    jobId: row.job_id,
    isCold: isCold(row, now),
    startAt,
  };
}

type Content = { text: string; mediaId: string | null };

/**
 * Returns the content to send. A step can be edited until its first claim, which fills the placeholders and stores a snapshot. Retries send
 * the snapshot, so that one random id always has the same text.
 */
function freeze(row: Candidate, gate: Gate): Content {
  if (row.kind === "bulk") {
    const template = gate.job?.message ?? "";
    const mediaId = gate.job?.mediaId ?? null;
    return row.attempts === 0 ? fillTemplate(row, template, mediaId) : { text: row.body ?? template, mediaId };
  }
  if (row.attempts === 0 && row.kind === "followup")
    return fillTemplate(row, row.next_message ?? "", row.next_media_id);
  if (row.attempts === 0 && row.kind === "manual") return fillTemplate(row, row.body ?? "", row.media_id);
  return { text: row.body ?? "", mediaId: row.media_id };
}

const fillTemplate = (row: Candidate, template: string, mediaId: string | null): Content => ({
  text: fillPlaceholders(template, row, textLimit(mediaId !== null)),
  mediaId,
});

/** A bulk message without placeholders is stored only in its job. */
function contentOf(row: Candidate, gate: Gate, content: Content): RawBuilder<unknown> {
  if (row.kind === "followup") return sql`, body = ${content.text}, media_id = ${content.mediaId}::uuid`;
  const isOwn = row.kind === "manual" || (row.kind === "bulk" && hasPlaceholders(gate.job?.message ?? ""));
  return isOwn ? sql`, body = ${content.text}` : sql``;
}

const targetOf = (row: Candidate, account: SenderAccount): Target => ({
  id: row.id,
  ownerId: account.userId,
  kind: row.kind,
  leadId: row.lead_id,
  jobId: row.job_id,
});

async function apply(
  tx: Tx,
  { deps, account }: Context,
  row: Candidate,
  gate: Gate,
  decision: Exclude<SendDecision, { do: "send" }>,
  now: number,
): Promise<void> {
  const at = new Date(now).toISOString();
  const target = targetOf(row, account);
  switch (decision.do) {
    case "skip":
      return settleSkipped(tx, deps, target, decision.reason, at);
    case "abandon":
      return settleAbandoned(
        tx,
        deps,
        { ...target, followupId: row.followup_id, epoch: row.epoch },
        decision.reason,
        at,
      );
    case "drop":
      await sql`delete from outbox where id = ${row.id}::bigint`.execute(tx);
      await deps.bus.publish("ledger.changed", { owner_id: account.userId }, tx);
      return;
    case "cancel":
      if (decision.reason === "RULE_DISABLED") await freeReminder(tx, row.id);
      return finish(tx, deps, target, "cancelled", decision.reason, at);
    case "hold":
      // With a plan or an attempt in the future, it would be checked again at once.
      await sql`update outbox set not_before = ${new Date(decision.until).toISOString()}::timestamptz,
          created_at = least(created_at, ${at}::timestamptz),
          claimed_at = case when claimed_at > ${at}::timestamptz then ${at}::timestamptz else claimed_at end
        where id = ${row.id}::bigint`.execute(tx);
      await deps.bus.publish("ledger.changed", { owner_id: account.userId }, tx);
      return;
    case "pauseJob":
      if (gate.job === null) return;
      gate.job.pausedUntil = decision.until;
      await sql`update bulk_jobs set paused_until = ${new Date(decision.until).toISOString()}::timestamptz, paused_reason = ${inEnglish(PAUSE_MESSAGES[decision.reason])}
        where id = ${gate.job.id}::uuid and status = 'in_progress'`.execute(tx);
      await publishEvent(deps.bus, account.userId, "bulk.changed", { job_id: gate.job.id }, tx);
  }
}
