import { type AutomationState, automationState, READY_TO_SEND } from "./lead-automation.ts";
import { OPTED_OUT } from "./send-outcome.ts";
import {
  afterOpening,
  BULK_GUARD_MS,
  isColdAt,
  isWithinHours,
  nextDay,
  nextOpening,
  type AllowedHours,
} from "./schedule.ts";
import { UNDO_MS } from "./limits.ts";

/** Everything that decides whether one message may be sent. All times are milliseconds since 1970. */
export type SendFacts = {
  kind: "reply" | "manual" | "followup" | "reminder" | "bulk";
  /** an attempt got no response: it may have been delivered */
  isUncertain: boolean;
  /** that attempt was another Telegram account's */
  isOfOtherAccount: boolean;
  isConfirmed: boolean;
  expiresAt: number | null;
  /** the recipient; null when that lead was deleted, or for messages without a lead */
  person: {
    unreachableReason: string | null;
    isOptedOut: boolean;
    lastMessageAt: number | null;
    lastBulkAt: number | null;
  } | null;
  /** the lead's next step; null when it is no longer this message's */
  step: {
    dueAt: number;
    createdAt: number;
    importedAt: number | null;
    hasReplied: boolean;
    isHeld: boolean;
  } | null;
  reminder: { isEnabled: boolean; deletedAt: number | null; isOfEntry: boolean } | null;
  /** of the bulk job that is running */
  isOfJob: boolean;
  /** @returns its position in an opening's spread, from 0 up to 1 */
  spread: () => number;
};

/** The account's facts, which apply to all of its messages. */
export type SendGate = {
  hours: AllowedHours;
  isAutomated: boolean;
  automatedSince: number | null;
  dryRunEndedAt: number | null;
  coldLeft: number;
  /** @returns the cached next opening after a time */
  openingAfter?: (at: number) => number;
};

/** What to do with the message at the head of a queue. */
export type SendDecision =
  | { do: "send" }
  /** never to be sent; counted as skipped */
  | { do: "skip"; reason: string }
  /** not for now */
  | { do: "hold"; until: number }
  /** planned too early or outdated: the planner makes a new row when it is due again */
  | { do: "drop" }
  /** it may have been delivered, and must not be retried */
  | { do: "abandon"; reason: string }
  /** withdrawn: nothing was delivered and nothing will be */
  | { do: "cancel"; reason: string }
  | { do: "pauseJob"; until: number; reason: "daily_limit" };

type Person = NonNullable<SendFacts["person"]>;
type Step = NonNullable<SendFacts["step"]>;
const CONFIRMED = { state: "pending", reason: null, notBefore: null, isConfirmed: true, isUncertain: false } as const;

/** Returns the automation state of one step at a moment at which its account may send. */
export const stepState = (
  { unreachableReason, isOptedOut, lastMessageAt, lastBulkAt }: Person,
  { dueAt, createdAt, importedAt, hasReplied, isHeld }: Step,
  { hours, isAutomated, automatedSince, dryRunEndedAt, coldLeft }: SendGate,
  now: number,
  isConfirmed = false,
): AutomationState =>
  automationState({
    ...READY_TO_SEND,
    now,
    hours,
    isAutomated,
    automatedSince,
    dryRunEndedAt,
    coldLeft,
    unreachableReason,
    isOptedOut,
    lastMessageAt,
    lastBulkAt,
    importedAt,
    heldUntil: isHeld ? Infinity : null,
    step: { dueAt, createdAt, hasReplied, use: isConfirmed ? CONFIRMED : null },
  });

/**
 * Returns the state in which the planner finds a step: `scheduled` to plan it, `overdue_unconfirmed` to list it. Hours, limits and bulk
 * messages are left to the claim.
 */
export const planState = (
  person: Pick<Person, "unreachableReason" | "isOptedOut">,
  step: Step,
  { isAutomated, automatedSince, dryRunEndedAt }: Pick<SendGate, "isAutomated" | "automatedSince" | "dryRunEndedAt">,
  at: number,
): AutomationState => {
  const gate = { ...READY_TO_SEND, isAutomated, automatedSince, dryRunEndedAt };
  return stepState({ ...person, lastMessageAt: at, lastBulkAt: null }, step, gate, at);
};

