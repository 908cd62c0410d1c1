import type { FastifyRequest } from "fastify";
import type { Locale } from "../domain/locales.ts";
import type { UiText } from "../domain/ui-text.ts";
import { acceptedLanguages, type Languages } from "./server-imports.ts";

/** The language of the browser that opens a sandbox page, and a function that translates into it. */
export type Visitor = { locale: Locale; write(text: UiText): string };

export function visitorOf(languages: Languages, { headers }: FastifyRequest): Visitor {
  const locale = languages.match(acceptedLanguages(headers["accept-language"]));
  return { locale, write: (text) => languages.write(text, locale) };
}
