export type ThrowawayPostgres = { url: string; bin: string; up(): void; down(): void; stop(): void };
export function hasPostgres(): boolean;
export function startPostgres(options?: {
  settings?: Record<string, string>;
  /** The parent folder of the data; by default the system's temporary folder. */
  folder?: string;
}): Promise<ThrowawayPostgres | null>;
