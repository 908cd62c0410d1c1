import { accessExpiry, isSubscribed, type AccessFields } from "../../domain/access.ts";
import {
  stepAfter,
  type RunFacts,
  type RunLead,
  type RunReminder,
  type RunRow,
  type RunStep,
} from "../../domain/forecast-facts.ts";
import { DAILY_CAP_DEFAULT } from "../../domain/limits.ts";
import { jobPausedUntil } from "../../domain/schedule.ts";
import { plannerRunAt, reminderExpiry } from "../../domain/reminder-expiry.ts";
import { DIGEST_OVER } from "../../domain/reminder-text.ts";
import { PRIORITY } from "../../domain/send-pace.ts";
import { hoursOf } from "../settings/index.ts";
import type { Db, DbOrTx } from "../db/index.ts";
import { followupSpread, reminderSpread, spreadOfId } from "../outbox/names.ts";
import {
  readAccount,
  readCandidates,
  readQueue,
  readRecentBulk,
  readSteps,
  readStuck,
  readTargets,
  type AccountRow,
  type LeadRow,
  type QueueRow,
  type StepRow,
  type StuckRow,
  type TargetRow,
  type UseRow,
} from "./read.ts";
import { readStandings, type LeadGroup } from "./standings.ts";

export type ForecastInput = {
  now: number;
  until: number;
  account: AccountRow;
  steps: StepRow[];
  candidates: LeadRow[];
  queue: QueueRow[];
  targets: TargetRow[];
  recentBulk: Map<string, number>;
  stuck: StuckRow[];
  groups: LeadGroup[];
};

/** Reads an owner's account, queue and what becomes due before `until` from one snapshot. */
export function readForecastInput(db: Db, ownerId: string, now: number, until: number): Promise<ForecastInput> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute((tx: DbOrTx) => readAll(tx, ownerId, now, until));
}

async function readAll(tx: DbOrTx, ownerId: string, now: number, until: number): Promise<ForecastInput> {
  const account = await readAccount(tx, ownerId, now);
  return {
    now,
    until,
    account,
    steps: await readSteps(tx, ownerId),
    candidates: account.auto_followups_enabled ? await readCandidates(tx, ownerId, account, until) : [],
    queue: await readQueue(tx, ownerId),
    targets: account.job_id === null ? [] : await readTargets(tx, ownerId, account.job_id),
    recentBulk: await readRecentBulk(tx, ownerId, now),
    stuck: await readStuck(tx, ownerId, until),
    groups: await readStandings(tx, ownerId, now),
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));
const keyOfUse = (leadId: string, followupId: string, epoch: number) => `${leadId}:${followupId}:${epoch}`;

/** Returns when access ends, Infinity for never. */
function accessUntil(account: AccountRow, now: number): number {
  const subscription: AccessFields = { ...account, cancel_at_period_end: account.cancel_at_period_end ?? false };
  return isSubscribed(subscription, now) ? (accessExpiry(subscription) ?? Infinity) : -Infinity;
}

/** Builds the facts of a run. A run changes its leads, so each run needs its own facts. */
export function factsOf(input: ForecastInput, uses: readonly UseRow[] = []): RunFacts {
  const { account, now, until } = input;
  const stepsOf = stepsByStage(input.steps);
  const stepById = new Map([...stepsOf.values()].flat().map((step) => [step.id, step]));
  const leads = new Map<string, RunLead>();
  const leadOf = (row: LeadRow): RunLead => {
    let lead = leads.get(row.lead_id);
    if (lead === undefined) {
      lead = {
        id: row.lead_id,
        epoch: row.lead_epoch,
        steps: stepsOf.get(row.stage_id ?? "") ?? [],
        cursor: row.cursor,
        anchor: row.anchor,
        unreachableReason: row.unreachable_reason,
        isOptedOut: row.is_opted_out,
        isHeld: row.is_held,
        heldUntil: row.held_until ?? -Infinity,
        passed: row.passed,
        countsFrom: row.counts_from ?? -Infinity,
        hasReplied: row.has_replied,
        lastMessageAt: row.last_message_at,
        lastBulkAt: input.recentBulk.get(row.lead_id) ?? null,
        importedAt: row.imported_at,
      };
      leads.set(row.lead_id, lead);
    }
    return lead;
  };
  const candidates = input.candidates.map(leadOf);
  const queue = input.queue.map((row): RunRow => {
    const lead = row.lead_id === null ? null : leadOf(row);
    const isOfEntry = row.epoch === null || lead === null || row.epoch === lead.epoch;
    return {
      id: Number(row.id),
      kind: row.kind,
      priority: row.priority,
      notBefore: row.not_before,
      spread: () => spreadOfId(row.random_id),
      lead,
      step: row.followup_id === null || !isOfEntry ? null : (stepById.get(row.followup_id) ?? null),
      reminder: null,
      isUncertain: row.is_uncertain,
      isConfirmed: row.is_confirmed,
      isRefused: false,
      expiresAt: row.expires_at,
    };
  });
  for (const target of input.targets) queue.push(targetRow(target, leads));
  const byStep = new Map(uses.map((use) => [keyOfUse(use.lead_id, use.followup_id, use.epoch), use]));
  const usageOf = (lead: RunLead, step: RunStep) =>
    byStep.size === 0 ? undefined : byStep.get(keyOfUse(lead.id, step.id, lead.epoch));
  const first = new Map([...leads.values()].map((lead) => [lead, stepAfter(lead)]));
  return {
    now,
    until,
    hours: hoursOf(account),
    isConnected: account.is_connected,
    pausedUntil: timeOf(account.paused_until),
    isStopped: account.stopped_at !== null,
    accessUntil: accessUntil(account, now),
    isAutomated: account.auto_followups_enabled ?? false,
    automatedSince: timeOf(account.auto_followups_since) ?? 0,
    isDryRun: account.dry_run ?? false,
    dryRunEndedAt: timeOf(account.dry_run_ended_at) ?? -Infinity,
    lastStartedAt: timeOf(account.last_started_at),
    lastGapMs: account.last_gap_ms ?? 0,
    dailyCap: account.daily_cap ?? DAILY_CAP_DEFAULT,
    coldToday: account.cold_today,
    job:
      account.job_id === null
        ? null
        : {
            throttleMs: account.throttle_ms ?? 0,
            pausedUntil:
              account.job_held_at === null ? jobPausedUntil(timeOf(account.job_paused_until), now) : Infinity,
          },
    queue,
    candidates,
    reminders: remindersOf(input),
    spreadOf: (lead, step) =>
      followupSpread(
        account,
        { leadId: lead.id, followupId: step.id, epoch: lead.epoch },
        usageOf(lead, step)?.automatic ?? 0,
      ),
    // A lead's next step was unused when it was read; for later ones `uses` decides.
    isUsed: (lead, step) => first.get(lead) !== step && (usageOf(lead, step)?.is_used ?? false),
  };
}

