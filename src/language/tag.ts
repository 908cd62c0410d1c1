/** Formats numbers like Uzbek and has the same plural forms. Chromium has no Uzbek data. */
const LIKE_UZBEK = "fi";

/**
 * Returns the tag for `Intl`: the browser's own if it has the same language, such as `es-MX`. Digits are Western and the calendar is
 * Gregorian in every country.
 */
export function tagOf(locale: string): string {
  if (locale === "uz") return LIKE_UZBEK;
  // A browser with the POSIX locale reports `en-US@posix`, which `Intl` rejects.
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
