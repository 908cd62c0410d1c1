import { t } from "@lingui/core/macro";
import { dateText, hourText, roughDurationText, shortDateText } from "../../language/format.ts";

const DAY_MS = 86_400_000;
const dayOf = (time: number) => new Date(time).setHours(0, 0, 0, 0);
/** Whole days between two moments in the user's time zone; a day with a clock change counts as one. */
const daysBetween = (from: number, to: number) => Math.round((dayOf(to) - dayOf(from)) / DAY_MS);

/** The line above a day's messages: `Today`, `Yesterday`, `5 March 2026`. */
export function dayLine(at: string, now: number): string {
  const days = daysBetween(Date.parse(at), now);
  return days === 0 ? t`Today` : days === 1 ? t`Yesterday` : (dateText(at) ?? "");
}

/** Whether both are on the same day in the user's time zone. */
export const isSameDay = (a: string, b: string): boolean => dayOf(Date.parse(a)) === dayOf(Date.parse(b));

/** The time in the list of conversations: today's time of day, or else the day. */
export function shortTime(at: string, now: number): string {
  const days = daysBetween(Date.parse(at), now);
  if (days === 0) return hourText(at) ?? "";
  return shortDateText(at, { hasYear: days >= 300 });
}

/** How long a lead has waited: `waiting`, `waiting 12 min`, `waiting 3 h`, `waiting 5 days`. */
export function waitedText(since: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000));
  return minutes < 1 ? t`waiting` : t`waiting ${{ time: roughDurationText(minutes) }}`;
}

/** Minutes and seconds of a recording: `0:07`, `12:30`. */
export const lengthText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
