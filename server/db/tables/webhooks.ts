import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { WebhookDelivery, WebhookEvent } from "../../../domain/webhook.ts";
import type { Int8, Json, Time } from "./core.ts";

type Bytes = ColumnType<Uint8Array, Uint8Array, Uint8Array>;
type MaybeTime = ColumnType<string | null, string | null | undefined, string | null>;

export type WebhookTables = {
  webhooks: {
    id: Generated<string>;
    owner_id: string;
    url: string;
    events: ColumnType<WebhookEvent[], WebhookEvent[], WebhookEvent[]>;
    is_enabled: Generated<boolean>;
    disabled_reason: ColumnType<string | null, string | null | undefined, string | null>;
    key_version: number;
    sealed: Bytes;
    created_at: Time;
    deleted_at: MaybeTime;
    failing_since: MaybeTime;
    failures: Generated<number>;
  };
  webhook_events: {
    id: GeneratedAlways<string>;
    key: Generated<string>;
    owner_id: string;
    lead_id: string | null;
    type: string;
    data: Json<Record<string, unknown>>;
    at: Time;
  };
  webhook_deliveries: {
    id: GeneratedAlways<string>;
    owner_id: string;
    webhook_id: string;
    event_id: Int8;
    lead_id: ColumnType<string | null, string | null | undefined, string | null>;
    replay_of: ColumnType<string | null, string | null | undefined, string | null>;
    state: Generated<WebhookDelivery["state"]>;
    attempts: Generated<number>;
    next_try_at: ColumnType<string, string | undefined, string>;
    lease_until: MaybeTime;
    status: ColumnType<number | null, number | null | undefined, number | null>;
    error: ColumnType<string | null, string | null | undefined, string | null>;
    at: Time;
    settled_at: MaybeTime;
  };
};
