import * as v from "valibot";
import type { AutomationCode } from "./automation-messages.ts";
import { Timestamp } from "./schema-parts.ts";
import {
  afterOpening,
  type AllowedHours,
  BULK_GUARD_MS,
  isBacklog,
  isColdAt,
  isWithinHours,
  nextDay,
  sendTime,
} from "./schedule.ts";
import { isContentRefusal } from "./send-outcome.ts";
import { StepRef, SentenceFact } from "./story.ts";
import { fieldProblem } from "./schema-message.ts";

/** The states of a lead's automation, in the order in which they are decided. */
export const AUTOMATION_STATES = [
  "no_steps",
  "finished",
  "opted_out",
  "unreachable",
  "held",
  "answered",
  "no_subscription",
  "not_connected",
  "automation_off",
  "account_stopped",
  "overdue_unconfirmed",
  "account_paused",
  "waiting_for_hours",
  "waiting_after_bulk",
  "waiting_for_limit",
  "scheduled",
] as const;
export type AutomationState = (typeof AUTOMATION_STATES)[number];

/**
 * `GET /leads/{id}/automation`: what automation does next for this lead. `due_at` is when the step will be sent, null where that
 * depends on the user; `words` say what happens next and who must act.
 */
export const LeadAutomation = v.object({
  state: v.picklist(AUTOMATION_STATES),
  due_at: v.optional(v.nullable(v.string()), null),
  step: v.optional(v.nullable(StepRef), null),
  words: v.string(),
  ...SentenceFact.entries,
  /** distinguishes one stay in a stage from the next */
  stage_entered_at: v.optional(v.nullable(v.string()), null),
});
export type LeadAutomation = v.InferOutput<typeof LeadAutomation>;

/** `POST /leads/{id}/automation`: `until` belongs to a hold; without it the hold lasts until it is resumed. */
export const LeadAutomationRequest = v.pipe(
  v.strictObject({
    action: v.picklist(["skip", "hold", "resume"], fieldProblem("automation_action")),
    until: v.optional(v.nullable(Timestamp)),
  }),
  v.forward(
    v.check(({ action, until }) => action === "hold" || until == null, fieldProblem("until_without_hold")),
    ["until"],
  ),
);
export type LeadAutomationRequest = v.InferOutput<typeof LeadAutomationRequest>;

/** The status of a step in the lead's current stage entry: of its message, or of the user's decision. */
export type StepUse = {
  state: "pending" | "sending" | "sent" | "unknown" | "failed" | "skipped" | "would_send";
  reason: string | null;
  /** planned to be sent no earlier than this */
  notBefore: number | null;
  /** the user approved it although it was overdue */
  isConfirmed: boolean;
  /** it may have been delivered already, so it is retried whatever else changes */
  isUncertain: boolean;
};

/** Everything that decides what automation does with a lead. Times are milliseconds. */
export type AutomationFacts = {
  now: number;
  hasSteps: boolean;
  isOptedOut: boolean;
  unreachableReason: string | null;
  /** until when the lead is held; Infinity until it is resumed */
  heldUntil: number | null;
  /** it is held because its stage was deleted */
  isStageDeleted: boolean;
  /** the step at the lead's place; null when there is none left */
  step: {
    /** by its delay, and never before the end of a hold */
    dueAt: number;
    createdAt: number;
    hasReplied: boolean;
    use: StepUse | null;
  } | null;
  importedAt: number | null;
  lastMessageAt: number | null;
  lastBulkAt: number | null;
  hasAccess: boolean;
  isConnected: boolean;
  isAutomated: boolean;
  automatedSince: number | null;
  isDryRun: boolean;
  dryRunEndedAt: number | null;
  isStopped: boolean;
  pausedUntil: number | null;
  coldLeft: number;
  hours: AllowedHours;
  /** this step's position in an opening's spread, from 0 up to 1 */
  spread: number;
};

/** A reachable lead whose account can send. */
export const READY_TO_SEND: Omit<AutomationFacts, "now" | "step"> = {
  hasSteps: true,
  isOptedOut: false,
  unreachableReason: null,
  heldUntil: null,
  isStageDeleted: false,
  importedAt: null,
  lastMessageAt: null,
  lastBulkAt: null,
  hasAccess: true,
  isConnected: true,
  isAutomated: true,
  automatedSince: null,
  isDryRun: false,
  dryRunEndedAt: null,
  isStopped: false,
  pausedUntil: null,
  coldLeft: 1,
  hours: { startHour: 0, endHour: 0 },
  spread: 0,
};

