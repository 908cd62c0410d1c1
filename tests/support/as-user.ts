import { sql } from "kysely";
import type { Db, Tx } from "../../server/db/index.ts";

/** The role and claims of a request that reaches a Supabase project directly. */
export type Claims = { sub: string; role: "authenticated"; [claim: string]: unknown } | { role: "anon" };

/**
 * Runs `work` in one transaction as the caller, so that row policies decide what it reads and writes.
 * @throws Postgres errors: code 42501 when a policy or a missing grant refuses
 */
export function asUser<T>(db: Db, claims: Claims, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('request.jwt.claims', ${JSON.stringify(claims)}, true), set_config('role', ${claims.role}, true)`.execute(
      tx,
    );
    return work(tx);
  });
}
