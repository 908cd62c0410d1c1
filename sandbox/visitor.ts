import type { FastifyRequest } from "fastify";
import type { Locale } from "../domain/locales.ts";
import type { UiText } from "../domain/ui-text.ts";
import { acceptedLanguages, type Languages } from "./door.ts";

/** The browser that opens a page of the sandbox: its language, and its texts in it. */
export type Visitor = { locale: Locale; write(text: UiText): string };

export function visitorOf(languages: Languages, { headers }: FastifyRequest): Visitor {
  const locale = languages.match(acceptedLanguages(headers["accept-language"]));
  return { locale, write: (text) => languages.write(text, locale) };
}
