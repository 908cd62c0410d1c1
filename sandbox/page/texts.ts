import type { PageText } from "../page-texts.ts";

const texts = JSON.parse(document.querySelector("#texts")?.textContent ?? "{}") as Record<PageText, string>;
const { lang, dir } = document.documentElement;
const locale = lang === "en" ? "en-GB" : lang;

/** Returns a text in the page's language, with its placeholders filled in. */
export const t = (name: PageText, values: Readonly<Record<string, string>> = {}): string =>
  texts[name].replaceAll(/\{(\w+)\}/g, (whole, value: string) => values[value] ?? whole);

/** An arrow back, in reading direction. */
export const BACK = dir === "rtl" ? "→" : "←";

export const hourText = (at: string): string =>
  new Date(at).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC" });
export const momentText = (at: string): string =>
  `${new Date(at).toLocaleString(locale, { dateStyle: "short", timeStyle: "medium", hourCycle: "h23", timeZone: "UTC" })} UTC`;
