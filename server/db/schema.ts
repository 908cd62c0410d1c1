import type { AuthTables, KeyTables } from "./tables/auth.ts";
import type { BatchTables } from "./tables/batch.ts";
import type { BillingTables } from "./tables/billing.ts";
import type { CoreTables } from "./tables/core.ts";
import type { CrmTables } from "./tables/crm.ts";
import type { OutboxTables } from "./tables/outbox.ts";
import type { TelegramTables } from "./tables/telegram.ts";
import type { WebhookTables } from "./tables/webhooks.ts";
import type { Kysely, Transaction } from "kysely";

/** Every table for Kysely; supabase/migrations is the source of truth. */
export type Database = CoreTables &
  AuthTables &
  KeyTables &
  BillingTables &
  TelegramTables &
  OutboxTables &
  CrmTables &
  BatchTables &
  WebhookTables;

export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;
/** Runs a query on its own, or inside a transaction. */
export type DbOrTx = Db | Tx;
