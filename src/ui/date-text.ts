const DAY_FIRST = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });

/** A timestamp as day, long month name and year, such as `5 March 2026`; null when it is none. */
export function dateText(timestamp: string | null): string | null {
  const time = timestamp === null ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(time) ? null : DAY_FIRST.format(time);
}