/** Applies every condition of sending to one message. The claim and the forecast both use it. */
export function decideSend(message: SendFacts, gate: SendGate, now: number): SendDecision {
  const { kind, isUncertain, person } = message;
  // Telegram deduplicates ids per account: from another account a retry would be a second message.
  if (isUncertain && message.isOfOtherAccount) return { do: "abandon", reason: "ACCOUNT_CHANGED" };
  if (kind === "reminder") return decideReminder(message, gate, now);
  if (person === null)
    return isUncertain ? { do: "abandon", reason: "LEAD_DELETED" } : { do: "skip", reason: "LEAD_DELETED" };
  if (kind === "reply" || kind === "manual") {
    const isLate = message.expiresAt !== null && message.expiresAt <= now;
    return isLate && !isUncertain ? { do: "cancel", reason: "EXPIRED" } : { do: "send" };
  }
  if (kind === "followup") return decideFollowup(message, person, gate, now);
  if (!message.isOfJob)
    return isUncertain ? { do: "abandon", reason: "JOB_ENDED" } : { do: "cancel", reason: "JOB_ENDED" };
  if (person.isOptedOut) return isUncertain ? { do: "abandon", reason: OPTED_OUT } : { do: "skip", reason: OPTED_OUT };
  if (isUncertain) return { do: "send" };
  if (person.unreachableReason !== null) return { do: "skip", reason: person.unreachableReason };
  return isColdAt(person.lastMessageAt, now) && gate.coldLeft <= 0
    ? { do: "pauseJob", until: nextDay(now), reason: "daily_limit" }
    : { do: "send" };
}

/** Why a planned step is withdrawn; the planner makes a new row if it is due again. */
const WITHDRAWN: Partial<Record<AutomationState, string>> = {
  finished: "MOVED_ON",
  opted_out: OPTED_OUT,
  unreachable: "UNREACHABLE",
  held: "HELD",
  answered: "REPLIED",
};

function decideFollowup(message: SendFacts, person: Person, gate: SendGate, now: number): SendDecision {
  const { step, isUncertain } = message;
  const give = (reason: string): SendDecision => (isUncertain ? { do: "abandon", reason } : { do: "drop" });
  if (step === null) return give("MOVED_ON");
  // It may have been delivered already, so it is retried despite the limit or a later bulk message.
  const known = isUncertain ? { ...person, lastMessageAt: now, lastBulkAt: null } : person;
  const state = stepState(known, step, gate, now, message.isConfirmed || isUncertain);
  switch (state) {
    case "scheduled":
      return step.dueAt > now ? give("MOVED_ON") : { do: "send" };
    case "waiting_for_hours":
      return { do: "hold", until: opening(message, gate, now) };
    case "waiting_after_bulk":
      return { do: "hold", until: (person.lastBulkAt ?? now) + BULK_GUARD_MS };
    case "waiting_for_limit":
      return { do: "hold", until: nextDay(now) };
    default: {
      const reason = WITHDRAWN[state];
      return reason === undefined ? { do: "drop" } : give(reason);
    }
  }
}

function decideReminder(message: SendFacts, gate: SendGate, now: number): SendDecision {
  const { reminder, isUncertain } = message;
  if (reminder?.deletedAt != null) {
    const until = reminder.deletedAt + UNDO_MS;
    if (until > now) return { do: "hold", until };
    return isUncertain ? { do: "abandon", reason: "RULE_DELETED" } : { do: "cancel", reason: "RULE_DELETED" };
  }
  if (!isUncertain && reminder !== null) {
    if (!reminder.isEnabled) return { do: "cancel", reason: "RULE_DISABLED" };
    if (!reminder.isOfEntry) return { do: "cancel", reason: "MOVED_ON" };
  }
  if (!isUncertain && message.expiresAt !== null && message.expiresAt <= now)
    return { do: "cancel", reason: "EXPIRED" };
  return isWithinHours(now, gate.hours) ? { do: "send" } : { do: "hold", until: opening(message, gate, now) };
}

const opening = ({ spread }: SendFacts, { hours, openingAfter }: SendGate, after: number): number =>
  afterOpening(after, hours, spread(), openingAfter?.(after) ?? nextOpening(after, hours));
