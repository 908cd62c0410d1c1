import type { RawBuilder } from "kysely";
import { orderOf, stepsPassed } from "../lead-rows/index.ts";

/** A table's part in the export: who owns a row, what orders them, what stays behind. */
export type Exported = {
  table: string;
  owner: "id" | "owner_id" | "user_id";
  key: string;
  keyType: "uuid" | "bigint";
  /** bookkeeping of ours that says nothing about the person */
  omit?: readonly string[];
  /** columns as a person is shown them, of the row `p` */
  shown?: Readonly<Record<string, RawBuilder<unknown>>>;
};

/** Everything that is a person's own, in the order of the file. */
export const EXPORTED: readonly Exported[] = [
  { table: "users", owner: "id", key: "id", keyType: "uuid" },
  { table: "user_settings", owner: "user_id", key: "user_id", keyType: "uuid" },
  { table: "subscriptions", owner: "user_id", key: "user_id", keyType: "uuid" },
  {
    table: "telegram_sessions",
    owner: "user_id",
    key: "id",
    keyType: "uuid",
    omit: ["lease_owner", "fence"],
  },
  { table: "api_keys", owner: "owner_id", key: "id", keyType: "uuid", omit: ["hash"] },
  { table: "stages", owner: "owner_id", key: "id", keyType: "uuid", omit: ["step_places"] },
  {
    table: "followups",
    owner: "owner_id",
    key: "id",
    keyType: "uuid",
    shown: { followup_order: orderOf("p") },
  },
  { table: "deleted_followups", owner: "owner_id", key: "id", keyType: "uuid" },
  {
    table: "leads",
    owner: "owner_id",
    key: "id",
    keyType: "uuid",
    omit: ["receipt_message_id"],
    shown: { followup_order_sent: stepsPassed("p") },
  },
  { table: "exclusions", owner: "owner_id", key: "telegram_user_id", keyType: "bigint", omit: ["kept", "batch_id"] },
  { table: "stage_history", owner: "owner_id", key: "id", keyType: "bigint", omit: ["batch_id"] },
  { table: "messages", owner: "owner_id", key: "id", keyType: "bigint", omit: ["words"] },
  { table: "chat_imports", owner: "owner_id", key: "id", keyType: "uuid", omit: ["place"] },
  { table: "snippets", owner: "owner_id", key: "id", keyType: "uuid" },
  { table: "tags", owner: "owner_id", key: "id", keyType: "uuid" },
  { table: "lead_tags", owner: "owner_id", key: "id", keyType: "bigint" },
  { table: "fields", owner: "owner_id", key: "id", keyType: "uuid" },
  { table: "lead_fields", owner: "owner_id", key: "id", keyType: "bigint" },
  { table: "views", owner: "owner_id", key: "id", keyType: "uuid" },
  { table: "lead_events", owner: "owner_id", key: "id", keyType: "bigint" },
  { table: "reminders", owner: "owner_id", key: "id", keyType: "uuid" },
  {
    table: "webhooks",
    owner: "owner_id",
    key: "id",
    keyType: "uuid",
    omit: ["sealed", "key_version", "failures"],
  },
  { table: "bulk_jobs", owner: "owner_id", key: "id", keyType: "uuid" },
  { table: "outbox", owner: "owner_id", key: "id", keyType: "bigint", omit: ["dedupe_key", "random_id"] },
  { table: "ledger", owner: "owner_id", key: "id", keyType: "bigint", omit: ["random_id"] },
  { table: "audit_log", owner: "user_id", key: "id", keyType: "bigint" },
];

/** What the export leaves out, and why; `media` is written by itself, with each file's content. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  media: "exported as `media`, with its content",
  media_blobs: "exported as `media`, with its content",
  webhook_events: "what webhooks were told, kept for a month; the leads and messages are exported",
  webhook_deliveries: "when webhooks were told of it, kept for a month",
  stage_rules: "a version number of the stages",
  lead_batches: "what was done to many leads at once, kept for eight days; the leads and their stories are exported",
  lead_batch_targets: "what it takes to take that back, kept for half a minute",
  lead_import_rows: "rows of a file while it is imported",
  request_keys: "answers to repeated calls, kept for a week; the messages are exported",
  file_parts: "copies of files that Telegram holds, kept for a while",
  lead_totals: "counts of the leads",
  value_totals: "sums of the leads' own values",
  lead_standings: "counts of the leads",
  lead_standing_changes: "counts of the leads",
  billing_customers: "the card provider's bookkeeping; the subscription is exported",
  billing_checkouts: "the card provider's bookkeeping; the subscription is exported",
  billing_events: "the card provider's bookkeeping; it names no person",
  telegram_auth_keys: "a credential",
  telegram_state: "the Telegram client's own store",
  telegram_peers: "the Telegram client's own store",
  telegram_peer_references: "the Telegram client's own store",
  telegram_channels: "the Telegram client's own store",
  telegram_files: "the Telegram client's own store",
  contact_checks: "what Telegram said of writing to a person, remembered for a while",
  telegram_login_attempts: "a login under way",
  account_imports: "how bringing an export in went; what it brought is exported",
  rate_limits: "keyed hashes, forgotten after a day",
  telegram_workers: "names no person",
  lead_words: "what a search finds a lead by; the leads and messages are exported",
  lead_names: "names in lower case, by which lists are filtered; the leads are exported",
  lead_due: "when a lead's next step is due; the leads and steps are exported",
  stage_removals:
    "stages deleted within the last minute, or whose leads are still moving; the stage history is exported",
  stale_plans: "which stages are planned anew",
  outbox_key: "the installation's own; it names no person",
  send_pace: "the rhythm of sending",
  account_erasures: "accounts that are being erased",
  access_ends: "since when there is no access; the subscription is exported",
  reminder_marks: "which reminder was sent for which lead; the messages are exported",
};
