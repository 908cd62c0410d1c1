import { ACCOUNT } from "./account.ts";
import { CATALOG } from "./catalog.ts";
import { PEOPLE } from "./people.ts";
import type { OwnedTable, Part } from "./table.ts";

export { CHOICES } from "./account.ts";
export type { CellType, Column, OwnedTable, Part, PartName, Row } from "./table.ts";

/** The files of an archive in the order in which they are imported: what is referred to comes first, and messages before their leads. */
export const PARTS: readonly Part[] = [...CATALOG, ...PEOPLE];

/** Every table with an owner's data, in the order of the JSON export. */
export const OWNED_TABLES: readonly OwnedTable[] = [...ACCOUNT, ...PARTS];

/** The columns of a table that the JSON export reads. */
export const jsonColumnsOf = ({ owner, columns = [], jsonOnly = {} }: OwnedTable): string[] => [
  ...new Set([
    ...(owner === null ? [] : [owner]),
    ...columns.filter(({ isArchiveOnly }) => !isArchiveOnly).map(({ name, of = name }) => of),
    ...Object.values(jsonOnly).flat(),
  ]),
];

/** The tables that neither the export nor the archive reads, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  media_blobs: "exported with `media`",
  webhook_events: "what webhooks received, kept for a month; the leads and messages are exported",
  webhook_deliveries: "attempts to deliver to webhooks, kept for a month",
  stage_rules: "a version number of the stages",
  lead_batches: "changes of many leads at once, kept for eight days; the leads and their stories are exported",
  lead_batch_targets: "how to undo such a change, kept for half a minute",
  lead_import_rows: "rows of a file while it is imported",
  request_keys: "answers to repeated calls, kept for a week; the messages are exported",
  file_parts: "a cache of files that Telegram holds",
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
  contact_checks: "Telegram's answers about writing to a person, cached",
  telegram_login_attempts: "a login in progress",
  account_imports: "the import of an archive; what it added is exported",
  rate_limits: "keyed hashes, forgotten after a day",
  telegram_workers: "names no person",
  lead_words: "a search index; the leads and messages are exported",
  lead_names: "names in lower case, by which lists are filtered; the leads are exported",
  lead_due: "when a lead's next step is due; the leads and steps are exported",
  stage_removals:
    "stages deleted within the last minute, or whose leads are still moving; the stage history is exported",
  stale_plans: "which stages are planned again",
  outbox_key: "the installation's own; it names no person",
  send_pace: "when the last message left",
  account_erasures: "accounts that are being erased",
  access_ends: "when access ended; the subscription is exported",
};
