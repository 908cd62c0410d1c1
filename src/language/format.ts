import { i18n } from "@lingui/core";
import { msg, plural } from "@lingui/core/runtime-macro";
import { westernDigits } from "../../domain/digits.ts";
import { joinNames, separatorOf } from "../../domain/ui-text.ts";
import { englishForms } from "./forms/english.ts";
import { type Forms, lazily } from "./forms/forms.ts";
import { intlForms } from "./forms/intl.ts";
import { uzbekForms } from "./forms/uzbek.ts";
import { tagOf } from "./tag.ts";

/** Formatters of each language, created on first use. */
const known = new Map<string, Forms>();

/** Returns the formatters of the active language. */
function forms(): Forms {
  const locale = i18n.locale || "en";
  let own = known.get(locale);
  if (own === undefined) {
    const make = locale === "en" ? englishForms : locale === "uz" ? uzbekForms : intlForms;
    own = make(tagOf(locale));
    known.set(locale, own);
  }
  return own;
}

const graphemes = lazily(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

function timeOf(timestamp: string | null): Date | null {
  const time = timestamp === null ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(time) ? null : new Date(time);
}

/** A count with thousands separators, such as `12,345`. */
export const numberText = (value: number): string => forms().number(value);

/** A number with all its decimals, such as a custom field's. */
export const exactText = (value: number): string => forms().exact(value);

/** `1 lead`, `12,345 leads`. */
export const leadsText = (count: number): string =>
  i18n._(msg`${plural({ count }, { one: "# lead", other: "# leads" })}`);

/** A percentage rounded to one decimal, such as `33.3%`; `-` if there is nothing to divide by. */
export const percentText = (value: number | null): string => (value === null ? "-" : forms().percent(value));

/** A timestamp's day in the user's time zone, such as `5 March 2026`; null if it is invalid. */
export function dateText(timestamp: string | null): string | null {
  const at = timeOf(timestamp);
  return at && forms().date(at);
}

/** A timestamp's short day, such as `5 Mar`, with a year `5 Mar 2026`; empty if it is invalid. */
export function shortDateText(timestamp: string, { hasYear }: { hasYear: boolean }): string {
  const at = timeOf(timestamp);
  return at === null ? "" : forms().shortDate(at, hasYear);
}

/** A timestamp's hour and minute in the user's time zone, such as `14:05`; null if it is invalid. */
export function hourText(timestamp: string | null): string | null {
  const at = timeOf(timestamp);
  return at && forms().time(at);
}

/** A timestamp's day and time in the user's time zone, such as `5 March 2026, 14:05`; null if it is invalid. */
export function momentText(timestamp: string | null): string | null {
  const at = timeOf(timestamp);
  return at && forms().moment(at);
}

/** The time of day in a time zone, such as `14:05`; empty for a zone that the browser does not know. */
export function clockIn(zone: string, at: number): string {
  try {
    const [hour = 0, minute = 0] = new Intl.DateTimeFormat("en-GB", {
      hour: "2-digit",
      minute: "2-digit",
      timeZone: zone || "UTC",
    })
      .format(at)
      .split(":")
      .map(Number);
    return forms().time(new Date(2026, 0, 1, hour, minute));
  } catch {
    return "";
  }
}

/** A time in milliseconds as a full date and time. */
export const fullTimeText = (time: number): string => forms().full(new Date(time));

/** Noon of a day given as `2026-03-05`, in the user's time zone. */
const noonOf = (day: string): Date => new Date(`${day}T12:00:00`);

/** A day given as `2026-03-05`, such as `5 March 2026`. */
export const dayText = (day: string): string => forms().date(noonOf(day));

/** A day given as `2026-03-05`, such as `5 Mar`. */
export const shortDayText = (day: string): string => forms().shortDate(noonOf(day), false);

/** A weekday's name, such as `Monday` for 1. */
export const weekdayText = (day: number, width: "long" | "short" = "long"): string => forms().weekday(day, width);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago something was, such as `5m ago`, `3h ago` or `2d ago`. */
export function agoText(age: number): string {
  if (age < HOUR) return forms().ago(Math.floor(age / MINUTE), "minute");
  return age < DAY ? forms().ago(Math.floor(age / HOUR), "hour") : forms().ago(Math.floor(age / DAY), "day");
}

/** A duration of minutes in one unit, such as `12 min`, up to two days `30 h`, and then `5 days`. */
export function roughDurationText(minutes: number): string {
  if (minutes < 60) return forms().amount(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? forms().amount(hours, "hour") : forms().amount(Math.floor(hours / 24), "day");
}

/** A duration of minutes, such as `45 min` or `3 h 10 min`. */
export function durationText(minutes: number): string {
  const whole = Math.round(minutes);
  const [hours, rest] = [Math.floor(whole / 60), whole % 60];
  const parts = [
    hours > 0 && forms().amount(hours, "hour"),
    (rest > 0 || hours === 0) && forms().amount(rest, "minute"),
  ];
  return parts.filter((part) => part !== false).join(" ");
}

/** A file's size, such as `14 KB` or `2.3 MB`. */
export const sizeText = (bytes: number): string =>
  bytes < 1_048_576
    ? forms().amount(Math.max(1, Math.round(bytes / 1_024)), "kilobyte")
    : forms().amount(bytes / 1_048_576, "megabyte", 1);

/** Spaces, apostrophes and Arabic commas as thousands separators, and right-to-left marks. */
const UNREAD = /[\s'’٬\u200e\u200f\u061c]/g;

/** Converts digits to Western ones and removes spaces and marks. */
export const readableNumber = (text: string): string => westernDigits(text).replaceAll(UNREAD, "");

/**
 * Parses a number as users write it, such as `1234.5`. Accepts Arabic and Persian digits, a decimal comma and the active language's
 * thousands separators. Returns null for anything else.
 */
export function plainNumber(text: string): string | null {
  const western = readableNumber(text).replace("٫", ".").replace("−", "-");
  // Empty if the active language separates thousands by neither a point nor a comma.
  const group = /[.,]/.exec(numberText(1_234_567))?.[0] ?? "";
  const hasGroups =
    group !== "" &&
    new RegExp(`^-?[1-9]\\d{0,2}(\\${group}\\d{2,3})*\\${group}\\d{3}(?!\\d|\\${group}\\d)`).test(western);
  const ungrouped = hasGroups ? western.replaceAll(group, "") : western;
  // A trailing comma may still become a thousands separator.
  const plain = group === "," ? ungrouped.replace(/,(?=\d)/, ".") : ungrouped.replace(",", ".");
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? plain : null;
}

/** Whether a typed text has only digits and is a number within the limits. */
export const isWholeNumber = (text: string, from: number, to: number): boolean =>
  /^\d+$/.test(text.trim()) && Number(text) >= from && Number(text) <= to;

/** Names in a sentence, such as `a, b and c`. */
export const listText = (items: readonly string[]): string => forms().list(items);

/** Comma-separated names, such as `a, b, c`. */
export const namesText = (items: readonly string[]): string => joinNames(items, i18n.locale);

/** The separator in a list of names, such as `, `. */
export const nameSeparator = (): string => separatorOf(i18n.locale);

/** Cuts by whole characters, so that an emoji is never split. */
export function shortened(text: string, letters: number): string {
  const characters = Array.from(graphemes().segment(text), ({ segment }) => segment);
  return characters.length <= letters ? text : `${characters.slice(0, Math.max(1, letters - 1)).join("")}…`;
}

/** An amount or a sum, to the cent: `12,500`, `99.5`. */
export const amountText = (amount: number): string => numberText(Math.round(amount * 100) / 100);
