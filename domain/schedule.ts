/** Hours in UTC between which automation may write: start inclusive, end exclusive; equal means the whole day. */
export type AllowedHours = { startHour: number; endHour: number };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Held messages leave spread over this time after the opening, so that they do not all go out on the hour. */
export const OPENING_SPREAD_MS = 30 * 60_000;
/** What was overdue by more than this when it could first go out is listed for the person, not sent. */
export const OVERDUE_LIMIT_MS = DAY_MS;
/** A lead that got a bulk message is left alone by automation this long. */
export const BULK_GUARD_MS = HOUR_MS;
/** A send is cold when neither side wrote for this long; only cold sends count toward the account's daily limit. */
export const COLD_AFTER_MS = 30 * DAY_MS;

/** True when automation may write at this moment. A start after the end wraps around midnight. */
export function isWithinHours(at: number, { startHour, endHour }: AllowedHours): boolean {
  const hour = new Date(at).getUTCHours();
  if (startHour === endHour) return true;
  return startHour < endHour ? hour >= startHour && hour < endHour : hour >= startHour || hour < endHour;
}

/** The next moment after `at` at which the allowed hours begin. */
export function nextOpening(at: number, { startHour }: AllowedHours): number {
  const today = at - (at % DAY_MS) + startHour * HOUR_MS;
  return today > at ? today : today + DAY_MS;
}

/**
 * When a message that is due at `dueAt` leaves: at once within the allowed hours, else after the next opening.
 * Never before `now`, and never outside the hours, however late it is planned.
 * @param spread where in the opening's spread this message stands, from 0 up to 1
 */
export function sendTime(input: { dueAt: number; now: number; hours: AllowedHours; spread: number }): number {
  const { dueAt, now, hours, spread } = input;
  const held = (at: number) =>
    isWithinHours(at, hours) ? at : nextOpening(at, hours) + Math.floor(spread * OPENING_SPREAD_MS);
  const planned = held(dueAt);
  return planned >= now ? planned : held(now);
}

/** The start of the next day in UTC. */
export const nextDay = (at: number): number => at - (at % DAY_MS) + DAY_MS;
/** The day in UTC as Postgres writes a date. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
