import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { MatchedKeyword, MessageKind, MessageSource, MessageState } from "../../../domain/message.ts";
import type { MessageFile } from "../../../domain/telegram-message.ts";

/** A timestamptz: ISO text when read and written. */
export type Time = ColumnType<string, string, string>;
/** An int8: text when read, so that no digit is lost. */
export type Int8 = ColumnType<string, string | bigint | number, string | bigint | number>;
export type Json<T> = ColumnType<T, string, string>;

export type CoreTables = {
  "auth.users": {
    id: Generated<string>;
    email: string;
    encrypted_password: string;
    raw_user_meta_data: ColumnType<Record<string, unknown>, string | undefined, string>;
    email_confirmed_at: Time | null;
    last_sign_in_at: Time | null;
    created_at: ColumnType<string, string | undefined, string>;
    updated_at: ColumnType<string, string | undefined, string>;
  };
  users: {
    id: string;
    email: string;
    name: Generated<string>;
    created_at: ColumnType<string, string | undefined, string>;
  };
  user_settings: {
    user_id: string;
    auto_followups_enabled: Generated<boolean>;
    auto_followup_start_hour: Generated<number>;
    auto_followup_end_hour: Generated<number>;
    auto_followups_since: Time | null;
    read_receipts: Generated<boolean>;
    time_zone: string | null;
    weekdays: Generated<number[]>;
    dry_run: Generated<boolean>;
    dry_run_ended_at: Time | null;
    opt_out_words: string[] | null;
    exclude_contacts: Generated<boolean>;
    language: string | null;
    setup_dismissed: Generated<boolean>;
    updated_at: ColumnType<string, string | undefined, string>;
  };
  stages: {
    id: Generated<string>;
    owner_id: string;
    name: string;
    keywords: ColumnType<string[], string[] | undefined, string[]>;
    order: number;
    color: Generated<string>;
    step_places: Generated<number>;
    created_at: ColumnType<string, string | undefined, string>;
  };
  stage_removals: {
    stage_id: string;
    owner_id: string;
    at: Time;
    by_key: string | null;
    state: Generated<"moving" | "moved" | "returning">;
    stage: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
    steps: ColumnType<object[], string | undefined, string>;
    rules: ColumnType<object[], string | undefined, string>;
  };
  stage_rules: { owner_id: string; version: Generated<number> };
  media: {
    id: Generated<string>;
    owner_id: string;
    sha256: string;
    kind: "image" | "video";
    extension: string;
    mime: string;
    size: number;
    created_at: ColumnType<string, string | undefined, string>;
  };
  media_blobs: { media_id: string; content: ColumnType<Uint8Array, Uint8Array, Uint8Array> };
  followups: {
    id: Generated<string>;
    owner_id: string;
    stage_id: string | null;
    message: Generated<string>;
    followup_order: number;
    delay_hours: Generated<number>;
    media_id: string | null;
    created_at: ColumnType<string, string | undefined, string>;
  };
  deleted_followups: {
    id: string;
    owner_id: string;
    stage_id: string | null;
    media_id: string | null;
    step: Json<Record<string, unknown>>;
    deleted_at: Time;
  };
  leads: {
    id: Generated<string>;
    owner_id: string;
    telegram_user_id: Int8;
    name: string | null;
    username: string | null;
    stage_id: string | null;
    notes: string | null;
    created_at: Time;
    followup_order_sent: Generated<number>;
    last_followup_sent_at: Time | null;
    last_user_message_at: Time | null;
    last_message_at: Time | null;
    last_inbound_at: Time | null;
    last_outbound_at: Time | null;
    last_manual_at: Time | null;
    stage_entered_at: Time;
    stage_entry_epoch: Generated<number>;
    unreachable_reason: string | null;
    unreachable_account: ColumnType<string | null, string | null | undefined, string | null>;
    waiting_since: Time | null;
    waited_since: Time | null;
    done_at: ColumnType<string | null, string | null | undefined, string | null>;
    unread: Generated<number>;
    read_at: Time | null;
    read_message_id: number | null;
    draft: string | null;
    imported_at: Time | null;
    receipt_message_id: number | null;
    opted_out_at: ColumnType<string | null, string | null | undefined, string | null>;
    held_at: ColumnType<string | null, string | null | undefined, string | null>;
    held_until: ColumnType<string | null, string | null | undefined, string | null>;
    held_from: ColumnType<string | null, string | null | undefined, string | null>;
    skipped_steps: string[] | null;
    skipped_epoch: number | null;
    skipped_until: ColumnType<string | null, string | null | undefined, string | null>;
  };
  lead_events: {
    id: GeneratedAlways<string>;
    owner_id: string;
    lead_id: string;
    type: string;
    by_kind: "person" | "automation" | "key";
    by_name: string | null;
    detail: ColumnType<Record<string, unknown>, string | undefined, string>;
    at: Time;
  };
  request_keys: {
    owner_id: string;
    key: string;
    fingerprint: string;
    answer: Json<object> | null;
    at: Time;
  };
  file_parts: {
    message_id: Int8;
    part: number;
    owner_id: string;
    bytes: ColumnType<Uint8Array, Uint8Array, Uint8Array>;
    size: number;
    used_at: Time;
  };
  chat_imports: {
    id: Generated<string>;
    owner_id: string;
    status: Generated<"in_progress" | "completed" | "failed" | "cancelled">;
    days: number;
    include_contacts: boolean;
    since: Time;
    account_user_id: Int8;
    scanned: Generated<number>;
    found: Generated<number>;
    place: Json<{
      after: { date: number; id: number; peerId: number } | null;
      scanned: number;
      found: number;
    }> | null;
    paused_until: Time | null;
    reason: string | null;
    created_at: Time;
    finished_at: Time | null;
  };
  snippets: {
    id: Generated<string>;
    owner_id: string;
    title: string;
    text: string;
    media_id: string | null;
    created_at: Time;
  };
  exclusions: {
    owner_id: string;
    telegram_user_id: Int8;
    name: string | null;
    username: string | null;
    excluded_at: Time;
    lead_id: string | null;
    kept: Json<Record<string, object[]>> | null;
    undo_until: Time | null;
    by_key: string | null;
    batch_id: string | null;
  };
  lead_totals: { owner_id: string; stage_id: string | null; total: number };
  stage_history: {
    id: GeneratedAlways<string>;
    owner_id: string;
    lead_id: string;
    from_stage_id: string | null;
    to_stage_id: string | null;
    reason: "entered" | "keyword" | "manual" | "stage_deleted";
    keyword: string | null;
    message_id: number | null;
    rules_version: number | null;
    epoch: number;
    by_key: string | null;
    at: Time;
    /** what a manual move reset */
    undo: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
    /** the batch that moved it */
    batch_id: ColumnType<string | null, string | null | undefined, string | null>;
  };
  messages: {
    id: GeneratedAlways<string>;
    owner_id: string;
    account_user_id: Int8;
    peer_user_id: Int8;
    message_id: number | null;
    is_outgoing: boolean;
    text: Generated<string>;
    kind: Generated<MessageKind>;
    source: Generated<MessageSource>;
    state: Generated<MessageState>;
    reason: string | null;
    outbox_id: Int8 | null;
    media_id: string | null;
    media: Json<MessageFile> | null;
    preview: ColumnType<Uint8Array | null, Uint8Array | null | undefined, Uint8Array | null>;
    matched: Json<MatchedKeyword> | null;
    sent_at: Time;
    edited_at: Time | null;
    deleted_at: Time | null;
  };
  reminders: {
    id: Generated<string>;
    owner_id: string;
    type: Generated<string>;
    stage: string;
    stage_id: string | null;
    delay_days: Generated<number>;
    channel_id: string;
    template: string;
    is_enabled: Generated<boolean>;
    verified_at: Time | null;
    disabled_reason: string | null;
    disabled_account: ColumnType<string | null, string | null | undefined, string | null>;
    created_at: ColumnType<string, string | undefined, string>;
    deleted_at: Time | null;
    told_until: Time | null;
    enabled_at: ColumnType<string, string | undefined, string>;
    returned_at: Time | null;
  };
  account_imports: {
    id: Generated<string>;
    owner_id: string;
    status: Generated<"in_progress" | "completed" | "failed">;
    total: number;
    done: Generated<number>;
    brought: Json<Record<string, number>> | null;
    reason: string | null;
    is_removing: Generated<boolean>;
    beat_at: ColumnType<string, string | undefined, string>;
    created_at: Time;
    finished_at: Time | null;
  };
  account_erasures: { user_id: string; at: Time };
  access_ends: { owner_id: string; at: Time; erased_at: Time | null };
  audit_log: {
    id: GeneratedAlways<string>;
    user_id: string | null;
    action: string;
    detail: ColumnType<Record<string, unknown>, string | undefined, never>;
    at: ColumnType<string, string | undefined, never>;
  };
};
