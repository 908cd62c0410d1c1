import TinyQueue from "tinyqueue";
import type { ForecastKind } from "./forecast.ts";
import {
  afterOpening,
  BULK_GUARD_MS,
  COLD_AFTER_MS,
  isWithinHours,
  nextDay,
  nextOpening,
  OVERDUE_LIMIT_MS,
  type AllowedHours,
} from "./schedule.ts";
import { CLAIM_LEAD_MS, GAP_MS, JITTER, PRIORITY } from "./send-pace.ts";

/** All times here are milliseconds since 1970. */
export type RunStep = { id: string; place: number; delayMs: number; createdAt: number };

/** What a lead's automation depends on; the run moves it on as messages leave. */
export type RunLead = {
  id: string;
  epoch: number;
  /** by place */
  steps: readonly RunStep[];
  /** the place from which on it has got nothing */
  cursor: number;
  anchor: number;
  isReachable: boolean;
  isOptedOut: boolean;
  /** held by a person until it is resumed */
  isHeld: boolean;
  /** no step is due before then: the end of a hold, or -Infinity */
  heldUntil: number;
  /** what was skipped in this stage entry, and from when the next step counts, or -Infinity */
  skipped: readonly string[];
  countsFrom: number;
  /** the person spoke last: steps wait for a word of ours by hand */
  hasReplied: boolean;
  lastMessageAt: number | null;
  lastBulkAt: number | null;
  importedAt: number | null;
};

/** The step that a lead stands before: the first from its cursor on. */
export const stepAfter = ({ steps, cursor }: Pick<RunLead, "steps" | "cursor">): RunStep | undefined =>
  steps.find(({ place }) => place >= cursor);

/** A message in the queue. `spread` tells where it stands in an opening's spread, from 0 up to 1. */
export type RunRow = {
  id: number;
  kind: ForecastKind;
  priority: number;
  notBefore: number;
  spread: () => number;
  lead: RunLead | null;
  step: RunStep | null;
  reminder: RunReminder | null;
  isUncertain: boolean;
  isConfirmed: boolean;
  /** Telegram will refuse it: it takes its time in the account's rhythm and changes nothing else */
  isRefused: boolean;
  expiresAt: number | null;
};

/** What a rule will tell of at `at`: one lead that is `days` in its stage, or, as a digest, `count` of them. */
export type RunReminder = {
  at: number;
  ruleId: string;
  leadId: string | null;
  count: number;
  days: number;
  spread: () => number;
};

export type RunFacts = {
  now: number;
  until: number;
  hours: AllowedHours;
  isConnected: boolean;
  pausedUntil: number | null;
  /** sends by hand go on all the same */
  isStopped: boolean;
  /** when access ends, Infinity for never */
  accessUntil: number;
  isAutomated: boolean;
  automatedSince: number;
  /** automatic messages are written down, and none leaves */
  isDryRun: boolean;
  dryRunEndedAt: number;
  lastStartedAt: number | null;
  lastGapMs: number;
  dailyCap: number;
  coldToday: number;
  job: { throttleMs: number; pausedUntil: number | null } | null;
  queue: readonly RunRow[];
  /** whose next step becomes due by itself */
  candidates: readonly RunLead[];
  reminders: readonly RunReminder[];
  /** of a step that is not in the queue yet */
  spreadOf(lead: RunLead, step: RunStep): number;
  /** whether a step went out in this stage entry already, or never will */
  isUsed(lead: RunLead, step: RunStep): boolean;
};

export type RunSend = { at: number; row: RunRow };
export type Run = {
  /** what leaves before `until`, in its order */
  readonly sends: RunSend[];
  /** Leads for whom it was taken as given that a later step is free, or that their step was never planned before. */
  readonly assumed: ReadonlySet<RunLead>;
  /** Goes on for so many turns. @returns whether there is more to do */
  advance(turns: number): boolean;
};

/** Ids of rows that are not written yet stand behind all that are. */
const FIRST_NEW_ID = 2 ** 50;
const MEAN_GAP = 1 + JITTER / 2;

type Plan = { at: number; lead: RunLead } | { at: number; reminder: RunReminder };

