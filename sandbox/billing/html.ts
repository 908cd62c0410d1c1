import { isRightToLeft, type Locale } from "../../domain/locales.ts";

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** HTML that needs no escaping. */
export type Html = { readonly html: string };
type Part = string | number | Html | null | readonly Html[];

const render = (part: Part): string => {
  if (part === null) return "";
  if (typeof part === "string" || typeof part === "number")
    return String(part).replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
  return "html" in part ? part.html : part.map(({ html }) => html).join("");
};

/** A template that escapes its values, unless they are Html. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html => ({
  html: texts.map((text, index) => text + (index < parts.length ? render(parts[index] ?? null) : "")).join(""),
});

export const directionOf = (locale: Locale): "rtl" | "ltr" => (isRightToLeft(locale) ? "rtl" : "ltr");

/** A complete page around `body`, without scripts, inline styles or external resources. */
export const page = (locale: Locale, title: string, body: Html): string =>
  html`<!doctype html>
    <html lang="${locale}" dir="${directionOf(locale)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="/sandbox/billing/pages.css" />
      </head>
      <body>
        ${body}
      </body>
    </html> `.html;

/** Formats an amount given in a currency's smallest unit. */
export const money = (amount: number, currency: string, locale: Locale): string =>
  new Intl.NumberFormat(locale, { style: "currency", currency: currency.toUpperCase() }).format(amount / 100);

/** Formats a time as a date, UTC. */
export const day = (secondsSince1970: number, locale: Locale): string =>
  new Date(secondsSince1970 * 1000).toLocaleDateString(locale === "en" ? "en-GB" : locale, {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