function stepsByStage(rows: readonly StepRow[]): Map<string, RunStep[]> {
  const byStage = new Map<string, RunStep[]>();
  for (const row of rows) {
    const step: RunStep = {
      id: row.id,
      place: row.place,
      delayMs: row.delay_hours * HOUR_MS,
      createdAt: Date.parse(row.created_at),
    };
    byStage.set(row.stage_id, [...(byStage.get(row.stage_id) ?? []), step]);
  }
  return byStage;
}

/** Builds the row of a bulk target. Only what the bulk message depends on is known of its lead, unless more was read. */
function targetRow(target: TargetRow, leads: Map<string, RunLead>): RunRow {
  const lead = leads.get(target.lead_id) ?? {
    id: target.lead_id,
    epoch: 0,
    steps: [],
    cursor: 0,
    anchor: 0,
    unreachableReason: target.is_reachable ? null : "UNREACHABLE",
    isOptedOut: false,
    isHeld: false,
    heldUntil: -Infinity,
    passed: [],
    countsFrom: -Infinity,
    hasReplied: false,
    lastMessageAt: target.last_message_at,
    lastBulkAt: null,
    importedAt: null,
  };
  return {
    id: Number(target.id),
    kind: "bulk",
    priority: PRIORITY.bulk,
    notBefore: 0,
    spread: () => 0,
    lead,
    step: null,
    reminder: null,
    isUncertain: false,
    isConfirmed: false,
    isRefused: target.is_refused,
    expiresAt: null,
  };
}

/** Groups reminders of a rule that are planned in the same run into one digest if there are more than a few. */
function remindersOf({ stuck, now, account }: ForecastInput): RunReminder[] {
  const hours = hoursOf(account);
  const plannedAt = ({ at }: StuckRow) => plannerRunAt(Math.max(at, now));
  const expiryOf = (row: StuckRow) =>
    reminderExpiry({
      dueAt: row.due_at,
      now: plannedAt(row),
      isConnected: account.is_connected,
      returnedAt: row.returned_at ?? -Infinity,
      hours,
    });
  const daysOf = (row: StuckRow) => row.delay_days + Math.floor((plannedAt(row) - row.at) / DAY_MS);
  const runs = new Map<string, StuckRow[]>();
  for (const row of stuck.filter((row) => expiryOf(row) > plannedAt(row))) {
    const run = `${row.rule_id}:${plannedAt(row)}`;
    const found = runs.get(run);
    if (found === undefined) runs.set(run, [row]);
    else found.push(row);
  }
  return [...runs.values()].flatMap((rows): RunReminder[] => {
    const last = rows.at(-1);
    if (last === undefined || rows.length <= DIGEST_OVER)
      return rows.map((row) => ({
        at: row.at,
        ruleId: row.rule_id,
        leadId: row.lead_id,
        count: 1,
        days: daysOf(row),
        expiresAt: expiryOf(row),
        spread: () => reminderSpread(account, { reminderId: row.rule_id, leadId: row.lead_id, epoch: row.epoch }),
      }));
    // A digest's position in the spread is random when it is planned; the forecast assumes the middle.
    return [
      {
        at: last.at,
        ruleId: last.rule_id,
        leadId: null,
        count: rows.length,
        days: daysOf(last),
        expiresAt: rows.reduce((latest, row) => Math.max(latest, expiryOf(row)), 0),
        spread: () => 0.5,
      },
    ];
  });
}
