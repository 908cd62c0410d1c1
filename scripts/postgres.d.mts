export type ThrowawayPostgres = { url: string; bin: string; stop(): void };
export function startPostgres(): Promise<ThrowawayPostgres | null>;
