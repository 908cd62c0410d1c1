import { OPTED_OUT } from "./send-outcome.ts";
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
import { UNDO_MS } from "./limits.ts";

/** Everything about one message that decides whether it may leave. All times are milliseconds since 1970. */
export type SendFacts = {
  kind: "reply" | "manual" | "followup" | "reminder" | "bulk";
  /** an attempt ended without an answer: it may have been delivered */
  isUncertain: boolean;
  /** that attempt was another Telegram account's */
  isOfOtherAccount: boolean;
  isConfirmed: boolean;
  expiresAt: number | null;
  /** whom it is for; null when that lead is gone, or where it is for nobody */
  person: {
    unreachableReason: string | null;
    isOptedOut: boolean;
    lastMessageAt: number | null;
    lastBulkAt: number | null;
  } | null;
  /** the lead's next step as things stand; null when that is no longer this message's */
  step: { dueAt: number; createdAt: number; importedAt: number | null; hasReplied: boolean; isHeld: boolean } | null;
  reminder: { isEnabled: boolean; deletedAt: number | null; isOfEntry: boolean } | null;
  /** of the bulk job that is running */
  isOfJob: boolean;
  /** @returns where it stands in an opening's spread, from 0 up to 1 */
  spread: () => number;
};

/** What of an account decides about all of its messages. */
export type SendGate = {
  hours: AllowedHours;
  isAutomated: boolean;
  automatedSince: number | null;
  dryRunEndedAt: number | null;
  coldLeft: number;
  /** @returns the next opening after a moment, where that was worked out before */
  openingAfter?: (at: number) => number;
};

/** What to do with the message at the head of a queue. */
export type Verdict =
  | { do: "send" }
  /** never to be sent; counted as skipped */
  | { do: "skip"; reason: string }
  /** not for now */
  | { do: "hold"; until: number }
  /** planned too early or overtaken: the planner makes a new row when it is due again */
  | { do: "drop" }
  /** it may have been delivered, and asking again is no longer right */
  | { do: "abandon"; reason: string }
  /** withdrawn: nothing was delivered and nothing will be */
  | { do: "cancel"; reason: string }
  | { do: "pauseJob"; until: number; reason: string };

const DAILY_CAP_WORDS =
  "The daily limit for people you have not talked to lately is reached. Sending goes on tomorrow.";

/** True when neither side wrote for a month: such sends count toward the account's daily limit. */
export const isColdAt = (lastMessageAt: number | null, now: number): boolean =>
  lastMessageAt === null || lastMessageAt < now - COLD_AFTER_MS;

/**
 * Overdue by more than a day when it could first go out by itself, or due before its chat was imported or a dry run ended: a backlog, and
 * the person decides.
 */
export function isBacklog(
  { dueAt, createdAt, importedAt }: { dueAt: number; createdAt: number; importedAt: number | null },
  { automatedSince, dryRunEndedAt }: Pick<SendGate, "automatedSince" | "dryRunEndedAt">,
): boolean {
  if (importedAt !== null && dueAt <= importedAt) return true;
  if (dryRunEndedAt !== null && dueAt <= dryRunEndedAt) return true;
  return dueAt < Math.max(automatedSince ?? 0, createdAt) - OVERDUE_LIMIT_MS;
}

/** Applies every condition of sending to one message: the claim obeys it, and the forecast foresees by it. */
export function judgeSend(message: SendFacts, gate: SendGate, now: number): Verdict {
  const { kind, isUncertain, person } = message;
  // Ids are deduplicated within one Telegram account: from another account, asking again would be a second message.
  if (isUncertain && message.isOfOtherAccount) return { do: "abandon", reason: "ACCOUNT_CHANGED" };
  if (kind === "reminder") return judgeReminder(message, gate, now);
  if (person === null)
    return isUncertain ? { do: "abandon", reason: "LEAD_DELETED" } : { do: "skip", reason: "LEAD_DELETED" };
  if (kind === "reply" || kind === "manual") {
    const isLate = message.expiresAt !== null && message.expiresAt <= now;
    return isLate && !isUncertain ? { do: "cancel", reason: "EXPIRED" } : { do: "send" };
  }
  const isOverLimit = isColdAt(person.lastMessageAt, now) && gate.coldLeft <= 0;
  if (kind === "followup") return judgeFollowup(message, person, gate, { now, isOverLimit });
  if (!message.isOfJob)
    return isUncertain ? { do: "abandon", reason: "JOB_ENDED" } : { do: "cancel", reason: "JOB_ENDED" };
  if (person.isOptedOut) return isUncertain ? { do: "abandon", reason: OPTED_OUT } : { do: "skip", reason: OPTED_OUT };
  if (isUncertain) return { do: "send" };
  if (person.unreachableReason !== null) return { do: "skip", reason: person.unreachableReason };
  return isOverLimit ? { do: "pauseJob", until: nextDay(now), reason: DAILY_CAP_WORDS } : { do: "send" };
}

function judgeFollowup(
  message: SendFacts,
  person: NonNullable<SendFacts["person"]>,
  gate: SendGate,
  { now, isOverLimit }: { now: number; isOverLimit: boolean },
): Verdict {
  const { step, isUncertain } = message;
  const give = (reason: string): Verdict => (isUncertain ? { do: "abandon", reason } : { do: "drop" });
  if (step === null) return give("MOVED_ON");
  if (person.isOptedOut) return give(OPTED_OUT);
  if (step.isHeld) return give("HELD");
  if (step.hasReplied) return give("REPLIED");
  if (person.unreachableReason !== null) return give("UNREACHABLE");
  if (!message.isConfirmed && !isUncertain && (!gate.isAutomated || isBacklog(step, gate))) return { do: "drop" };
  if (step.dueAt > now) return give("MOVED_ON");
  if (!isWithinHours(now, gate.hours)) return { do: "hold", until: opening(message, gate, now) };
  if (isUncertain) return { do: "send" };
  const bulkEnd = person.lastBulkAt === null ? -Infinity : person.lastBulkAt + BULK_GUARD_MS;
  if (bulkEnd > now) return { do: "hold", until: bulkEnd };
  return isOverLimit ? { do: "hold", until: nextDay(now) } : { do: "send" };
}

function judgeReminder(message: SendFacts, gate: SendGate, now: number): Verdict {
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
