import { isColdAt } from "../../domain/schedule.ts";
import { decideSend, type SendDecision } from "../../domain/send-decision.ts";
import type { Candidate } from "./candidate.ts";
import type { Gate } from "./gate.ts";
import { spreadOfId } from "./names.ts";

const ms = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** True for a send that counts toward the account's daily limit. */
export const isCold = (row: Pick<Candidate, "last_message_at" | "kind">, now: number): boolean =>
  row.kind !== "reminder" && isColdAt(ms(row.last_message_at), now);

/** Applies every condition of sending to one row. `accountUserId` is the Telegram account that would send it. */
export function decide(row: Candidate, gate: Gate, accountUserId: string, now: number): SendDecision {
  const isGone = row.lead_id === null || row.telegram_user_id === null;
  return decideSend(
    {
      kind: row.kind,
      isUncertain: row.is_uncertain,
      isOfOtherAccount: row.account_user_id !== accountUserId,
      isConfirmed: row.is_confirmed,
      expiresAt: ms(row.expires_at),
      person: isGone
        ? null
        : {
            unreachableReason: row.unreachable_reason,
            isOptedOut: row.opted_out_at !== null,
            lastMessageAt: ms(row.last_message_at),
            lastBulkAt: ms(row.last_bulk_at),
          },
      step:
        row.next_due_at === null
          ? null
          : {
              dueAt: Date.parse(row.next_due_at),
              createdAt: Date.parse(row.next_followup_created_at ?? ""),
              importedAt: ms(row.next_imported_at),
              hasReplied: row.next_has_replied ?? false,
              isHeld: row.next_is_held ?? false,
            },
      reminder: {
        isEnabled: row.reminder_enabled === true,
        // Without its rule: the sender was interrupted while the rule was erased.
        deletedAt: row.reminder_enabled === null ? -Infinity : ms(row.reminder_deleted_at),
        isOfEntry: row.lead_id === null || row.stage_entry_epoch === row.epoch,
      },
      isOfJob: row.job_id === gate.job?.id,
      spread: () => spreadOfId(row.random_id),
    },
    gate,
    now,
  );
}