/**
 * The engine's own future while nobody writes: what the planner will plan, when the queue lets each message go (hours, pauses, limits,
 * the guard after a bulk message, the rhythm between sends at its mean), and what follows from each send. It changes the leads it is given.
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
  let newId = FIRST_NEW_ID;
  let time = now;

  const held = (at: number, spread: () => number) =>
    isWithinHours(at, hours) ? at : afterOpening(at, hours, spread(), openingAfter(at));
  const nextStep = (lead: RunLead): RunStep | null => {
    const step = stepAfter(lead);
    return step === undefined || lead.skipped.includes(step.id) || facts.isUsed(lead, step) ? null : step;
  };
  const isOpen = (lead: RunLead) => lead.isReachable && !lead.hasReplied && !lead.isOptedOut && !lead.isHeld;
  const planLater = (lead: RunLead) => {
    if (!facts.isAutomated || !isOpen(lead)) return;
    const step = nextStep(lead);
    if (step === null) return;
    const at = dueOf(lead, step);
    if (at < until) plans.push({ at, lead });
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
    const at = Math.max(plan.at, now);
    if ("reminder" in plan) {
      if (at >= facts.accessUntil) return;
      const { reminder } = plan;
      const { spread } = reminder;
      later.push(newRow({ kind: "reminder", notBefore: held(at, () => 0), spread, lead: null, step: null, reminder }));
      return;
    }
    const { lead } = plan;
    const step = nextStep(lead);
    if (step === null || inQueue.has(lead) || dueOf(lead, step) !== plan.at) return;
    const spread = () => facts.spreadOf(lead, step);
    const planned = held(plan.at, spread);
    inQueue.add(lead);
    if (planned !== plan.at || step !== first.get(lead)) assumed.add(lead);
    const notBefore = planned >= at ? planned : held(at, spread);
    later.push(newRow({ kind: "followup", notBefore, spread, lead, step, reminder: null }));
  };

  const isCold = ({ kind, lead }: RunRow): boolean =>
    kind !== "reminder" && lead !== null && (lead.lastMessageAt === null || lead.lastMessageAt < time - COLD_AFTER_MS);
  const coldLeft = (): number => facts.dailyCap - (dayNumber(time) === cold.day ? cold.count : 0);

  const withdraw = (row: RunRow) => {
    if (row.kind !== "followup" || row.lead === null) return;
    inQueue.delete(row.lead);
    const step = nextStep(row.lead);
    if (step !== null && dueOf(row.lead, step) > time) planLater(row.lead);
  };

  /** @returns until when the row is held, null for never again, or that it may leave */
  const judge = (row: RunRow): "send" | { until: number | null } => {
    const { lead, step } = row;
    if (row.kind === "reminder") return isWithinHours(time, hours) ? "send" : { until: held(time, row.spread) };
    if (lead === null) return { until: null };
    if (row.kind === "reply" || row.kind === "manual")
      return row.expiresAt !== null && row.expiresAt <= time && !row.isUncertain ? { until: null } : "send";
    if (row.kind === "bulk")
      return !lead.isOptedOut && (row.isUncertain || lead.isReachable) ? "send" : { until: null };
    if (step === null || !isOpen(lead) || step !== nextStep(lead)) return { until: null };
    const dueAt = dueOf(lead, step);
    if (!row.isConfirmed && !row.isUncertain && (!facts.isAutomated || isOverdue(lead, step, facts)))
      return { until: null };
    if (dueAt > time) return { until: null };
    if (!isWithinHours(time, hours)) return { until: held(time, row.spread) };
    if (row.isUncertain) return "send";
    if (lead.lastBulkAt !== null && lead.lastBulkAt + BULK_GUARD_MS > time)
      return { until: lead.lastBulkAt + BULK_GUARD_MS };
    return isCold(row) && coldLeft() <= 0 ? { until: nextDay(time) } : "send";
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

  /** When something may change by itself next. */
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
    const verdict = judge(row);
    const isForLimit = row.kind === "bulk" && verdict === "send" && !row.isUncertain && isCold(row) && coldLeft() <= 0;
    if (isForLimit && job !== null) {
      job.pausedUntil = nextDay(time);
      return true;
    }
    if (verdict === "send" && facts.isDryRun && !row.isUncertain && isAutomatic(row)) {
      from.pop();
      return true;
    }
    if (verdict !== "send") {
      from.pop();
      if (verdict.until === null) withdraw(row);
      else later.push({ ...row, notBefore: Math.max(verdict.until, time + 1) });
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

/** What no person pressed a button for. */
const isAutomatic = ({ kind }: RunRow): boolean => kind === "followup" || kind === "reminder";

/** By its delay, and never before the end of a hold. */
export const dueOf = (lead: RunLead, step: RunStep): number =>
  Math.max(Math.max(lead.anchor, lead.countsFrom) + step.delayMs, lead.heldUntil);

/** Overdue by more than a day when it could first go out by itself, or due before a dry run ended: a backlog, and the person decides. */
function isOverdue(lead: RunLead, step: RunStep, { automatedSince, dryRunEndedAt }: RunFacts): boolean {
  const dueAt = dueOf(lead, step);
  if (dueAt <= Math.max(lead.importedAt ?? -Infinity, dryRunEndedAt)) return true;
  return dueAt < Math.max(automatedSince, step.createdAt) - OVERDUE_LIMIT_MS;
}

/** The next opening is the same for all that is held before it: asked for once. */
function rememberOpenings(hours: AllowedHours): (at: number) => number {
  let known = { from: Infinity, opening: -Infinity };
  return (at) => {
    if (at < known.from || at >= known.opening) known = { from: at, opening: nextOpening(at, hours) };
    return known.opening;
  };
}
