import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type { Db, Database } from "./schema.ts";
import type { DatabaseLimits } from "./limits.ts";
import { migrate } from "./migrate.ts";
import { openPglite } from "./pglite.ts";
import type { Engine } from "./pool.ts";
import { openPostgres } from "./postgres.ts";

export { type DatabaseLimits } from "./limits.ts";
export { byIndexes, planByIndexes } from "./transactions.ts";
export { deleteInBatches } from "./delete-in-batches.ts";
export { commitLater, commitNow } from "./transactions.ts";
export { HOT_STATEMENT } from "./named.ts";
export { ReadAborted, untilAborted } from "./until-aborted.ts";
export { isLostRace, isUniqueViolation, lostRace, tryAgain } from "./transactions.ts";
export type { Database } from "./schema.ts";
export type { Engine, Pool, PoolClient } from "./pool.ts";
export type { Db, DbOrTx, Tx } from "./schema.ts";

export type OpenDatabase = { db: Db; engine: Engine; close(): Promise<void> };
export type DatabaseOptions =
  | { kind: "pglite"; dataDir: string | null; template?: Uint8Array | null }
  | { kind: "postgres"; url: string; limits?: Partial<DatabaseLimits>; onError?: (error: Error) => void };

/** Opens the database, embedded or real, and brings its schema up to date. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  if (options.kind === "postgres") await migrateWithoutLimits(options.url);
  const engine = options.kind === "pglite" ? await openPglite(options) : await openPostgres(options);
  try {
    if (options.kind === "pglite") await migrate(engine.pool);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: engine.pool as unknown as PostgresPool }) });
  return { db, engine, close: () => engine.close() };
}

/**
 * Migrates without timeouts: an index on a large table takes longer than any call may, and a second process waits for the first one's
 * migration. An idle transaction is still ended, because its process has frozen.
 */
async function migrateWithoutLimits(url: string): Promise<void> {
  const limits = { poolSize: 1, statementMs: 0, lockMs: 0, queryMs: 0 };
  const engine = await openPostgres({ url, limits });
  try {
    await migrate(engine.pool);
  } finally {
    await engine.close();
  }
}
