import { sql } from "kysely";
import { vi } from "vitest";
import { systemClock, withTimeout } from "../../server/core/clock.ts";
import type { ProcessWork } from "../../server/core/work.ts";
import type { Db } from "../../server/db/index.ts";

/** Long enough for any machine; a longer wait means a hang. */
export const HANG_MS = 30_000;

/** Retries `check` until it does not throw, and returns its value. Throws its last error after the time limit. */
export const waitFor = <T>(check: () => T | Promise<T>, timeout = HANG_MS): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 20 });

/** Resolves when a process is idle. @throws when it hangs, naming the work in flight */
export const untilIdle = (work: ProcessWork, options?: Parameters<ProcessWork["idle"]>[0]): Promise<void> =>
  withTimeout(systemClock, HANG_MS, work.idle(options), () => {
    throw new Error(`Not idle after ${HANG_MS / 1000} s. In flight: ${work.inFlight().join(", ") || "nothing"}`);
  });

/** Resolves when at least this many sessions of the database wait for a lock of another session. */
export const untilLocked = (db: Db, sessions: number): Promise<void> =>
  waitFor(async () => {
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    if ((await waiting.execute(db)).rows.length < sessions)
      throw new Error(`${sessions} sessions are not waiting yet.`);
  });
