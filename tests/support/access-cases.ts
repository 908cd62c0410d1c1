import type { AccessFields } from "../../domain/subscription.ts";

export const NOW = Date.parse("2026-11-21T12:00:00.000Z");

const STATUSES = [..."active trialing past_due unpaid paused canceled incomplete incomplete_expired".split(" "), null];
const iso = (time: number) => new Date(time).toISOString();
const MOMENTS = Object.entries({ absent: null, past: iso(NOW - 1_000), now: iso(NOW), future: iso(NOW + 1_000) });

export type AccessCase = {
  name: string;
  /** null: no subscription row */
  row: (AccessFields & { status: string; cancel_at: string | null }) | null;
  isOpen: boolean;
};

/**
 * Every status × expires_at, current_period_end and cancel_at (each absent, past, now or future) × whether it is cancelled. expires_at
 * decides when it is set; otherwise the end of the period does, if the subscription is cancelled at it.
 */
export const accessCases: AccessCase[] = STATUSES.flatMap((status) =>
  MOMENTS.flatMap(([expires, expires_at]) =>
    MOMENTS.flatMap(([period, current_period_end]) =>
      MOMENTS.flatMap(([cancel, cancel_at]) =>
        [false, true].map((cancel_at_period_end) => {
          const end = expires === "absent" && cancel_at_period_end ? period : expires;
          const flag = cancel_at_period_end ? "cancelled" : "running";
          return {
            name: `${status ?? "no record"}, expires ${expires}, period ends ${period}, cancel at ${cancel}, ${flag}`,
            row: status === null ? null : { status, expires_at, current_period_end, cancel_at, cancel_at_period_end },
            isOpen: ["active", "trialing"].includes(status ?? "") && ["absent", "future"].includes(end),
          };
        }),
      ),
    ),
  ),
);
