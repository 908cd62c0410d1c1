import { FIELD_TYPES } from "../../domain/field.ts";
import { MESSAGE_MAX_CHARS, NAME_MAX_CHARS, NOTES_MAX_CHARS, TEMPLATE_MAX_CHARS } from "../../domain/limits.ts";
import { MESSAGE_KINDS, MESSAGE_SOURCES, MESSAGE_STATES } from "../../domain/message.ts";
import { STORY_TYPES } from "../../domain/story.ts";
import type { CellType, Column } from "./cells.ts";

export type PartName =
  | "media"
  | "stages"
  | "followups"
  | "tags"
  | "fields"
  | "snippets"
  | "views"
  | "reminders"
  | "bulk_messages"
  | "exclusions"
  | "ledger"
  | "messages"
  | "leads"
  | "lead_tags"
  | "lead_fields"
  | "stage_history"
  | "lead_events"
  | "reminder_marks";

/** A table of the archive: its file is `<name>.csv`. */
export type Part = {
  name: PartName;
  table: string;
  columns: readonly Column[];
  /** what orders the rows `p` */
  order: string;
  /** what of the owner's rows `p` is in it */
  where?: string;
};

/** @param type followed by a question mark where the cell may be empty */
function column(name: string, type: CellType | `${CellType}?`, rest: Omit<Column, "name" | "type"> = {}): Column {
  const isNullable = type.endsWith("?");
  return { name, type: type.replace("?", "") as CellType, ...(isNullable ? { isNullable: true } : {}), ...rest };
}
const KINDS = ["reply", "manual", "followup", "reminder", "bulk"];
const at = (name: string) => column(name, "time");
const atOrNull = (name: string) => column(name, "time?");
const created = at("created_at");

