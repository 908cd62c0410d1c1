import { i18n } from "@lingui/core";
import { readableNumber } from "../../language/format.ts";

/** A calendar day without a time or a zone. `month` counts from 1. */
export type CalendarDay = { year: number; month: number; day: number };

/** Parses MM/dd/yyyy, leading zeros optional; null for anything else. */
export function readDate(text: string): CalendarDay | null {
  const match = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s*$/.exec(text);
  if (!match) return null;
  const [month, day, year] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(year, month - 1, day);
  date.setFullYear(year);
  const isSameDay = date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
  return isSameDay ? { year, month, day } : null;
}

export function writeDate({ year, month, day }: CalendarDay): string {
  return `${String(month).padStart(2, "0")}/${String(day).padStart(2, "0")}/${String(year).padStart(4, "0")}`;
}

/** The first instant of the day in the user's time zone. */
export const startOfDay = ({ year, month, day }: CalendarDay): Date => new Date(year, month - 1, day);

/** 23:59:59.999 of the day in the user's time zone. */
export const endOfDay = ({ year, month, day }: CalendarDay): Date => new Date(year, month - 1, day, 23, 59, 59, 999);

/** Languages that write dates with dots; all except English put the day first. */
const DOTTED = ["ru", "uk"];

/** Converts a day in the active language's format to MM/dd/yyyy; returns other text unchanged. */
export function readLocalDay(text: string): string {
  if (i18n.locale === "en") return text;
  const [, day, month, year] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(readableNumber(text)) ?? [];
  const known = readDate(`${month}/${day}/${year}`);
  return known === null ? text : writeDate(known);
}

/** Converts MM/dd/yyyy to the active language's format; returns other text unchanged. */
export function writeLocalDay(text: string): string {
  const known = i18n.locale === "en" ? null : readDate(text);
  if (known === null) return text;
  const [month, day, year] = writeDate(known).split("/");
  return [day, month, year].join(DOTTED.includes(i18n.locale) ? "." : "/");
}
