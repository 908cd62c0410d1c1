import { offsetOf } from "./zone.ts";

/**
 * Hours between which automation may write: start inclusive, end exclusive; equal means the whole day, a start after the end goes over
 * midnight. They are hours of `zone` (an IANA name; none is UTC), on its days in `weekdays` alone (ISO numbers, 1 is Monday; none is
 * every day): a window over midnight is closed in its part on a day that is not among them.
 */
export type AllowedHours = {
  startHour: number;
  endHour: number;
  zone?: string | null;
  weekdays?: readonly number[] | null;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Held messages leave spread over this time after the opening, so that they do not all go out on the hour. */
export const OPENING_SPREAD_MS = 30 * 60_000;
/** What was overdue by more than this when it could first go out is listed for the person, not sent. */
export const OVERDUE_LIMIT_MS = DAY_MS;
/** A lead that got a bulk message is left alone by automation this long. */
export const BULK_GUARD_MS = HOUR_MS;
/** A send is cold when neither side wrote for this long; only cold sends count toward the account's daily limit. */
const COLD_AFTER_MS = 30 * DAY_MS;

/** Offsets from UTC are multiples of this, and so are the moments at which they change. */
const QUARTER_MS = 15 * 60_000;
/** The longest wait: hours of one day a week that a change of the clock leaves out. */
const LONGEST_WAIT_MS = 22 * DAY_MS;
const EPOCH_WEEKDAY = 4;

const offsetAt = (at: number, zone: string | null | undefined): number => (zone ? offsetOf(zone, at) : 0);
const isEveryDay = (weekdays: readonly number[] | null | undefined): boolean => !weekdays || weekdays.length >= 7;

/** True when automation may write at this moment. */
export function isWithinHours(at: number, { startHour, endHour, zone, weekdays }: AllowedHours): boolean {
  const local = at + offsetAt(at, zone);
  const day = Math.floor(local / DAY_MS);
  if (!isEveryDay(weekdays) && !weekdays?.includes(((((day + EPOCH_WEEKDAY - 1) % 7) + 7) % 7) + 1)) return false;
  const hour = Math.floor((local - day * DAY_MS) / HOUR_MS);
  if (startHour === endHour) return true;
  return startHour < endHour ? hour >= startHour && hour < endHour : hour >= startHour || hour < endHour;
}

/**
 * The next moment after `at` at which the allowed hours begin. Hours that a change of the clock leaves out begin that day with what is
 * left of them, or not at all; hours that come twice begin with the first.
 * @throws RangeError for hours that never begin
 */
export function nextOpening(at: number, hours: AllowedHours): number {
  if (!hours.zone && isEveryDay(hours.weekdays)) {
    const today = at - (at % DAY_MS) + hours.startHour * HOUR_MS;
    return today > at ? today : today + DAY_MS;
  }
  let wasOpen = isWithinHours(at, hours);
  for (let next = at - (at % QUARTER_MS) + QUARTER_MS; next <= at + LONGEST_WAIT_MS; next += QUARTER_MS) {
    const isOpen = isWithinHours(next, hours);
    if (isOpen && !wasOpen) return next;
    wasOpen = isOpen;
  }
  throw new RangeError("These hours never begin.");
}

/**
 * When a message that must wait for the hours leaves: spread over the time after the next opening, within the hours.
 * @param spread this message's place in the opening's spread, from 0 up to 1
 * @param opening the next one after `at`, where it is known
 */
export function afterOpening(
  at: number,
  hours: AllowedHours,
  spread: number,
  opening: number = nextOpening(at, hours),
): number {
  const leaves = opening + Math.floor(spread * OPENING_SPREAD_MS);
  // Where the clocks change, a quarter may be all that is left of an hour.
  return isWithinHours(leaves, hours) ? leaves : opening + Math.floor(spread * QUARTER_MS);
}

/**
 * When a message that is due at `dueAt` leaves: at once within the allowed hours, else after the next opening.
 * Never before `now`, and never outside the hours, however late it is planned.
 * @param spread this message's place in the opening's spread, from 0 up to 1
 */
export function sendTime(input: { dueAt: number; now: number; hours: AllowedHours; spread: number }): number {
  const { dueAt, now, hours, spread } = input;
  const postpone = (at: number) => (isWithinHours(at, hours) ? at : afterOpening(at, hours, spread));
  const planned = postpone(dueAt);
  return planned >= now ? planned : postpone(now);
}

/** True when neither side wrote for a month: such sends count toward the account's daily limit. */
export const isColdAt = (lastMessageAt: number | null, now: number): boolean =>
  lastMessageAt === null || lastMessageAt < now - COLD_AFTER_MS;

/**
 * Overdue by more than a day when it could first go out by itself, or due before its chat was imported or a dry run ended: a backlog, and
 * the person decides.
 */
export function isBacklog(
  { dueAt, createdAt, importedAt }: { dueAt: number; createdAt: number; importedAt: number | null },
  { automatedSince, dryRunEndedAt }: { automatedSince: number | null; dryRunEndedAt: number | null },
): boolean {
  if (importedAt !== null && dueAt <= importedAt) return true;
  if (dryRunEndedAt !== null && dueAt <= dryRunEndedAt) return true;
  return dueAt < Math.max(automatedSince ?? 0, createdAt) - OVERDUE_LIMIT_MS;
}

/** The start of the next day in UTC. */
export const nextDay = (at: number): number => at - (at % DAY_MS) + DAY_MS;
/** Returns until when a bulk message is paused; null when it continues. Ignores a time after the end of the day: a clock that was ahead set it. */
export const jobPausedUntil = (until: number | null, now: number): number | null =>
  until !== null && until <= nextDay(now) ? until : null;
/** The day in UTC as Postgres writes a date. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
