/** Timeouts of a database session, and the resources that a process uses. Times in ms. */
export type DatabaseLimits = {
  /** sessions of one process, without the listening one */
  poolSize: number;
  statementMs: number;
  lockMs: number;
  /** an idle transaction, such as one whose host is gone */
  idleTransactionMs: number;
  /** how long this side waits for a response before it closes the connection */
  queryMs: number;
  /** prepare hot reads once per session, by name; not possible behind a pooler that lends sessions per transaction */
  namedStatements: boolean;
  /** a silent connection is probed after this long, and closed after twice as long */
  keepAliveMs: number;
};

export const DATABASE_LIMITS: DatabaseLimits = {
  poolSize: 10,
  statementMs: 30_000,
  lockMs: 10_000,
  idleTransactionMs: 8_000,
  queryMs: 35_000,
  keepAliveMs: 6_000,
  namedStatements: true,
};

const PROBES = 3;

/** Returns the limits as session parameters, which the database enforces even when this process is gone. */
export function sessionOptions(limits: DatabaseLimits): string {
  const keepAlive = Math.ceil(limits.keepAliveMs / 1000);
  const parameters = {
    TimeZone: "UTC",
    // Postgres compiles plans that it estimates as expensive, which takes longer than nearly all statements here.
    jit: "off",
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleTransactionMs,
    tcp_keepalives_idle: keepAlive,
    tcp_keepalives_interval: Math.ceil(keepAlive / PROBES),
    tcp_keepalives_count: PROBES,
    tcp_user_timeout: 2 * keepAlive * 1000,
  };
  return Object.entries(parameters)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}
