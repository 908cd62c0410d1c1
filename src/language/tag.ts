/** Writes numbers as Uzbek does and has the same plural forms. Chromium has no data of Uzbek. */
const LIKE_UZBEK = "fi";

/**
 * The tag by which `Intl` formats a language: the browser's own where it is of that language, such as `es-MX`. Digits are
 * Western and the calendar is Gregorian in every country.
 */
export function tagOf(locale: string): string {
  if (locale === "uz") return LIKE_UZBEK;
  // A browser of the POSIX locale calls itself `en-US@posix`, by which nothing can be formatted.
  const [own = ""] = typeof navigator === "undefined" ? [] : navigator.language.split(/[@._]/);
  try {
    const { language, region = "" } = new Intl.Locale(own);
    if (locale === "en" && language === "en") return own;
    if (language === new Intl.Locale(locale).language)
      return new Intl.Locale(region === "" ? language : `${language}-${region}`, {
        calendar: "gregory",
        numberingSystem: "latn",
      }).toString();
  } catch {}
  return locale === "en" ? "en-GB" : locale;
}
