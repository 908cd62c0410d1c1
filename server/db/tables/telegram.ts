import type { ColumnType, Generated } from "kysely";
import type { Int8, Time } from "./core.ts";

export type TelegramSessionState = "connected" | "lost" | "disconnected" | "ended";
type Bytes = ColumnType<Uint8Array, Uint8Array, Uint8Array>;
type MaybeTime = ColumnType<string | null, string | null | undefined, string | null>;

export type TelegramTables = {
  telegram_sessions: {
    id: Generated<string>;
    user_id: string;
    telegram_user_id: Int8;
    phone: string | null;
    state: Generated<TelegramSessionState>;
    ended_reason: string | null;
    device: string;
    connected_at: Time;
    ended_at: MaybeTime;
    last_activity_at: MaybeTime;
    paused_until: MaybeTime;
    paused_reason: string | null;
    stopped_at: MaybeTime;
    stopped_reason: string | null;
    daily_cap: Generated<number>;
    access_ended_at: MaybeTime;
    lease_owner: string | null;
    fence: Generated<string>;
    unusable_since: MaybeTime;
  };
  telegram_auth_keys: {
    account_id: string;
    dc: number;
    slot: number;
    key_version: number;
    sealed: Bytes;
    expires_at: ColumnType<string, number | string | undefined, number | string>;
  };
  telegram_state: { account_id: string; key: string; value: Bytes };
  telegram_peers: {
    account_id: string;
    peer_id: Int8;
    access_hash: string;
    is_min: boolean;
    usernames: ColumnType<string[], string[], string[]>;
    phone: string | null;
    updated_ms: Int8;
    complete: Bytes;
  };
  telegram_peer_references: { account_id: string; peer_id: Int8; chat_id: Int8; message_id: number };
  telegram_channels: { account_id: string; channel: string; channel_id: Int8; access_hash: string };
  contact_checks: { account_id: string; peer_id: Int8; requirement: string | null; at: Time };
  telegram_files: { account_id: string; media_id: string; file_id: string };
  telegram_login_attempts: { user_id: string; id: string; owner: string; kind: "code" | "qr"; expires_at: Time };
  telegram_workers: { id: string; lease_until: Time; ended_at: MaybeTime; most_accounts: Generated<number> };
};
