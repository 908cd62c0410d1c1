/**
 * The page's languages by BCP 47 tag, with their own names. A new one needs a line here and a folder in locales/.
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
export const isRightToLeft = (locale: string | undefined): boolean => locale === "ar";

/** A tag's parts by Intl; null for an invalid tag. */
function parse(tag: string): Intl.Locale | null {
  try {
    // Browsers of the POSIX locale call themselves `en-US@posix`; some write `pt_BR`.
    return new Intl.Locale((tag.split(/[@.]/)[0] ?? "").replaceAll("_", "-"));
  } catch {
    return null;
  }
}

/**
 * Returns the first of a user's languages that is offered, in whatever country or script: `es-MX` is `es`, `pt-PT` is `pt-BR`,
 * `uz-Cyrl` is `uz`. Without any it is English.
 */
export function matchLocale(languages: readonly string[], offered: readonly Locale[]): Locale {
  for (const tag of languages) {
    const wanted = parse(tag);
    const alike = offered.filter((locale) => parse(locale)?.language === wanted?.language);
    const match = alike.find((locale) => locale === wanted?.baseName) ?? alike[0];
    if (match !== undefined) return match;
  }
  return "en";
}
