import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type { Engine, PoolClient } from "./pool.ts";
import type { Database } from "./schema.ts";

/** The caller hung up before the response was ready. */
export class ReadAborted extends Error {
  override name = "ReadAborted";
  constructor() {
    super("The caller hung up before the answer.");
  }
}

/** A transaction must still end, because its session goes back to the pool. */
const isEnd = (sql: string): boolean => sql === "commit" || sql === "rollback";

/**
 * Returns the database for the reads of one request. Once `signal` is aborted no query starts, not even the next one of an open
 * transaction. A running query is not interrupted.
 * @throws ReadAborted from each query after the abort
 */
export function untilAborted({ pool }: Pick<Engine, "pool">, signal: AbortSignal): Kysely<Database> {
  const check = () => {
    if (signal.aborted) throw new ReadAborted();
  };
  const connect = async (): Promise<PoolClient> => {
    check();
    const session = await pool.connect();
    if (signal.aborted) session.release();
    check();
    return {
      async query(sql, params) {
        if (!isEnd(sql)) check();
        return session.query(sql, params);
      },
      release: (error) => session.release(error),
    };
  };
  const sessions = { connect, end: async () => {} };
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: sessions as unknown as PostgresPool }) });
}
