export type ThrowawayPostgres = { url: string; bin: string; up(): void; down(): void; stop(): void };
export function startPostgres(): Promise<ThrowawayPostgres | null>;
