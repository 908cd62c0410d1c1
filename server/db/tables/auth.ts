import type { ColumnType, Generated } from "kysely";
import type { Scope } from "../../../domain/api-key.ts";
import type { Time } from "./core.ts";

export type KeyTables = {
  api_keys: {
    id: Generated<string>;
    owner_id: string;
    name: string;
    scopes: Scope[];
    hash: string;
    hint: string;
    created_at: Time;
    last_used_at: Time | null;
  };
};

/** Tables of the embedded sign-in (server/db/bootstrap.sql). On Supabase they belong to Supabase. */
export type AuthTables = {
  "auth.sessions": {
    id: Generated<string>;
    user_id: string;
    refresh_counter: Generated<number>;
    rotations: ColumnType<number[], string | undefined, string>;
    created_at: Time;
    updated_at: Time;
  };
  "auth.email_links": {
    secret_hash: string;
    user_id: string;
    purpose: "signup" | "recovery" | "email_change";
    email: string;
    expires_at: Time;
  };
};
