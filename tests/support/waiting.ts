import { vi } from "vitest";
import { systemClock, withTimeout } from "../../server/core/clock.ts";
import type { ProcessWork } from "../../server/core/work.ts";

/** Long enough for any machine; longer means that it hangs. */
export const HANG_MS = 30_000;

/** Retries `check` until it does not throw, and returns its value. Throws its last error after the time limit. */
export const waitFor = <T>(check: () => T | Promise<T>, timeout = HANG_MS): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 20 });

/** Resolves when a process is idle. @throws when it hangs, naming the work in flight */
export const untilIdle = (work: ProcessWork, options?: Parameters<ProcessWork["idle"]>[0]): Promise<void> =>
  withTimeout(systemClock, HANG_MS, work.idle(options), () => {
    throw new Error(`Not idle after ${HANG_MS / 1000} s. In flight: ${work.inFlight().join(", ") || "nothing"}`);
  });