/** The files of an archive in the order in which they are brought in: what is referred to comes first, and messages before their leads. */
export const PARTS: readonly Part[] = [
  {
    name: "media",
    table: "media",
    order: "p.id",
    columns: [
      column("id", "id"),
      column("extension", "text", { most: 8 }),
      column("mime", "text", { most: 100 }),
      column("size", "int"),
      column("sha256", "text", { most: 64 }),
      created,
    ],
  },
  {
    name: "stages",
    table: "stages",
    order: 'p."order"',
    columns: [
      column("id", "id"),
      column("name", "text", { most: NAME_MAX_CHARS }),
      column("keywords", "texts"),
      column("order", "int"),
      column("color", "text", { most: 7 }),
      column("places", "int", { of: "step_places" }),
      created,
    ],
  },
  {
    name: "followups",
    table: "followups",
    order: "p.stage_id, p.followup_order, p.created_at, p.id",
    columns: [
      column("id", "id"),
      column("stage_id", "ref?"),
      column("place", "int", { of: "followup_order" }),
      column("message", "text", { most: MESSAGE_MAX_CHARS }),
      column("delay_hours", "int"),
      column("media_id", "ref?"),
      created,
    ],
  },
  {
    name: "tags",
    table: "tags",
    order: "p.created_at, p.id",
    where: "p.deleted_at is null",
    columns: [
      column("id", "id"),
      column("name", "text", { most: NAME_MAX_CHARS }),
      column("color", "text", { most: 7 }),
      created,
    ],
  },
  {
    name: "fields",
    table: "fields",
    order: "p.created_at, p.id",
    where: "p.deleted_at is null",
    columns: [
      column("id", "id"),
      column("name", "text", { most: NAME_MAX_CHARS }),
      column("type", "text", { oneOf: FIELD_TYPES }),
      // A list within a jsonb column.
      column("options", "json?"),
      column("is_value", "flag"),
      created,
    ],
  },
  {
    name: "snippets",
    table: "snippets",
    order: "p.created_at, p.id",
    columns: [
      column("id", "id"),
      column("title", "text", { most: NAME_MAX_CHARS }),
      column("text", "text", { most: MESSAGE_MAX_CHARS }),
      column("media_id", "ref?"),
      created,
    ],
  },
  {
    name: "views",
    table: "views",
    order: "p.created_at, p.id",
    where: "p.deleted_at is null",
    columns: [
      column("id", "id"),
      column("name", "text", { most: NAME_MAX_CHARS }),
      column("kind", "text", { oneOf: ["list", "board"] }),
      column("query", "text", { most: 4_000 }),
      column("columns", "json"),
      created,
    ],
  },
  {
    name: "reminders",
    table: "reminders",
    order: "p.created_at, p.id",
    where: "p.deleted_at is null",
    columns: [
      column("id", "id"),
      column("stage", "text", { most: NAME_MAX_CHARS }),
      column("stage_id", "ref?"),
      column("delay_days", "int"),
      column("channel_id", "text", { most: NAME_MAX_CHARS }),
      column("template", "text", { most: TEMPLATE_MAX_CHARS }),
      column("is_enabled", "flag"),
      created,
    ],
  },
  {
    name: "bulk_messages",
    table: "bulk_jobs",
    order: "p.created_at, p.id",
    columns: [
      column("id", "id"),
      column("status", "text", { oneOf: ["in_progress", "completed", "failed", "cancelled"] }),
      column("message", "text", { most: MESSAGE_MAX_CHARS }),
      column("media_id", "ref?"),
      column("stage_id", "ref?"),
      column("throttle_ms", "int"),
      column("total_targets", "int"),
      column("sent_count", "int"),
      column("failed_count", "int"),
      column("error", "text?"),
      created,
      atOrNull("finished_at"),
      atOrNull("hidden_at"),
    ],
  },
  {
    name: "exclusions",
    table: "exclusions",
    order: "p.telegram_user_id",
    columns: [
      column("telegram_user_id", "big"),
      column("name", "text?"),
      column("username", "text?"),
      at("excluded_at"),
    ],
  },
  {
    name: "ledger",
    table: "ledger",
    order: "p.row",
    columns: [
      column("row", "row"),
      column("kind", "text", { oneOf: KINDS }),
      column("state", "text", { oneOf: ["sent", "skipped", "failed", "unknown", "cancelled", "would_send"] }),
      column("lead_id", "ref?"),
      column("followup_id", "ref?"),
      column("stage_entry", "int?", { of: "epoch" }),
      column("reminder_id", "ref?"),
      column("bulk_message_id", "ref?", { of: "job_id" }),
      column("excerpt", "text?"),
      column("random_id", "big"),
      column("account_user_id", "big?"),
      column("message_id", "int?"),
      column("reason", "text?"),
      column("attempts", "int"),
      at("planned_at"),
      atOrNull("tried_at"),
      at("settled_at"),
    ],
  },
  {
    name: "messages",
    table: "messages",
    order: "p.id",
    columns: [
      column("account_user_id", "big"),
      column("peer_user_id", "big"),
      column("message_id", "int?"),
      column("is_outgoing", "flag"),
      column("kind", "text", { oneOf: MESSAGE_KINDS }),
      column("text", "text"),
      column("source", "text", { oneOf: MESSAGE_SOURCES }),
      column("state", "text", { oneOf: MESSAGE_STATES }),
      column("reason", "text?"),
      at("sent_at"),
      atOrNull("edited_at"),
      atOrNull("deleted_at"),
      column("matched", "json?"),
      column("media", "json?"),
      column("preview", "bytes?"),
      column("media_id", "ref?"),
      column("ledger_row", "row?", { of: "outbox_id" }),
    ],
  },
  {
    name: "leads",
    table: "leads",
    order: "p.created_at, p.id",
    columns: [
      column("id", "id"),
      column("telegram_user_id", "big"),
      column("name", "text?"),
      column("username", "text?"),
      column("stage_id", "ref?"),
      column("notes", "text?", { most: NOTES_MAX_CHARS }),
      created,
      column("next_place", "int", { of: "followup_order_sent" }),
      column("stage_entry", "int", { of: "stage_entry_epoch" }),
      at("stage_entered_at"),
      atOrNull("last_followup_sent_at"),
      atOrNull("last_user_message_at"),
      atOrNull("last_message_at"),
      atOrNull("last_inbound_at"),
      atOrNull("last_outbound_at"),
      atOrNull("last_manual_at"),
      atOrNull("waiting_since"),
      atOrNull("waited_since"),
      column("unread", "int"),
      atOrNull("read_at"),
      column("read_message_id", "int?"),
      column("draft", "text?"),
      column("unreachable_reason", "text?"),
      column("unreachable_account", "big?"),
      atOrNull("opted_out_at"),
      atOrNull("held_at"),
      atOrNull("held_until"),
      column("skipped_steps", "refs?"),
      column("skipped_entry", "int?", { of: "skipped_epoch" }),
      atOrNull("skipped_until"),
    ],
  },
  {
    name: "lead_tags",
    table: "lead_tags",
    order: "p.id",
    where: "exists (select from public.tags g where g.id = p.tag_id and g.deleted_at is null)",
    columns: [column("lead_id", "ref"), column("tag_id", "ref")],
  },
  {
    name: "lead_fields",
    table: "lead_fields",
    order: "p.id",
    where: "exists (select from public.fields f where f.id = p.field_id and f.deleted_at is null)",
    columns: [
      column("lead_id", "ref"),
      column("field_id", "ref"),
      column("text_value", "text?"),
      column("number_value", "number?"),
    ],
  },
  {
    name: "stage_history",
    table: "stage_history",
    order: "p.id",
    columns: [
      column("lead_id", "ref"),
      column("from_stage_id", "ref?"),
      column("to_stage_id", "ref?"),
      column("reason", "text", { oneOf: ["entered", "keyword", "manual", "stage_deleted"] }),
      column("keyword", "text?"),
      column("message_id", "int?"),
      column("stage_entry", "int", { of: "epoch" }),
      at("at"),
    ],
  },
  {
    name: "lead_events",
    table: "lead_events",
    order: "p.id",
    columns: [
      column("lead_id", "ref"),
      column("type", "text", { oneOf: STORY_TYPES }),
      column("by_kind", "text", { oneOf: ["person", "automation", "key"] }),
      column("by_name", "text?"),
      column("detail", "json"),
      at("at"),
    ],
  },
  {
    name: "reminder_marks",
    table: "reminder_marks",
    order: "p.reminder_id, p.lead_id, p.epoch",
    where: "exists (select from public.reminders r where r.id = p.reminder_id and r.deleted_at is null)",
    columns: [
      column("reminder_id", "ref"),
      column("lead_id", "ref"),
      column("stage_entry", "int", { of: "epoch" }),
      at("at"),
    ],
  },
];

/** What is chosen for automation and for all conversations: `settings.json`. */
export const SETTINGS_FILE = "settings.json";
export const fileOf = ({ name }: Part): string => `${name}.csv`;
