import { vi } from "vitest";

/** Long enough for any machine: what takes longer hangs. */
export const HANG_MS = 30_000;

/** Tries until `check` throws no more, and gives what it gave; fails with what it threw last. */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: HANG_MS, interval: 20 });
