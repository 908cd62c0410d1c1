import { sql } from "kysely";
import type { Tx } from "../db/index.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { OutboxKind } from "../db/tables/outbox.ts";
import { nextCandidate, nextDue, type Candidate } from "./candidate.ts";
import { readGate, type Gate } from "./gate.ts";
import type { Recipient, SenderAccount } from "./port.ts";
import { isCold, judge, type Verdict } from "./rules.ts";
import { finish, settleAbandoned, settleSkipped } from "./settle-refused.ts";

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
  /** not to be called before this moment, and not closer than `gapMs` to the call before */
  startAt: number;
  gapMs: number;
};
export type Claimed = { claim: Claim } | { claim: null; until: number | null };

/** Between two sends of an account, whatever their kinds; a bulk job brings its own throttle. */
const GAP_MS = { reply: 300, manual: 300, followup: 1_000, reminder: 1_000, bulk: 1_000 } as const;
const JITTER = 0.2;
/** Committing the claim takes a few milliseconds; it may begin that much before the call is due. */
export const CLAIM_LEAD_MS = 5;
const ROWS_PER_TRANSACTION = 100;

type Context = { deps: Pick<Deps, "db" | "bus" | "clock">; account: SenderAccount; random: () => number };

/**
 * Takes the account's next message, if one may go out now. All conditions (lease, pauses, subscription, hours, replies, daily limit,
 * rhythm) are checked in the transaction that takes it.
 * @returns the message, or until when nothing will change by itself (null: until something is added)
 */
export function claimNext(context: Context): Promise<Claimed> {
  return context.deps.db.transaction().execute(async (tx) => {
    const { account, deps } = context;
    const now = deps.clock.now();
    const gate = await readGate(tx, account, now);
    if (gate === null) return { claim: null, until: null };
    if (gate.pausedUntil !== null && gate.pausedUntil > now) return { claim: null, until: gate.pausedUntil };
    if (gate.pausedUntil !== null) await endPause(tx, context);
    for (let seen = 0; seen < ROWS_PER_TRANSACTION; seen += 1) {
      const row = await nextCandidate(tx, account.userId, gate, now);
      if (row === null) return { claim: null, until: await wakeTime(tx, account.userId, gate, now) };
      const verdict = judge(row, gate, account.telegramUserId, now);
      if (verdict.do !== "send") {
        await apply(tx, context, row, gate, verdict, now);
        continue;
      }
      const throttle = row.job_id !== null && row.job_id === gate.job?.id ? gate.job.throttleMs : GAP_MS[row.kind];
      const startAt =
        gate.lastStartedAt === null ? now : Math.max(now, gate.lastStartedAt + Math.max(gate.lastGapMs, throttle));
      if (startAt - now > CLAIM_LEAD_MS) return { claim: null, until: startAt - CLAIM_LEAD_MS };
      return { claim: await take(tx, context, { row, gate, startAt, throttle, now }) };
    }
    return { claim: null, until: now };
  });
}

/** The wait that Telegram asked for is over: the person's open pages learn of it. */
async function endPause(tx: Tx, { account, deps }: Context): Promise<void> {
  await sql`update telegram_sessions set paused_until = null, paused_reason = null
    where id = ${account.accountId}::uuid`.execute(tx);
  await publishEvent(deps.bus, account.userId, "telegram.changed", {}, tx);
}

async function wakeTime(tx: Tx, ownerId: string, gate: Gate, now: number): Promise<number | null> {
  const due = await nextDue(tx, ownerId, gate, now);
  const jobAgain = gate.job?.pausedUntil ?? null;
  if (due === null || jobAgain === null) return due ?? jobAgain;
  return Math.min(due, jobAgain);
}

async function take(
  tx: Tx,
  { account, random }: Context,
  found: { row: Candidate; gate: Gate; startAt: number; throttle: number; now: number },
): Promise<Claim> {
  const { row, gate, startAt, throttle, now } = found;
  const at = new Date(now).toISOString();
  const content = freeze(row, gate);
  await sql`
    update outbox set state = 'sending', attempts = attempts + 1, claimed_at = ${at}::timestamptz,
      account_user_id = ${account.telegramUserId}::bigint
      ${row.kind === "followup" ? sql`, body = ${content.text}, media_id = ${content.mediaId}::uuid` : sql``}
    where id = ${row.id}::bigint`.execute(tx);
  const gapMs = Math.ceil(throttle * (1 + JITTER * random()));
  await sql`
    insert into send_pace (owner_id, last_started_at, last_gap_ms)
    values (${account.userId}, ${new Date(startAt).toISOString()}, ${gapMs})
    on conflict (owner_id) do update set last_started_at = excluded.last_started_at, last_gap_ms = excluded.last_gap_ms`.execute(
    tx,
  );
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
    gapMs,
  };
}

/** What is sent. A step may be edited until its first claim; from then on its snapshot counts. */
function freeze(row: Candidate, gate: Gate): { text: string; mediaId: string | null } {
  if (row.kind === "bulk") return { text: gate.job?.message ?? "", mediaId: gate.job?.mediaId ?? null };
  if (row.kind === "followup" && row.attempts === 0)
    return { text: row.next_message ?? "", mediaId: row.next_media_id };
  return { text: row.body ?? "", mediaId: row.media_id };
}

async function apply(
  tx: Tx,
  { deps, account }: Context,
  row: Candidate,
  gate: Gate,
  verdict: Exclude<Verdict, { do: "send" }>,
  now: number,
): Promise<void> {
  const at = new Date(now).toISOString();
  const target = { id: row.id, ownerId: account.userId, kind: row.kind, leadId: row.lead_id, jobId: row.job_id };
  switch (verdict.do) {
    case "skip":
      return settleSkipped(tx, deps, target, verdict.reason, at);
    case "abandon":
      return settleAbandoned(
        tx,
        deps,
        { ...target, followupId: row.followup_id, epoch: row.epoch },
        verdict.reason,
        at,
      );
    case "drop":
      await sql`delete from outbox where id = ${row.id}::bigint`.execute(tx);
      return;
    case "cancel":
      return finish(tx, deps, target, "cancelled", verdict.reason, at);
    case "hold":
      await sql`update outbox set not_before = ${new Date(verdict.until).toISOString()}::timestamptz
        where id = ${row.id}::bigint`.execute(tx);
      return;
    case "pauseJob":
      if (gate.job === null) return;
      gate.job.pausedUntil = verdict.until;
      await sql`update bulk_jobs set paused_until = ${new Date(verdict.until).toISOString()}::timestamptz, paused_reason = ${verdict.reason}
        where id = ${gate.job.id}::uuid and status = 'in_progress'`.execute(tx);
      await publishEvent(deps.bus, account.userId, "bulk.changed", { job_id: gate.job.id }, tx);
  }
}