const isPlanned = ({ step }: AutomationFacts) => step?.use?.state === "pending";
const isConfirmed = (facts: AutomationFacts) => isPlanned(facts) && facts.step?.use?.isConfirmed === true;
const isDue = ({ now, step }: AutomationFacts) => step !== null && step.dueAt <= now;
const isRefused = ({ step }: AutomationFacts) => step?.use?.state === "failed" || step?.use?.state === "skipped";
/** A refused message waits for the user to edit it; a refused recipient waits for the lead to write. */
const isRefusedContent = (facts: AutomationFacts) =>
  isRefused(facts) && isContentRefusal(facts.step?.use?.reason ?? "");

const needsConfirmation = (facts: AutomationFacts): boolean =>
  facts.step !== null &&
  (facts.step.use?.state === "would_send" || isBacklog({ ...facts.step, importedAt: facts.importedAt }, facts));

/** When the step is sent if only the allowed hours delay it, from a given time on. */
function leavesFrom(facts: AutomationFacts, from: number): number {
  const { step, hours, spread } = facts;
  const planned = isPlanned(facts) && isDue(facts) ? (step?.use?.notBefore ?? 0) : 0;
  return sendTime({ dueAt: Math.max(step?.dueAt ?? from, planned), now: from, hours, spread });
}

const bulkEnd = ({ lastBulkAt }: AutomationFacts): number => (lastBulkAt ?? -Infinity) + BULK_GUARD_MS;

/** The guards of the chart `leadAutomation`. */
export const AUTOMATION_GUARDS = {
  hasNoSteps: ({ step, hasSteps }) => step === null && !hasSteps,
  hasNoStepLeft: ({ step }) => step === null,
  isUnderWay: ({ step }) => step?.use?.state === "sending" || (step?.use?.state === "pending" && step.use.isUncertain),
  isUsed: ({ step }) => step?.use?.state === "sent" || step?.use?.state === "unknown",
  isOptedOut: ({ isOptedOut }) => isOptedOut,
  isUnreachable: (facts) => facts.unreachableReason !== null || (isRefused(facts) && !isRefusedContent(facts)),
  isHeld: (facts) => (facts.heldUntil ?? 0) > facts.now || isRefusedContent(facts),
  hasAnswered: ({ step }) => step?.hasReplied === true,
  hasNoAccess: ({ hasAccess }) => !hasAccess,
  isDisconnected: ({ isConnected }) => !isConnected,
  isSwitchedOff: (facts) => !facts.isAutomated && !isConfirmed(facts),
  isStopped: ({ isStopped }) => isStopped,
  isOverdue: (facts) => isDue(facts) && !isConfirmed(facts) && needsConfirmation(facts),
  // The message that caused the wait is held until its end.
  isPaused: (facts) =>
    facts.pausedUntil !== null && facts.pausedUntil > facts.now && leavesFrom(facts, facts.now) <= facts.pausedUntil,
  isOutsideHours: (facts) => isDue(facts) && !isWithinHours(facts.now, facts.hours),
  isAfterBulk: (facts) => isDue(facts) && bulkEnd(facts) > facts.now,
  isOverLimit: (facts) => isDue(facts) && isColdAt(facts.lastMessageAt, facts.now) && facts.coldLeft <= 0,
} as const satisfies Record<string, (facts: AutomationFacts) => boolean>;

/**
 * The chart `leadAutomation`: the first transition whose guard holds gives a lead's state. Permanent stops come before waits of
 * the account, and these before waits of the next step.
 */
