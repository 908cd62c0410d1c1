import type { Generated } from "kysely";
import type { BatchAction, BatchJob } from "../../../domain/batch.ts";
import type { Int8, Json, Time } from "./core.ts";

export type BatchTables = {
  lead_batches: {
    id: Generated<string>;
    owner_id: string;
    action: Json<BatchAction>;
    undo_of: string | null;
    status: Generated<BatchJob["status"]>;
    total: Generated<number>;
    done: Generated<number>;
    changed: Generated<number>;
    left_alone: Generated<number>;
    places: Generated<number[]>;
    error: string | null;
    by_key: string | null;
    created_at: Time;
    finished_at: Time | null;
    undo_until: Time | null;
    has_targets: Generated<boolean>;
  };
  lead_import_rows: {
    import_id: string;
    row: number;
    owner_id: string;
    telegram_user_id: Int8 | null;
    username: string | null;
    notes: string | null;
    tags: string[] | null;
    fields: Json<Record<string, string | number>> | null;
    lead_id: string | null;
    words: string | null;
    at: Time;
  };
  lead_batch_targets: { batch_id: string; n: number; lead_id: string; owner_id: string; undo: Json<object> | null };
};
