import { UNDO_MS } from "../../domain/limits.ts";
import { OPTED_OUT } from "../../domain/send-outcome.ts";
import {
  afterOpening,
  BULK_GUARD_MS,
  COLD_AFTER_MS,
  isWithinHours,
  nextDay,
  OVERDUE_LIMIT_MS,
} from "../../domain/schedule.ts";
import type { Candidate } from "./candidate.ts";
import type { Gate } from "./gate.ts";

/** What to do with the row at the head of the queue, decided in the claiming transaction. */
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

export const DAILY_CAP_WORDS =
  "The daily limit for people you have not talked to lately is reached. Sending goes on tomorrow.";

/** True when neither side wrote for a month: such sends count toward the account's daily limit. */
export const isCold = (row: Pick<Candidate, "last_message_at" | "kind">, now: number): boolean =>
  row.kind !== "reminder" && (row.last_message_at === null || Date.parse(row.last_message_at) < now - COLD_AFTER_MS);

/** Where in the opening's spread a row stands, from 0 up to 1: the same at every look. */
const spreadOf = (row: Candidate): number => Number(BigInt(row.random_id) & 0xffffn) / 0x1_0000;

/**
 * Applies every condition of sending to one row. `accountUserId` is the Telegram account that would send it.
 */
export function judge(row: Candidate, gate: Gate, accountUserId: string, now: number): Verdict {
  // Ids are deduplicated within one Telegram account: from another account, asking again would be a second message.
  if (row.is_uncertain && row.account_user_id !== accountUserId) return { do: "abandon", reason: "ACCOUNT_CHANGED" };
  if (row.kind === "reminder") return judgeReminder(row, gate, now);
  if (row.lead_id === null || row.telegram_user_id === null) {
    return row.is_uncertain ? { do: "abandon", reason: "LEAD_DELETED" } : { do: "skip", reason: "LEAD_DELETED" };
  }
  if (row.kind === "reply" || row.kind === "manual") {
    const isLate = row.expires_at !== null && Date.parse(row.expires_at) <= now;
    return isLate && !row.is_uncertain ? { do: "cancel", reason: "EXPIRED" } : { do: "send" };
  }
  if (row.kind === "followup") return judgeFollowup(row, gate, now);
  if (row.job_id !== gate.job?.id) {
    return row.is_uncertain ? { do: "abandon", reason: "JOB_ENDED" } : { do: "cancel", reason: "JOB_ENDED" };
  }
  if (row.opted_out_at !== null)
    return row.is_uncertain ? { do: "abandon", reason: OPTED_OUT } : { do: "skip", reason: OPTED_OUT };
  if (row.is_uncertain) return { do: "send" };
  if (row.unreachable_reason !== null) return { do: "skip", reason: row.unreachable_reason };
  if (isCold(row, now) && gate.coldLeft <= 0) return { do: "pauseJob", until: nextDay(now), reason: DAILY_CAP_WORDS };
  return { do: "send" };
}

function judgeFollowup(row: Candidate, gate: Gate, now: number): Verdict {
  const give = (reason: string): Verdict => (row.is_uncertain ? { do: "abandon", reason } : { do: "drop" });
  if (row.next_due_at === null) return give("MOVED_ON");
  if (row.opted_out_at !== null) return give(OPTED_OUT);
  if (row.next_is_held) return give("HELD");
  if (row.next_has_replied) return give("REPLIED");
  if (row.unreachable_reason !== null) return give("UNREACHABLE");
  if (!row.is_confirmed && !row.is_uncertain) {
    if (!gate.isAutomated) return { do: "drop" };
    if (isOverdue(row, gate)) return { do: "drop" };
  }
  if (Date.parse(row.next_due_at) > now) return give("MOVED_ON");
  if (!isWithinHours(now, gate.hours)) return { do: "hold", until: opening(row, gate, now) };
  if (row.is_uncertain) return { do: "send" };
  if (row.last_bulk_at !== null && Date.parse(row.last_bulk_at) + BULK_GUARD_MS > now) {
    return { do: "hold", until: Date.parse(row.last_bulk_at) + BULK_GUARD_MS };
  }
  if (isCold(row, now) && gate.coldLeft <= 0) return { do: "hold", until: nextDay(now) };
  return { do: "send" };
}

function judgeReminder(row: Candidate, gate: Gate, now: number): Verdict {
  if (row.reminder_deleted_at !== null) {
    const until = Date.parse(row.reminder_deleted_at) + UNDO_MS;
    if (until > now) return { do: "hold", until };
    return row.is_uncertain ? { do: "abandon", reason: "RULE_DELETED" } : { do: "cancel", reason: "RULE_DELETED" };
  }
  if (!row.is_uncertain) {
    if (row.reminder_enabled === false) return { do: "cancel", reason: "RULE_DISABLED" };
    if (row.lead_id !== null && row.stage_entry_epoch !== row.epoch) return { do: "cancel", reason: "MOVED_ON" };
  }
  return isWithinHours(now, gate.hours) ? { do: "send" } : { do: "hold", until: opening(row, gate, now) };
}

const opening = (row: Candidate, gate: Gate, after: number): number => afterOpening(after, gate.hours, spreadOf(row));

/** Overdue by more than a day when it could first go out by itself, or due before a dry run ended: a backlog, and the person decides. */
function isOverdue(row: Candidate, gate: Gate): boolean {
  const dueAt = Date.parse(row.next_due_at ?? "");
  if (row.next_imported_at !== null && dueAt <= Date.parse(row.next_imported_at)) return true;
  if (gate.dryRunEndedAt !== null && dueAt <= gate.dryRunEndedAt) return true;
  const since = Math.max(gate.automatedSince ?? 0, Date.parse(row.next_followup_created_at ?? ""));
  return dueAt < since - OVERDUE_LIMIT_MS;
}
