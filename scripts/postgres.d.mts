export type ThrowawayPostgres = { url: string; bin: string; up(): void; down(): void; stop(): void };
export function hasPostgres(): boolean;
export function startPostgres(options?: { settings?: Record<string, string> }): Promise<ThrowawayPostgres | null>;
