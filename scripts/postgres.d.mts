/** Starts a Postgres on loopback in a folder of its own; null where none can be had. */
export function startPostgres(): Promise<{ url: string; bin: string; stop(): void } | null>;
