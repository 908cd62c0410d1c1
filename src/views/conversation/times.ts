import { dateText, hourText } from "../../language/format.ts";

const DAY_MS = 86_400_000;
const dayOf = (time: number) => new Date(time).setHours(0, 0, 0, 0);
/** Whole days between two moments where the person is; a day with a changed clock counts as one. */
const daysBetween = (from: number, to: number) => Math.round((dayOf(to) - dayOf(from)) / DAY_MS);

/** The line above a day's messages: `Today`, `Yesterday`, `5 March 2026`. */
export function dayLine(at: string, now: number): string {
  const days = daysBetween(Date.parse(at), now);
  return days === 0 ? "Today" : days === 1 ? "Yesterday" : (dateText(at) ?? "");
}

/** The same day where the person is. */
export const isSameDay = (a: string, b: string): boolean => dayOf(Date.parse(a)) === dayOf(Date.parse(b));

/** Beside a conversation in the list: the hour of today, else the day. */
export function shortTime(at: string, now: number): string {
  const days = daysBetween(Date.parse(at), now);
  if (days === 0) return hourText(at) ?? "";
  const [day, month = "", year] = (dateText(at) ?? "").split(" ");
  return days < 300 ? `${day} ${month.slice(0, 3)}` : `${day} ${month.slice(0, 3)} ${year}`;
}

/** How long someone has waited: `waiting`, `waiting 12 min`, `waiting 3 h`, `waiting 5 days`. */
export function waitedText(since: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000));
  if (minutes < 1) return "waiting";
  if (minutes < 60) return `waiting ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `waiting ${hours} h`;
  return `waiting ${Math.floor(hours / 24)} days`;
}

/** Minutes and seconds of a recording: `0:07`, `12:30`. */
export const lengthText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** `14 KB`, `2.3 MB`. */
export const sizeText = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.max(1, Math.round(bytes / 1_024))} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`;
