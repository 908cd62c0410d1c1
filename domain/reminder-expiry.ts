import { isWithinHours, nextOpening, OPENING_SPREAD_MS, type AllowedHours } from "./schedule.ts";

/** A reminder that was not sent this long after it was due expires. */
const REMINDER_LIFE_MS = 24 * 3_600_000;
/** The planner runs at every full minute. */
const LOOK_MS = 60_000;

/** Returns when the planner runs first, at this time or after it. */
export const plannerRunAt = (time: number): number => Math.ceil(time / LOOK_MS) * LOOK_MS;

/** What decides when a reminder expires. All times are milliseconds since 1970. */
export type ReminderTimes = {
  dueAt: number;
  /** when it is planned */
  now: number;
  isConnected: boolean;
  /** when the account or access last came back after a break; -Infinity for never */
  returnedAt: number;
  hours: AllowedHours;
};

/**
 * Returns when a reminder expires: 24 hours after it was due. Two waits are not counted: allowed hours that open later than that, and a
 * planner that was late although the account was there.
 */
export function reminderExpiry({ dueAt, now, isConnected, returnedAt, hours }: ReminderTimes): number {
  const isOurDelay = dueAt < now - REMINDER_LIFE_MS && isConnected && dueAt >= returnedAt - REMINDER_LIFE_MS;
  const from = isOurDelay ? now : dueAt;
  if (isWithinHours(from + LOOK_MS, hours)) return from + REMINDER_LIFE_MS;
  const opening = nextOpening(from, hours);
  return (opening + OPENING_SPREAD_MS < from + REMINDER_LIFE_MS ? from : opening) + REMINDER_LIFE_MS;
}
