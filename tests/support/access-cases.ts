import type { AccessFields } from "../../domain/subscription.ts";

export const NOW = Date.parse("2026-11-21T12:00:00.000Z");

const STATUSES = [
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "paused",
  "canceled",
  "incomplete",
  "incomplete_expired",
  null,
] as const;
const MOMENTS = { absent: null, past: NOW - 1_000, now: NOW, future: NOW + 1_000 } as const;
type Moment = keyof typeof MOMENTS;
const NAMES = Object.keys(MOMENTS) as Moment[];
const iso = (moment: Moment): string | null => {
  const time = MOMENTS[moment];
  return time === null ? null : new Date(time).toISOString();
};

/**
 * Expected access, written out by hand: expires_at decides when it is set; otherwise the end of the period does, if the subscription is
 * cancelled at it.
 */
const OPEN_BY_EXPIRES_AT: Record<Exclude<Moment, "absent">, boolean> = { past: false, now: false, future: true };
const OPEN_BY_PERIOD_END: Record<Moment, boolean> = { absent: true, past: false, now: false, future: true };
const OPEN_STATUS: Record<string, boolean> = { active: true, trialing: true };

export type AccessCase = {
  name: string;
  /** null: no subscription row */
  row: (AccessFields & { status: string; cancel_at: string | null }) | null;
  isOpen: boolean;
};

/** Every status × expires_at, current_period_end and cancel_at (each absent, past, now or future) × whether it is cancelled. */
export const accessCases: AccessCase[] = STATUSES.flatMap((status) =>
  NAMES.flatMap((expires) =>
    NAMES.flatMap((period) =>
      NAMES.flatMap((cancel) =>
        [false, true].map((flag) => {
          const isInTime = expires === "absent" ? !flag || OPEN_BY_PERIOD_END[period] : OPEN_BY_EXPIRES_AT[expires];
          return {
            name: `${status ?? "no record"}, expires ${expires}, period ends ${period}, cancel at ${cancel}, ${flag ? "cancelled" : "running"}`,
            row:
              status === null
                ? null
                : {
                    status,
                    expires_at: iso(expires),
                    current_period_end: iso(period),
                    cancel_at: iso(cancel),
                    cancel_at_period_end: flag,
                  },
            isOpen: status !== null && OPEN_STATUS[status] === true && isInTime,
          };
        }),
      ),
    ),
  ),
);
