/** The result of a query on either engine. `rowCount` is the number of rows read or written. */
export type QueryResult<Row = Record<string, unknown>> = { rows: Row[]; rowCount: number; command: string };

/** A session of the database; queries before `release` run on it in order. */
export type PoolClient = {
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<QueryResult<Row>>;
  release(error?: Error | boolean): void;
};

/** The sessions of a database: many on Postgres, exactly one on the embedded engine. */
export type Pool = {
  connect(): Promise<PoolClient>;
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<QueryResult<Row>>;
  end(): Promise<void>;
};

export type Engine = {
  kind: "pglite" | "postgres";
  pool: Pool;
  /**
   * Calls back for each notification on the channel; resolves when listening. Survives reconnects.
   * @param onGap called when listening resumes after an interruption: notifications may have been missed
   */
  listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<void>;
  /** Returns a copy of the whole database as a tar archive, by default compressed; only the embedded engine supports this. */
  dump(compression?: "gzip" | "none"): Promise<Uint8Array>;
  /** Sets how to back up the embedded database when another process of this machine asks; resolves to the file's path. */
  onBackupAsked(make: () => Promise<string>): void;
  /** the number of sessions, of idle ones, and of callers that wait for one */
  sessions(): { open: number; idle: number; waiting: number };
  close(): Promise<void>;
};
