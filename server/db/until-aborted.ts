import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type { Engine, PoolClient } from "./pool.ts";
import type { Database } from "./schema.ts";

/** Whoever asked does not wait for the answer any more. */
export class ReadGivenUp extends Error {
  override name = "ReadGivenUp";
  constructor() {
    super("The caller hung up before the answer.");
  }
}

/** How a transaction ends goes through: its session is somebody else's next. */
const isEnd = (sql: string): boolean => sql === "commit" || sql === "rollback";

/**
 * The database for reads that nobody waits for any more once a signal is aborted: from then on none begins, neither one that waits for a
 * session nor the next one of a transaction. One that is under way ends by itself.
 * @throws ReadGivenUp from each query, once it is aborted
 */
export function untilAborted({ pool }: Pick<Engine, "pool">, signal: AbortSignal): Kysely<Database> {
  const check = () => {
    if (signal.aborted) throw new ReadGivenUp();
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
