import TinyQueue from "tinyqueue";
import {
  stepAfter,
  type RunFacts,
  type RunLead,
  type RunReminder,
  type RunRow,
  type RunStep,
} from "./forecast-facts.ts";
import { plannerRunAt } from "./reminder-expiry.ts";
import { afterOpening, isColdAt, isWithinHours, nextOpening, type AllowedHours } from "./schedule.ts";
import { decideSend, planState, type SendGate, type SendDecision } from "./send-decision.ts";
import { CLAIM_LEAD_MS, GAP_MS, JITTER, PRIORITY } from "./send-pace.ts";

export type RunSend = { at: number; row: RunRow };
export type Run = {
  /** the messages sent before `until`, in order */
  readonly sends: RunSend[];
  /** Leads for which the forecast assumed that a later step, or their next one, was never planned before. */
  readonly assumed: ReadonlySet<RunLead>;
  /** Runs this many turns. @returns whether there is more to do */
  advance(turns: number): boolean;
};

/** Ids of rows not yet written sort after all existing ones. */
const FIRST_NEW_ID = 2 ** 50;
const MEAN_GAP = 1 + JITTER / 2;

type Plan = { at: number; lead: RunLead } | { at: number; reminder: RunReminder };

/**
 * Simulates the engine, assuming that no lead writes: what the planner will plan, when the queue sends each message (hours, pauses, limits,
 * the guard after a bulk message, the mean gap between sends), and what follows from each send. It changes the leads passed in.
 */
