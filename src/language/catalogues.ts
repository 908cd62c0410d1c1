import type { Messages } from "@lingui/core";
import { LOCALE_TAGS, type Locale } from "../../domain/locales.ts";

/** The parts of a language's texts: those of signed-out visitors, of the shell and the leads list, and of all other screens. */
export type Part = "visitor" | "app" | "inside";

type Files = Record<string, () => Promise<{ messages: Messages }>>;

// English for visitors is part of the page's first scripts.
const FILES: Record<Part, Files> = {
  visitor: import.meta.glob<{ messages: Messages }>(["../../locales/*/visitor.po", "!../../locales/en/visitor.po"]),
  app: import.meta.glob<{ messages: Messages }>("../../locales/*/app.po"),
  inside: import.meta.glob<{ messages: Messages }>("../../locales/*/inside.po"),
};

const fileOf = (locale: Locale, part: Part) => FILES[part][`../../locales/${locale}/${part}.po`];

/** The languages that have texts. */
export const OFFERED_LOCALES: readonly Locale[] = LOCALE_TAGS.filter(
  (locale) => locale === "en" || fileOf(locale, "visitor") !== undefined,
);

export async function fetchCatalogue(locale: Locale, part: Part): Promise<Messages> {
  const fetchFile = fileOf(locale, part);
  if (fetchFile === undefined) throw new Error(`there are no texts of ${locale}`);
  return (await fetchFile()).messages;
}