export const AUTOMATION_CHART = {
  id: "leadAutomation",
  initial: "deciding",
  states: {
    deciding: {
      always: [
        { guard: "hasNoSteps", target: "no_steps" },
        { guard: "hasNoStepLeft", target: "finished" },
        { guard: "isUnderWay", target: "scheduled" },
        { guard: "isUsed", target: "finished" },
        { guard: "isOptedOut", target: "opted_out" },
        { guard: "isUnreachable", target: "unreachable" },
        { guard: "isHeld", target: "held" },
        { guard: "hasAnswered", target: "answered" },
        { guard: "hasNoAccess", target: "no_subscription" },
        { guard: "isDisconnected", target: "not_connected" },
        { guard: "isSwitchedOff", target: "automation_off" },
        { guard: "isStopped", target: "account_stopped" },
        { guard: "isOverdue", target: "overdue_unconfirmed" },
        { guard: "isPaused", target: "account_paused" },
        { guard: "isOutsideHours", target: "waiting_for_hours" },
        { guard: "isAfterBulk", target: "waiting_after_bulk" },
        { guard: "isOverLimit", target: "waiting_for_limit" },
        { target: "scheduled" },
      ],
    },
    no_steps: {},
    finished: {},
    opted_out: {},
    unreachable: {},
    held: {},
    answered: {},
    no_subscription: {},
    not_connected: {},
    automation_off: {},
    account_stopped: {},
    overdue_unconfirmed: {},
    account_paused: {},
    waiting_for_hours: {},
    waiting_after_bulk: {},
    waiting_for_limit: {},
    scheduled: {},
  },
} as const;

type Transition = { guard?: keyof typeof AUTOMATION_GUARDS; target: AutomationState };
const TRANSITIONS: readonly Transition[] = AUTOMATION_CHART.states.deciding.always;

/**
 * Returns the state that the chart takes from these facts. It reads the chart's transitions itself: an actor takes 50 microseconds, too
 * slow for a plan of a thousand leads.
 */
export const automationState = (facts: AutomationFacts): AutomationState =>
  TRANSITIONS.find(({ guard }) => guard === undefined || AUTOMATION_GUARDS[guard](facts))?.target ?? "scheduled";

/** When a step in that state will be sent; null where that depends on the user. */
function dueIn(state: AutomationState, facts: AutomationFacts): number | null {
  const { use } = facts.step ?? {};
  switch (state) {
    case "scheduled":
      return use?.state === "sending" ? facts.now : leavesFrom(facts, facts.now);
    case "held":
      return isRefused(facts) || facts.heldUntil === Infinity ? null : leavesFrom(facts, facts.heldUntil ?? facts.now);
    case "account_paused":
      return leavesFrom(facts, facts.pausedUntil ?? facts.now);
    case "waiting_for_hours": {
      const planned = use?.notBefore ?? 0;
      return planned > facts.now && isWithinHours(planned, facts.hours)
        ? planned
        : afterOpening(facts.now, facts.hours, facts.spread);
    }
    case "waiting_after_bulk":
      return leavesFrom(facts, bulkEnd(facts));
    case "waiting_for_limit":
      return leavesFrom(facts, nextDay(facts.now));
    default:
      return null;
  }
}

const BY_ITSELF: readonly AutomationState[] = [
  "account_paused",
  "waiting_for_hours",
  "waiting_after_bulk",
  "waiting_for_limit",
  "scheduled",
];

/** Returns the code of the text for a state, and the reason that the text names. */
function sentenceOf(state: AutomationState, facts: AutomationFacts): { code: AutomationCode; reason: string | null } {
  const plain = (code: AutomationCode) => ({ code, reason: null });
  if (facts.step === null) return plain(state);
  const { use } = facts.step;
  if (state === "unreachable")
    return { code: "unreachable_because", reason: facts.unreachableReason ?? use?.reason ?? "" };
  if (state === "held" && isRefused(facts)) return { code: "held_content", reason: use?.reason ?? "" };
  if (state === "held" && facts.isStageDeleted) return plain("held_stage_deleted");
  if (state === "held" && facts.heldUntil !== Infinity) return plain("held_until");
  if (state === "scheduled" && use?.state === "sending") return plain("being_sent");
  if (use?.state === "would_send" && state === "overdue_unconfirmed") return plain("dry_run_overdue");
  return plain(facts.isDryRun && BY_ITSELF.includes(state) ? "dry_run" : state);
}

/** Returns what a lead's automation is doing, when its next step is due, and the code of the text that says so. */
export function leadAutomation(facts: AutomationFacts): {
  state: AutomationState;
  dueAt: number | null;
  code: AutomationCode;
  reason: string | null;
} {
  const state = automationState(facts);
  return { state, dueAt: dueIn(state, facts), ...sentenceOf(state, facts) };
}
