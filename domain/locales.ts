/**
 * The languages of the page by their BCP 47 tags, each by its own name. A new one needs a line here and a folder in locales/.
 */
export const LOCALES = {
  en: "English",
  ru: "Русский",
  uk: "Українська",
  uz: "Oʻzbekcha",
  es: "Español",
  "pt-BR": "Português (Brasil)",
  id: "Bahasa Indonesia",
  ar: "العربية",
} as const;

export type Locale = keyof typeof LOCALES;

export const LOCALE_TAGS = Object.keys(LOCALES) as Locale[];

export const isLocale = (tag: string): tag is Locale => Object.hasOwn(LOCALES, tag);

/** Whether the language is written from right to left. */
export const isRightToLeft = (locale: Locale): boolean => locale === "ar";
