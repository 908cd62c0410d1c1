import * as v from "valibot";
import { fieldProblem } from "./schema-message.ts";
import { Id, WholeNumber, pageSize } from "./schema-parts.ts";
import { LeadSort, withFilters } from "./lead-filter.ts";
import { LastMessage } from "./message.ts";
import { LEADS_MAX_LIMIT, LEADS_PAGE_SIZE, MESSAGE_MAX_CHARS, NOTES_MAX_CHARS } from "./limits.ts";

const nullableText = v.optional(v.nullable(v.string()), null);
const id = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((value) => String(value)),
  v.string(),
);
/** Our server sends it as a number. */
const telegramId = v.pipe(v.union([v.string(), v.number()]), v.transform(String));
const count = v.pipe(
  v.unknown(),
  v.transform((value) => (typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0)),
  v.number(),
);

/** A tag as a lead carries it. */
export const LeadTag = v.object({ id: v.string(), name: v.string(), color: v.string() });
export type LeadTag = v.InferOutput<typeof LeadTag>;

/** A value of a custom field: a number for a number, else a text; a date as YYYY-MM-DD; null for none. */
export const FieldValue = v.nullable(v.union([v.string(), v.number()]));
export type FieldValue = v.InferOutput<typeof FieldValue>;

/** A search match: an excerpt, the position in it in UTF-16 units, and the message's id if it is in a message. */
export const LeadMatch = v.object({
  where: v.picklist(["name", "username", "notes", "message"]),
  text: v.string(),
  start: v.number(),
  length: v.number(),
  message_id: v.nullable(v.string()),
});
export type LeadMatch = v.InferOutput<typeof LeadMatch>;

/** A lead; missing fields get defaults. */
export const Lead = v.object({
  id,
  telegram_user_id: v.optional(v.nullable(telegramId), null),
  name: nullableText,
  username: nullableText,
  stage_id: v.optional(v.nullable(id), null),
  notes: nullableText,
  created_at: nullableText,
  followup_order_sent: v.optional(count, 0),
  last_followup_sent_at: nullableText,
  last_user_message_at: nullableText,
  last_message_at: nullableText,
  /** when the lead opted out */
  opted_out_at: v.optional(v.nullable(v.string())),
  tags: v.optional(v.array(LeadTag)),
  /** values of custom fields, by field id */
  fields: v.optional(v.record(v.string(), FieldValue)),
  /** since when the lead has been waiting for a reply */
  waiting_since: v.optional(v.nullable(v.string())),
  /** of one lead, and of a list that includes it */
  last_message: v.optional(v.nullable(LastMessage)),
  stage_entered_at: v.optional(v.nullable(v.string())),
  /** of a list that was searched */
  match: v.optional(v.nullable(LeadMatch)),
});
export type Lead = v.InferOutput<typeof Lead>;

export const LeadsPage = v.object({ leads: v.array(Lead), total: v.number() });
export type LeadsPage = v.InferOutput<typeof LeadsPage>;

/** `GET /leads`: the query as it arrives, strings and all. */
export const LeadsQuery = withFilters({
  limit: pageSize(LEADS_MAX_LIMIT, LEADS_PAGE_SIZE),
  offset: v.optional(WholeNumber, "0"),
  sort: LeadSort,
  fields: v.optional(v.picklist(["id"])),
  include: v.optional(v.picklist(["last_message"])),
});
export type LeadsQuery = v.InferOutput<typeof LeadsQuery>;

/** `PATCH /leads/{id}`: the notes, a note to add, the draft of a reply, or a stage change with its resets. */
export const LeadPatch = v.union([
  v.strictObject({ notes: v.nullable(v.pipe(v.string(), v.maxLength(NOTES_MAX_CHARS))) }),
  v.strictObject({
    add_note: v.pipe(v.string(), v.trim(), v.minLength(1, fieldProblem("note_missing")), v.maxLength(NOTES_MAX_CHARS)),
  }),
  v.strictObject({ draft: v.nullable(v.pipe(v.string(), v.maxLength(MESSAGE_MAX_CHARS))) }),
  v.strictObject({
    stage_id: Id,
    followup_order_sent: v.optional(v.literal(0)),
    last_followup_sent_at: v.optional(v.null()),
    last_user_message_at: v.optional(v.null()),
  }),
]);
export type LeadPatch = v.InferOutput<typeof LeadPatch>;

/** The Awaiting Reply column: yes when the user wrote last. A lead that never wrote counts as yes. */
export function isAwaitingReply(lead: Pick<Lead, "last_message_at" | "last_user_message_at">): boolean {
  if (!lead.last_message_at) return false;
  if (!lead.last_user_message_at) return true;
  return Date.parse(lead.last_message_at) > Date.parse(lead.last_user_message_at);
}

/** `GET /leads/{id}`: the lead with everything that its page shows. */
export const LeadDetail = v.object({
  ...Lead.entries,
  stage_entered_at: nullableText,
  unreachable_reason: nullableText,
  opted_out_at: nullableText,
  tags: v.optional(v.array(LeadTag), []),
  fields: v.optional(v.record(v.string(), FieldValue), {}),
  unread: v.optional(v.pipe(v.number(), v.minValue(0)), 0),
  waiting_since: nullableText,
  automation: v.optional(v.nullable(v.looseObject({ state: v.string() })), null),
  /** the draft that the composer shows, from the page or from a program */
  draft: nullableText,
});
export type LeadDetail = v.InferOutput<typeof LeadDetail>;

/** Merges edited notes with a newer stored version: `typed`, then the lines that were added to `over` elsewhere. */
export function mergeNotes(typed: string, over: string, stored: string): string {
  // A save of `typed` that got no response is stored already.
  const base = over === "" && stored.startsWith(`${typed}\n`) ? typed : over;
  const head = base === "" ? "" : `${base}\n`;
  const known = new Set([...over.split("\n"), ...typed.split("\n")]);
  const lines = stored.split("\n");
  const added = stored.startsWith(head)
    ? stored.slice(head.length)
    : lines.filter((line) => !known.has(line)).join("\n");
  return [typed, added].filter((text) => text !== "").join("\n");
}
