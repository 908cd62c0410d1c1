import { i18n } from "@lingui/core";
import { readDate, writeDate } from "../../machines/leads/leads.dates.ts";
import { westernDigits } from "../../language/format.ts";

/** The languages that write a day with dots; all but English begin with the day. */
const DOTTED = ["ru", "uk"];

/** Returns MM/dd/yyyy for a day as the active language writes it, and any other text as it is. */
export function readLocalDay(text: string): string {
  if (i18n.locale === "en") return text;
  const [, day, month, year] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(westernDigits(text)) ?? [];
  const known = readDate(`${month}/${day}/${year}`);
  return known === null ? text : writeDate(known);
}

/** Returns a day given as MM/dd/yyyy as the active language writes it, and any other text as it is. */
export function writeLocalDay(text: string): string {
  const known = i18n.locale === "en" ? null : readDate(text);
  if (known === null) return text;
  const [month, day, year] = writeDate(known).split("/");
  return [day, month, year].join(DOTTED.includes(i18n.locale) ? "." : "/");
}
