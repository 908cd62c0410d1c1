export type ThrowawayPostgres = { url: string; bin: string; up(): void; down(): void; stop(): void };
export function hasPostgres(): boolean;
export function startPostgres(options?: {
  settings?: Record<string, string>;
  /** Where the data goes; the system's temporary folder unless given. */
  folder?: string;
}): Promise<ThrowawayPostgres | null>;
