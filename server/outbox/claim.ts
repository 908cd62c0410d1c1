import { sql, type RawBuilder } from "kysely";
import { PAUSE_MESSAGES } from "../../domain/bulk.ts";
import { textLimit } from "../../domain/limits.ts";
import { CLAIM_LEAD_MS, GAP_MS, JITTER } from "../../domain/send-pace.ts";
import { dayOf, restsUntil } from "../../domain/schedule.ts";
import type { SendDecision } from "../../domain/send-decision.ts";
import { fillPlaceholders, hasPlaceholders } from "../../domain/placeholders.ts";
import type { Tx } from "../db/index.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import { inEnglish } from "../core/english.ts";
import type { OutboxKind } from "../db/tables/outbox.ts";
import { nextCandidate, nextDue, type Candidate } from "./candidate.ts";
import { leaveOutExcluded } from "./digest.ts";
import { readGate, type Gate } from "./gate.ts";
import { restartPace, startPace } from "./pace.ts";
import type { Recipient, SenderAccount } from "./port.ts";
import { isCold, decide } from "./rules.ts";
import { tellReply } from "./reply-state.ts";
import { finish, settleAbandoned, settleEmpty, settleSkipped, settleWouldSend, type Target } from "./settle-refused.ts";

/** A row taken for sending: committed before the network is touched. */
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
  /** not to be called before this moment */
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
 * Takes the account's next message, if one may go out now. All conditions (lease, pauses, subscription, hours, replies, daily limit,
 * rhythm) are checked in the transaction that takes it.
 * @returns the message, or until when nothing will change by itself (null: until something is added)
 */
export function claimNext(context: Context): Promise<Claimed> {
  return context.deps.db.transaction().execute(async (tx) => {
    const { account, deps } = context;
    const readAt = deps.clock.now();
    const gate = await readGate(tx, account, readAt);
    if (gate === null) return { claim: null, until: null };
    let now = deps.clock.now();
    // No call is noted that far ahead: the clock was set back.
    if (gate.lastStartedAt !== null && gate.lastStartedAt > now + CLAIM_LEAD_MS) {
      if (gate.pausedUntil !== null && gate.pausedUntil > gate.lastStartedAt)
        await restartPause(tx, context, gate, now + gate.pausedUntil - gate.lastStartedAt);
      await restartPace(tx, account.userId, now);
      gate.lastStartedAt = now;
    }
    if (gate.pausedUntil !== null && gate.pausedUntil > now) return { claim: null, until: gate.pausedUntil };
    if (gate.pausedUntil !== null) await endPause(tx, context);
    if (gate.job !== null && gate.job.pausedUntil !== null && restsUntil(gate.job.pausedUntil, now) === null)
      await endJobPause(tx, context, gate.job);
    for (let seen = 0; seen < ROWS_PER_TRANSACTION; seen += 1) {
      const row = await nextCandidate(tx, account.userId, gate, now);
      if (row === null) return { claim: null, until: await wakeTime(tx, account.userId, gate, now) };
      // It may have been planned after the last look at the clock: by that time it would seem not to be due yet.
      now = deps.clock.now();
      // A day has begun since its count was read: by the one before, what is cold would rest until the next.
      if (dayOf(now) !== dayOf(readAt)) return { claim: null, until: now };
      const decision = decide(row, gate, account.telegramUserId, now);
      if (decision.do !== "send") {
        await apply(tx, context, row, gate, decision, now);
        continue;
      }
      await leaveOutExcluded(tx, account.userId, row);
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
      // A person waits for a reply to leave: the rhythm of automatic sends before it does not hold it up.
      const gap = row.kind === "reply" ? throttle : Math.max(gate.lastGapMs, throttle);
      const startAt = gate.lastStartedAt === null ? now : Math.max(now, gate.lastStartedAt + gap);
      if (startAt - now > CLAIM_LEAD_MS) return { claim: null, until: startAt - CLAIM_LEAD_MS };
      const claim = await take(tx, context, { row, gate, content, startAt, throttle, now });
      await tellReply(tx, deps, claim);
      return { claim };
    }
    return { claim: null, until: now };
  });
}

/** What no person pressed a button for in this moment. One that may have been delivered already is asked for again all the same. */
const isAutomatic = (row: Candidate): boolean =>
  (row.kind === "followup" || row.kind === "reminder") && !row.is_uncertain;

/** The wait that Telegram asked for is over: the person's open pages learn of it. */
async function endPause(tx: Tx, { account, deps }: Context): Promise<void> {
  await sql`update telegram_sessions set paused_until = null, paused_reason = null
    where id = ${account.accountId}::uuid`.execute(tx);
  await publishEvent(deps.bus, account.userId, "telegram.changed", {}, tx);
}

/** A wait that was counted from a call by a clock which was set back since is as long from now on. */
async function restartPause(tx: Tx, { account, deps }: Context, gate: Gate, until: number): Promise<void> {
  gate.pausedUntil = until;
  await sql`update telegram_sessions set paused_until = ${new Date(until).toISOString()}::timestamptz
    where id = ${account.accountId}::uuid`.execute(tx);
  await publishEvent(deps.bus, account.userId, "telegram.changed", {}, tx);
}

/** Whether the day's limit is reached is judged anew, by the day that it is now. */
async function endJobPause(tx: Tx, { account, deps }: Context, job: NonNullable<Gate["job"]>): Promise<void> {
  job.pausedUntil = null;
  await sql`update bulk_jobs set paused_until = null, paused_reason = null where id = ${job.id}::uuid`.execute(tx);
  await publishEvent(deps.bus, account.userId, "bulk.changed", { job_id: job.id }, tx);
}

async function wakeTime(tx: Tx, ownerId: string, gate: Gate, now: number): Promise<number | null> {
  const due = await nextDue(tx, ownerId, gate, now);
  const pausedUntil = gate.job?.pausedUntil ?? null;
  // A pause that is over wakes nobody: the job may rest for another reason, such as ended access.
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
 * What is sent. A step may be edited until its first claim, and placeholders are filled by it; from then on the snapshot counts: the same
 * id never stands for another text.
 */
function freeze(row: Candidate, gate: Gate): Content {
  if (row.kind === "bulk") {
    const template = gate.job?.message ?? "";
    const mediaId = gate.job?.mediaId ?? null;
    return row.attempts === 0 ? filled(row, template, mediaId) : { text: row.body ?? template, mediaId };
  }
  if (row.attempts === 0 && row.kind === "followup") return filled(row, row.next_message ?? "", row.next_media_id);
  if (row.attempts === 0 && row.kind === "manual") return filled(row, row.body ?? "", row.media_id);
  return { text: row.body ?? "", mediaId: row.media_id };
}

const filled = (row: Candidate, template: string, mediaId: string | null): Content => ({
  text: fillPlaceholders(template, row, textLimit(mediaId !== null)),
  mediaId,
});

/** A bulk message that reads the same for everyone stands in its job alone. */
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
      return finish(tx, deps, target, "cancelled", decision.reason, at);
    case "hold":
      // Planned or tried at a time that is to come, it would be looked at again at once.
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
