import type { Generated, GeneratedAlways } from "kysely";
import type { Int8, Time } from "./core.ts";

export type OutboxKind = "reply" | "manual" | "followup" | "reminder" | "bulk";
export type OutboxState = "pending" | "sending" | "sent" | "skipped" | "failed" | "unknown" | "cancelled";

export type OutboxTables = {
  bulk_jobs: {
    id: Generated<string>;
    owner_id: string;
    status: Generated<"in_progress" | "completed" | "failed" | "cancelled">;
    message: string;
    media_id: string | null;
    stage_id: string | null;
    throttle_ms: number;
    total_targets: Generated<number>;
    sent_count: Generated<number>;
    failed_count: Generated<number>;
    error: string | null;
    paused_until: Time | null;
    paused_reason: string | null;
    created_at: Time;
    finished_at: Time | null;
    hidden_at: Time | null;
  };
  outbox: {
    id: GeneratedAlways<string>;
    owner_id: string;
    kind: OutboxKind;
    priority: number;
    dedupe_key: string;
    random_id: Int8;
    lead_id: string | null;
    followup_id: string | null;
    epoch: number | null;
    reminder_id: string | null;
    job_id: string | null;
    channel: string | null;
    body: string | null;
    media_id: string | null;
    state: Generated<OutboxState>;
    is_uncertain: Generated<boolean>;
    is_confirmed: Generated<boolean>;
    not_before: Time;
    expires_at: Time | null;
    attempts: Generated<number>;
    account_user_id: Int8 | null;
    message_id: number | null;
    reason: string | null;
    created_at: Time;
    claimed_at: Time | null;
    settled_at: Time | null;
  };
  outbox_key: { is_only: Generated<boolean>; inner_pad: Uint8Array; outer_pad: Uint8Array };
  send_pace: {
    owner_id: string;
    last_started_at: Time | null;
    last_gap_ms: Generated<number>;
    cold_day: string | null;
    cold_count: Generated<number>;
  };
  reminder_marks: { reminder_id: string; lead_id: string; epoch: number; at: Time };
  lead_due: { lead_id: string; owner_id: string; due_at: Time };
  stale_plans: { stage_id: string; after: string | null };
  next_followups: {
    lead_id: string;
    owner_id: string;
    epoch: number;
    unreachable_reason: string | null;
    followup_id: string;
    message: string;
    media_id: string | null;
    followup_created_at: Time;
    anchor: Time;
    due_at: Time;
    has_replied: boolean;
    imported_at: Time | null;
  };
};
