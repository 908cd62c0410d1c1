/** What a query gives back on either engine. `rowCount` is the number of rows read or written. */
export type QueryResult<Row = Record<string, unknown>> = { rows: Row[]; rowCount: number; command: string };

/** One session of the database; everything between two `release` calls runs on it, in order. */
export type PoolClient = {
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<QueryResult<Row>>;
  release(error?: Error | boolean): void;
};

/** The sessions of one database: many on Postgres, exactly one on the embedded engine. */
export type Pool = {
  connect(): Promise<PoolClient>;
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<QueryResult<Row>>;
  end(): Promise<void>;
};

/** An open database: its engine, its sessions, its notifications, its backup. */
export type Engine = {
  kind: "pglite" | "postgres";
  pool: Pool;
  /**
   * Calls back for each notification on the channel; resolves when listening. Survives reconnects.
   * @param onGap listening had stopped and goes on: notifications may have been missed
   */
  listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<void>;
  /** A copy of the whole store as a tar archive, compressed unless told otherwise; only the embedded engine makes one itself. */
  dump(compression?: "gzip" | "none"): Promise<Uint8Array>;
  /** What to do when another process of this machine asks for a backup of the embedded store; resolves to the file's path. */
  onBackupAsked(make: () => Promise<string>): void;
  /** how many sessions there are, how many of them are free, and how many callers wait for one */
  sessions(): { open: number; idle: number; waiting: number };
  close(): Promise<void>;
};
