/** Logs silent failures: what failed, and the error. Never a token, a code or a password. */
export type Logger = { warn: (what: string, error: unknown) => void };

/** Logs to the browser's console, one line per failure. */
export const createLogger = (sink: Pick<Console, "warn"> = console): Logger => ({
  warn: (what, error) => sink.warn(`[leadloom] ${what}`, error),
});
