/** How long a database session may make anyone wait, how many of them a process holds, and what they keep. Times in ms. */
export type DatabaseLimits = {
  /** sessions of one process, the listening one not counted */
  poolSize: number;
  statementMs: number;
  lockMs: number;
  /** a transaction in which nothing happens, as one whose host is gone */
  idleTransactionMs: number;
  /** how long this side waits for an answer, whatever the other side does: its connection is then given up */
  queryMs: number;
  /** hot reads are prepared once a session, by name: not where a pooler lends a session for one transaction */
  namedStatements: boolean;
  /** a silent connection is probed after this long, and given up after twice as long */
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

/** The limits as parameters of a session, which the database keeps also when nobody of ours is left to ask. */
export function sessionOptions(limits: DatabaseLimits): string {
  const keepAlive = Math.ceil(limits.keepAliveMs / 1000);
  const parameters = {
    TimeZone: "UTC",
    // Plans estimated as large are compiled, which takes longer than nearly all of our statements.
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
