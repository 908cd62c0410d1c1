import { Settings, UserSettings } from "../../domain/settings.ts";
import { OWNED, NUMBERED, type OwnedTable } from "./table.ts";

/** What a user has chosen for automation and for all conversations: `settings.json`. */
export const CHOICES = Object.keys({ ...UserSettings.entries, ...Settings.entries }) as (
  | keyof UserSettings
  | keyof Settings
)[];

const USER = { owner: "user_id", key: "user_id", keyType: "uuid" } as const;

/** The account's own tables. Of them only the chosen settings are in the archive. */
export const ACCOUNT: readonly OwnedTable[] = [
  {
    table: "users",
    owner: "id",
    key: "id",
    keyType: "uuid",
    jsonOnly: { "the account": ["email", "name", "created_at"] },
  },
  {
    table: "user_settings",
    ...USER,
    columns: CHOICES.map((name) => ({ name })),
    jsonOnly: { "the installation's own times": ["auto_followups_since", "dry_run_ended_at", "updated_at"] },
  },
  {
    table: "subscriptions",
    ...USER,
    jsonOnly: {
      "the subscription": [
        "status",
        "provider_status",
        "plan",
        "current_period_end",
        "trial_ends_at",

        "cancel_at_period_end",
        "cancel_at",
        "canceled_at",
        "next_billing_at",
        "expires_at",
        "past_due_since",
        "provider_customer_id",
        "provider_subscription_id",
        "stripe_subscription_id",
        "price_id",
        "created_at",
        "updated_at",
      ],
    },
  },
  {
    table: "telegram_sessions",
    ...USER,
    key: "id",
    jsonOnly: {
      "a login": [
        "id",
        "telegram_user_id",
        "phone",
        "state",
        "ended_reason",
        "device",
        "connected_at",
        "ended_at",
        "last_activity_at",
        "paused_until",
        "paused_reason",
        "stopped_at",
        "stopped_reason",
        "daily_cap",
        "access_ended_at",
        "unusable_since",
      ],
    },
    leftOut: { "which worker holds the account": ["lease_owner", "fence"] },
  },
  {
    table: "api_keys",
    ...OWNED,
    jsonOnly: { "a credential's description": ["id", "name", "scopes", "hint", "created_at", "last_used_at"] },
    leftOut: { "a credential": ["hash"] },
  },
  {
    table: "webhooks",
    ...OWNED,
    jsonOnly: {
      "where this installation sends to": [
        "id",
        "url",
        "events",
        "is_enabled",
        "disabled_reason",
        "created_at",
        "deleted_at",
        "failing_since",
      ],
    },
    leftOut: { "a credential": ["sealed", "key_version"], "a count of attempts": ["failures"] },
  },
  {
    table: "deleted_followups",
    ...OWNED,
    jsonOnly: { "the archive holds no deleted steps": ["id", "stage_id", "media_id", "step", "deleted_at"] },
  },
  {
    table: "chat_imports",
    ...OWNED,
    jsonOnly: {
      "how an import of chats went": [
        "id",
        "status",
        "days",
        "include_contacts",
        "since",
        "account_user_id",
        "scanned",
        "found",
        "paused_until",
        "reason",
        "created_at",
        "finished_at",
      ],
    },
    leftOut: { "where the import continues": ["place"] },
  },
  {
    table: "outbox",
    ...NUMBERED,
    jsonOnly: {
      "the archive holds what was tried, as the ledger": [
        "id",
        "kind",
        "priority",
        "lead_id",
        "followup_id",
        "epoch",
        "reminder_id",
        "job_id",
        "channel",
        "body",
        "media_id",
        "state",
        "is_uncertain",
        "is_confirmed",
        "not_before",
        "expires_at",
        "attempts",
        "account_user_id",
        "message_id",
        "reason",
        "created_at",
        "claimed_at",
        "settled_at",
        "by_key",
      ],
    },
    leftOut: { "keyed hashes": ["dedupe_key", "random_id"] },
  },
  {
    table: "audit_log",
    ...NUMBERED,
    owner: "user_id",
    jsonOnly: { "the account's log": ["id", "action", "detail", "at"] },
  },
];
