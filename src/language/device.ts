import { type Locale, isLocale, isRightToLeft, matchLocale } from "../../domain/locales.ts";
import type { SafeStorage } from "../services/storage.ts";
import { OFFERED_LOCALES } from "./catalogues.ts";

const LANGUAGE_KEY = "leadloom_language";
/** Set while a visitor has chosen the language here and no user's settings hold it yet. */
const VISITOR_KEY = "leadloom_language_of_visitor";

/** The last language used on this device. */
export const deviceLanguage = (storage: SafeStorage) => {
  const get = (): Locale | null => {
    const stored = storage.get(LANGUAGE_KEY);
    return stored !== null && isLocale(stored) && OFFERED_LOCALES.includes(stored) ? stored : null;
  };
  return {
    get,
    /** A visitor's choice that no user has saved; null for none. */
    ofVisitor: (): Locale | null => (storage.get(VISITOR_KEY) === null ? null : get()),
    set(locale: Locale | null, by: "visitor" | "user"): void {
      if (locale === null) storage.remove(LANGUAGE_KEY);
      else storage.set(LANGUAGE_KEY, locale);
      if (locale !== null && by === "visitor") storage.set(VISITOR_KEY, "1");
      else storage.remove(VISITOR_KEY);
    },
    /** Calls `listener` when another tab sets the language. Returns a function that unsubscribes. */
    watch(listener: () => void): () => void {
      const hear = ({ key }: StorageEvent) => key === LANGUAGE_KEY && listener();
      window.addEventListener("storage", hear);
      return () => window.removeEventListener("storage", hear);
    },
  };
};

export const browserLocale = (): Locale => matchLocale(navigator.languages, OFFERED_LOCALES);

export const firstLocale = (storage: SafeStorage): Locale => deviceLanguage(storage).get() ?? browserLocale();

/** Tells the browser and screen readers the page's language and direction. */
export function markPage(locale: Locale): void {
  document.documentElement.lang = locale;
  document.documentElement.dir = isRightToLeft(locale) ? "rtl" : "ltr";
}
