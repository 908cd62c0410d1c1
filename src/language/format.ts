/** The texts are English: the person's own English where the browser speaks one, for its order of dates and its hours. */
const locale = (): string => {
  // A browser of the POSIX locale calls itself `en-US@posix`, by which nothing can be formatted.
  const [own = ""] = typeof navigator === "undefined" ? [] : navigator.language.split(/[@._]/);
  return own.startsWith("en") && isLanguageTag(own) ? own : "en-GB";
};

function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** Built at first use and once: the first of its kind takes up to some hundred milliseconds. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const dateFormat = (options: Intl.DateTimeFormatOptions) => lazily(() => new Intl.DateTimeFormat(locale(), options));

const numbers = lazily(() => new Intl.NumberFormat(locale()));
const percentages = lazily(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }));
const longUtcDays = dateFormat({ day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const shortUtcDays = dateFormat({ day: "numeric", month: "short", timeZone: "UTC" });
const graphemes = lazily(() => new Intl.Segmenter(locale(), { granularity: "grapheme" }));

/** Day, month and year in this order whatever the locale, such as `5 March 2026`. */
function dayFirst(format: Intl.DateTimeFormat, time: number): string {
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  return [parts["day"], parts["month"], parts["year"]].filter(Boolean).join(" ");
}

const timeOf = (timestamp: string | null): number | null => {
  const time = timestamp === null ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(time) ? null : time;
};

/** The English that groups thousands by commas and nothing else. */
const GROUPS_BY_COMMA = /^en(-(US|GB|AU|CA|NZ|IE))?$/;

/** A count with thousands separators, such as `12,345`. The list's total waits for no `Intl` where the form is known. */
export const numberText = (value: number): string =>
  Number.isSafeInteger(value) && GROUPS_BY_COMMA.test(locale())
    ? String(value).replace(/\B(?=(\d{3})+$)/g, ",")
    : numbers().format(value);

/** `1 lead`, `12,345 leads`. */
export const leadsText = (count: number): string => `${numberText(count)} ${count === 1 ? "lead" : "leads"}`;

/** A percentage rounded to one decimal, such as `33.3%`; `-` where there is nothing to divide by. */
export const percentText = (value: number | null): string => (value === null ? "-" : `${percentages().format(value)}%`);

const MONTHS = "January February March April May June July August September October November December".split(" ");

/**
 * A timestamp's day where the person is, such as `5 March 2026`; null when it is none. Its form is fixed, so that a list of
 * them waits for no `Intl`.
 */
export function dateText(timestamp: string | null): string | null {
  const time = timeOf(timestamp);
  if (time === null) return null;
  const day = new Date(time);
  return `${day.getDate()} ${MONTHS[day.getMonth()]} ${day.getFullYear()}`;
}

/** A timestamp's hour and minute where the person is, always as `14:05`; null when it is none. */
export function hourText(timestamp: string | null): string | null {
  const time = timeOf(timestamp);
  if (time === null) return null;
  const day = new Date(time);
  return `${String(day.getHours()).padStart(2, "0")}:${String(day.getMinutes()).padStart(2, "0")}`;
}

/** What a clock in the zone shows at a moment, such as `14:05`; empty for a zone that the browser does not know. */
export function clockIn(zone: string, at: number): string {
  try {
    return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone || "UTC" }).format(at);
  } catch {
    return "";
  }
}

/** A timestamp's day and time where the person is, such as `5 March 2026, 14:05`; null when it is none. */
export function momentText(timestamp: string | null): string | null {
  const day = dateText(timestamp);
  return day === null ? null : `${day}, ${hourText(timestamp)}`;
}

const UTC_MOMENT = /\b(\d{1,2} [A-Z][a-z]+ \d{4}), (\d{2}:\d{2} UTC)\b/g;

/** A sentence of the server's, with its moments in the user's time instead of UTC. */
export const inOwnTime = (sentence: string): string =>
  sentence.replace(UTC_MOMENT, (moment, day: string, hour: string) => {
    const time = Date.parse(`${day} ${hour}`);
    return Number.isNaN(time) ? moment : (momentText(new Date(time).toISOString()) ?? moment);
  });

/** A time in milliseconds as the locale's full date and time. */
export const fullTimeText = (time: number): string => new Date(time).toLocaleString(locale());

/** A UTC day given as `2026-03-05`, such as `5 March 2026`. */
export const dayText = (day: string): string => dayFirst(longUtcDays(), Date.parse(`${day}T00:00:00Z`));

/** A UTC day given as `2026-03-05`, such as `5 Mar`. */
export const shortDayText = (day: string): string => dayFirst(shortUtcDays(), Date.parse(`${day}T00:00:00Z`));

/** Cuts by whole characters, so that an emoji is never halved. */
export function shortened(text: string, letters: number): string {
  const characters = Array.from(graphemes().segment(text), ({ segment }) => segment);
  return characters.length <= letters ? text : `${characters.slice(0, Math.max(1, letters - 1)).join("")}…`;
}