export function startRun(facts: RunFacts): Run {
  const { now, until, hours } = facts;
  const sends: RunSend[] = [];
  const plans = new TinyQueue<Plan>([], (a, b) => a.at - b.at || (keyOf(a) < keyOf(b) ? -1 : 1));
  const later = new TinyQueue<RunRow>([], (a, b) => a.notBefore - b.notBefore || a.id - b.id);
  const inOrder = (a: RunRow, b: RunRow) => a.priority - b.priority || a.id - b.id;
  const due = {
    hand: new TinyQueue<RunRow>([], inOrder),
    automatic: new TinyQueue<RunRow>([], inOrder),
    bulk: new TinyQueue<RunRow>([], inOrder),
  };
  const inQueue = new Set<RunLead>();
  const assumed = new Set<RunLead>();
  const first = new Map<RunLead, RunStep | null>();
  const job = facts.job === null ? null : { ...facts.job };
  const pace = { lastStartedAt: facts.lastStartedAt, lastGapMs: facts.lastGapMs };
  const cold = { day: dayNumber(now), count: facts.coldToday };
  const openingAfter = rememberOpenings(hours);
  const gate: SendGate = { ...facts, openingAfter, coldLeft: 0 };
  let newId = FIRST_NEW_ID;
  let time = now;

  const postpone = (at: number, spread: () => number) =>
    isWithinHours(at, hours) ? at : afterOpening(at, hours, spread(), openingAfter(at));
  const nextStep = (lead: RunLead): RunStep | null => {
    const step = stepAfter(lead);
    return step === undefined || facts.isUsed(lead, step) ? null : step;
  };
  const planLater = (lead: RunLead) => {
    const step = nextStep(lead);
    if (step === null) return;
    const at = dueOf(lead, step);
    if (at < until && planState(lead, standingOf(lead, step), facts, at) === "scheduled") plans.push({ at, lead });
  };
  const newRow = (row: Pick<RunRow, "kind" | "notBefore" | "spread" | "lead" | "step" | "reminder">): RunRow => {
    newId += 1;
    return {
      ...row,
      id: newId,
      priority: PRIORITY[row.kind],
      isUncertain: false,
      isConfirmed: false,
      isRefused: false,
      expiresAt: null,
    };
  };

  const carryOut = (plan: Plan) => {
    if ("reminder" in plan) {
      // The allowed hours may have ended by then.
      const at = plannerRunAt(Math.max(plan.at, now));
      if (at >= facts.accessUntil) return;
      const { reminder } = plan;
      const { spread, expiresAt } = reminder;
      const notBefore = postpone(at, () => 0);
      later.push({ ...newRow({ kind: "reminder", notBefore, spread, lead: null, step: null, reminder }), expiresAt });
      return;
    }
    const at = Math.max(plan.at, plannerRunAt(now));
    const { lead } = plan;
    const step = nextStep(lead);
    if (step === null || inQueue.has(lead) || dueOf(lead, step) !== plan.at) return;
    const spread = () => facts.spreadOf(lead, step);
    const planned = postpone(plan.at, spread);
    inQueue.add(lead);
    if (planned !== plan.at || step !== first.get(lead)) assumed.add(lead);
    const notBefore = planned >= at ? planned : postpone(at, spread);
    later.push(newRow({ kind: "followup", notBefore, spread, lead, step, reminder: null }));
  };

  const isCold = ({ kind, lead }: RunRow): boolean =>
    kind !== "reminder" && lead !== null && isColdAt(lead.lastMessageAt, time);
  const coldLeft = (): number => facts.dailyCap - (dayNumber(time) === cold.day ? cold.count : 0);

  const withdraw = (row: RunRow) => {
    if (row.kind !== "followup" || row.lead === null) return;
    inQueue.delete(row.lead);
    const step = nextStep(row.lead);
    if (step !== null && dueOf(row.lead, step) > time) planLater(row.lead);
  };

  const decide = (row: RunRow): SendDecision => {
    const { lead, step } = row;
    gate.coldLeft = coldLeft();
    return decideSend(
      {
        kind: row.kind,
        isUncertain: row.isUncertain,
        isOfOtherAccount: false,
        isConfirmed: row.isConfirmed,
        expiresAt: row.expiresAt,
        person: lead,
        step: lead === null || step === null || step !== nextStep(lead) ? null : standingOf(lead, step),
        reminder: null,
        isOfJob: true,
        spread: row.spread,
      },
      gate,
      time,
    );
  };

  const send = (row: RunRow, startAt: number, throttle: number) => {
    const wasCold = isCold(row);
    time = startAt;
    pace.lastStartedAt = startAt;
    pace.lastGapMs = Math.ceil(throttle * MEAN_GAP);
    sends.push({ at: startAt, row });
    if (row.isRefused) return;
    if (wasCold) {
      const day = dayNumber(time);
      if (cold.day !== day) Object.assign(cold, { day, count: 0 });
      cold.count += 1;
    }
    const { lead, step, kind } = row;
    if (lead === null || kind === "reminder") return;
    // Telegram counts whole seconds.
    const at = startAt - (startAt % 1_000);
    lead.lastMessageAt = Math.max(lead.lastMessageAt ?? 0, at);
    if (kind === "bulk") lead.lastBulkAt = startAt;
    else lead.anchor = Math.max(lead.anchor, at);
    if (kind === "reply" || kind === "manual") lead.hasReplied = false;
    if (step !== null) lead.cursor = Math.max(lead.cursor, step.place + 1);
    if (kind === "followup") inQueue.delete(lead);
    if (kind !== "bulk" && !inQueue.has(lead)) planLater(lead);
  };

  const queueOf = (row: RunRow) => {
    if (row.kind === "reply" || row.kind === "manual") return due.hand;
    return row.kind === "bulk" && !row.isUncertain ? due.bulk : due.automatic;
  };

  /** The first row that the account may reach now. */
  const head = () => {
    const isByHandOnly = facts.isStopped || time >= facts.accessUntil;
    const isBulkOpen = job !== null && (job.pausedUntil ?? 0) <= time;
    let found: { row: RunRow; from: typeof due.hand } | null = null;
    for (const from of isByHandOnly
      ? [due.hand]
      : isBulkOpen
        ? [due.hand, due.automatic, due.bulk]
        : [due.hand, due.automatic]) {
      const row = from.peek();
      if (row !== undefined && (found === null || inOrder(row, found.row) < 0)) found = { row, from };
    }
    return found;
  };

  const arrive = () => {
    for (let plan = plans.peek(); plan !== undefined && plan.at <= time; plan = plans.peek()) {
      plans.pop();
      carryOut(plan);
    }
    for (let row = later.peek(); row !== undefined && row.notBefore <= time; row = later.peek()) {
      later.pop();
      queueOf(row).push(row);
    }
  };

  /** The next time at which something can change. */
  const nextTime = (): number => {
    const jobAgain =
      job !== null && due.bulk.length > 0 && (job.pausedUntil ?? 0) > time ? (job.pausedUntil ?? 0) : Infinity;
    return Math.min(plans.peek()?.at ?? Infinity, later.peek()?.notBefore ?? Infinity, jobAgain);
  };

  const turn = (): boolean => {
    if (facts.pausedUntil !== null && facts.pausedUntil > time) time = facts.pausedUntil;
    arrive();
    const found = head();
    if (found === null) {
      time = Math.max(time, nextTime());
      return time < until;
    }
    const { row, from } = found;
    const decision = decide(row);
    if (decision.do === "pauseJob" && job !== null) {
      job.pausedUntil = decision.until;
      return true;
    }
    if (decision.do === "send" && facts.isDryRun && !row.isUncertain && isAutomatic(row)) {
      from.pop();
      return true;
    }
    if (decision.do !== "send") {
      from.pop();
      if (decision.do === "hold") later.push({ ...row, notBefore: Math.max(decision.until, time + 1) });
      else withdraw(row);
      return true;
    }
    const throttle = row.kind === "bulk" && job !== null ? job.throttleMs : GAP_MS[row.kind];
    const gap = row.kind === "reply" ? throttle : Math.max(pace.lastGapMs, throttle);
    const startAt = pace.lastStartedAt === null ? time : Math.max(time, pace.lastStartedAt + gap);
    if (startAt >= until) return false;
    if (startAt - time > CLAIM_LEAD_MS) {
      time = startAt - CLAIM_LEAD_MS;
      return true;
    }
    from.pop();
    send(row, startAt, throttle);
    return true;
  };

  if (facts.isConnected) {
    for (const row of facts.queue) {
      if (row.kind === "followup" && row.lead !== null) inQueue.add(row.lead);
      later.push(row);
    }
    for (const lead of facts.candidates) {
      first.set(lead, nextStep(lead));
      planLater(lead);
    }
    for (const reminder of facts.reminders) plans.push({ at: reminder.at, reminder });
  }
  let isOver = !facts.isConnected;
  return {
    sends,
    assumed,
    advance(turns) {
      for (let left = turns; left > 0 && !isOver; left -= 1) isOver = !turn();
      return !isOver;
    },
  };
}

const keyOf = (plan: Plan): string =>
  "lead" in plan ? plan.lead.id : plan.reminder.ruleId + (plan.reminder.leadId ?? "");
const dayNumber = (at: number): number => Math.floor(at / 86_400_000);

/** Automatic messages. */
const isAutomatic = ({ kind }: RunRow): boolean => kind === "followup" || kind === "reminder";

/** By its delay, and never before the end of a hold. */
const dueOf = (lead: RunLead, step: RunStep): number =>
  Math.max(Math.max(lead.anchor, lead.countsFrom) + step.delayMs, lead.heldUntil);

/** What the rule needs to know of a lead's step. */
export const standingOf = (lead: RunLead, step: RunStep) => ({
  dueAt: dueOf(lead, step),
  createdAt: step.createdAt,
  importedAt: lead.importedAt,
  hasReplied: lead.hasReplied,
  isHeld: lead.isHeld,
});

/** All messages that wait for the same opening share one calculation. */
function rememberOpenings(hours: AllowedHours): (at: number) => number {
  let known = { from: Infinity, opening: -Infinity };
  return (at) => {
    if (at < known.from || at >= known.opening) known = { from: at, opening: nextOpening(at, hours) };
    return known.opening;
  };
}
