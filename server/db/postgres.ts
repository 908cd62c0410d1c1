import pg from "pg";
import type { Engine, Pool } from "./pool.ts";
import { parsers } from "./type-parsers.ts";

const RELISTEN_MS = 1_000;

/**
 * Opens a pool of sessions to a real Postgres. Cut connections are replaced; listening resumes by itself.
 * @param options.max sessions at most
 */
export async function openPostgres(options: {
  url: string;
  max?: number;
  onError?: (error: Error) => void;
}): Promise<Engine> {
  const types = {
    getTypeParser: (oid: number, format?: string) =>
      format === "binary" || parsers[oid] === undefined
        ? (pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown)(oid, format)
        : parsers[oid],
  } as pg.CustomTypesConfig;
  const settings: pg.PoolConfig = {
    connectionString: options.url,
    types,
    options: "-c TimeZone=UTC",
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...settings, max: options.max ?? 10 });
  pool.on("error", (error) => options.onError?.(error));
  // Between two queries of a transaction nobody listens to a session: its loss would end the process. The next query reports it.
  pool.on("connect", (client) => client.on("error", () => {}));
  const probe = await pool.connect();
  probe.release();

  const listeners = new Map<string, Set<(payload: string) => void>>();
  let listening: pg.Client | null = null;
  let closing = false;
  const startListening = async (): Promise<void> => {
    const client = new pg.Client({ ...settings, application_name: "leadloom-listen" });
    const again = () => {
      if (closing || listening !== client) return;
      listening = null;
      const retry = () => void startListening().catch(() => setTimeout(retry, RELISTEN_MS).unref());
      setTimeout(retry, RELISTEN_MS).unref();
    };
    client.on("error", again);
    client.on("end", again);
    client.on("notification", (message) => {
      listeners.get(message.channel)?.forEach((listener) => listener(message.payload ?? ""));
    });
    await client.connect();
    listening = client;
    for (const channel of listeners.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  };

  return {
    kind: "postgres",
    pool: pool as unknown as Pool,
    async listen(channel, onPayload) {
      const known = listeners.get(channel) ?? new Set();
      const isNew = known.size === 0;
      known.add(onPayload);
      listeners.set(channel, known);
      if (listening === null) await startListening();
      else if (isNew) await listening.query(`listen ${pg.escapeIdentifier(channel)}`);
    },
    dump() {
      throw new Error("Back up a real Postgres with pg_dump.");
    },
    onBackupAsked() {},
    sessions: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      closing = true;
      await listening?.end().catch(() => {});
      await pool.end();
    },
  };
}
