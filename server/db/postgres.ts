import pg from "pg";
import { DATABASE_LIMITS, sessionOptions, type DatabaseLimits } from "./limits.ts";
import { cut, listenOnPostgres } from "./listening.ts";
import { createStatementNames } from "./named.ts";
import type { Engine, Pool } from "./pool.ts";
import { parsers } from "./type-parsers.ts";

const READ_TIMEOUT = /^Query read timeout$/;

/**
 * Opens a session pool to a Postgres server. Lost connections are replaced, and listening resumes. No call waits forever: sessions have
 * limits on this side and in the database.
 */
export async function openPostgres(options: {
  url: string;
  limits?: Partial<DatabaseLimits>;
  onError?: (error: Error) => void;
}): Promise<Engine> {
  const limits = { ...DATABASE_LIMITS, ...options.limits };
  const types = {
    getTypeParser: (oid: number, format?: string) =>
      format === "binary" || parsers[oid] === undefined
        ? (pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown)(oid, format)
        : parsers[oid],
  } as pg.CustomTypesConfig;
  const settings: pg.PoolConfig = {
    connectionString: options.url,
    types,
    options: sessionOptions(limits),
    query_timeout: limits.queryMs,
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: limits.keepAliveMs,
  };
  const nameOf = createStatementNames();
  const pool = new pg.Pool({ ...settings, max: limits.poolSize });
  pool.on("error", (error) => options.onError?.(error));
  pool.on("connect", (client) => {
    // Without a listener, losing a session between two queries of a transaction would end the process. The next query reports it.
    client.on("error", () => {});
    giveUpWhenSilent(client);
    if (limits.namedStatements) nameHotStatements(client, nameOf);
  });
  const probe = await pool.connect();
  probe.release();
  const listening = listenOnPostgres(() => new pg.Client({ ...settings, application_name: "leadloom-listen" }));

  return {
    kind: "postgres",
    pool: pool as unknown as Pool,
    listen: listening.listen,
    dump() {
      throw new Error("Back up a real Postgres with pg_dump.");
    },
    onBackupAsked() {},
    sessions: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await listening.close();
      await pool.end();
    },
  };
}

/** Closes a session whose response timed out: a late response would be taken for that of the next query. */
function giveUpWhenSilent(client: pg.PoolClient): void {
  const ask = client.query.bind(client) as (...given: unknown[]) => unknown;
  const wrapped = (...given: unknown[]): unknown => {
    const answer = ask(...given);
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (error instanceof Error && READ_TIMEOUT.test(error.message)) cut(client);
      });
    return answer;
  };
  client.query = wrapped as typeof client.query;
}

/** Sends hot statements by name, so that a session prepares each only once. */
function nameHotStatements(client: pg.PoolClient, nameOf: (text: string) => string | null): void {
  const ask = client.query.bind(client) as (...given: unknown[]) => unknown;
  const wrapped = (...given: unknown[]): unknown => {
    const [text, values] = given;
    const name = typeof text === "string" && Array.isArray(values) ? nameOf(text) : null;
    return name === null ? ask(...given) : ask({ name, text, values }, ...given.slice(2));
  };
  client.query = wrapped as typeof client.query;
}
