import * as v from "valibot";
import { Id, Timestamp, rowNumber } from "./schema-parts.ts";
import { pageLimit } from "./message.ts";
import { Actor, StepRef, SentenceFact } from "./story.ts";
import { fieldProblem } from "./schema-message.ts";

export const LEDGER_KINDS = ["manual", "reply", "followup", "bulk", "reminder"] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];
/** `would_send` is what a dry run would have sent. */
export const LEDGER_STATES = [
  "pending",
  "sending",
  "sent",
  "skipped",
  "failed",
  "unknown",
  "cancelled",
  "would_send",
] as const;
export type LedgerState = (typeof LEDGER_STATES)[number];

const nullableText = v.optional(v.nullable(v.string()), null);
const id = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((value) => String(value)),
  v.string(),
);

/**
 * A planned message and its outcome. `id` and `random_id` are 64-bit numbers as text; `message_id` is Telegram's, null until
 * it is sent. Times are ISO; what has not happened yet is null.
 */
export const LedgerItem = v.object({
  id,
  kind: v.picklist(LEDGER_KINDS),
  /** null for a digest of reminders, and once the lead is gone */
  lead: v.optional(v.nullable(v.object({ id: v.string(), name: nullableText })), null),
  /** the follow-up; its `order` is null once it is deleted */
  step: v.optional(v.nullable(StepRef), null),
  /** how the message begins, 200 characters at most */
  excerpt: nullableText,
  state: v.picklist(LEDGER_STATES),
  /** Telegram's or our own name of the cause */
  reason: nullableText,
  /** what happened, in one English sentence */
  words: v.string(),
  ...SentenceFact.entries,
  attempts: v.optional(v.number(), 0),
  random_id: v.optional(v.nullable(id), null),
  message_id: v.optional(v.nullable(v.number()), null),
  planned_at: v.string(),
  /** the earliest time at which a waiting message is sent */
  not_before: nullableText,
  tried_at: nullableText,
  settled_at: nullableText,
  by: v.optional(v.nullable(Actor), null),
});
export type LedgerItem = v.InferOutput<typeof LedgerItem>;

/** In the order in which they were planned, newest first; `next` is the `before` of the next page. */
export const LedgerPage = v.object({ items: v.array(LedgerItem), next: nullableText });
export type LedgerPage = v.InferOutput<typeof LedgerPage>;

/** `GET /ledger`. All filters given must hold; `from` and `to` are moments of planning, both inclusive. */
export const LedgerQuery = v.strictObject({
  lead_id: v.optional(Id),
  kind: v.optional(v.picklist(LEDGER_KINDS)),
  state: v.optional(v.picklist(LEDGER_STATES)),
  from: v.optional(Timestamp),
  to: v.optional(Timestamp),
  before: v.optional(rowNumber(fieldProblem("item_id"))),
  limit: pageLimit,
});
export type LedgerQuery = v.InferOutput<typeof LedgerQuery>;
