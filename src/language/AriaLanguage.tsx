import type { ReactNode } from "react";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { useLocale } from "#language";
import { supplyAriaTexts } from "./aria-texts.ts";
import { supplyUzbekDates } from "./forms/uzbek-dates.ts";
import { tagOf } from "./tag.ts";

supplyAriaTexts();
supplyUzbekDates();

/** Gives react-aria the page's language, with its direction, dates and texts, instead of the browser's. */
export function AriaLanguage({ children }: { children: ReactNode }) {
  const locale = useLocale();
  return <I18nProvider locale={locale === "uz" ? locale : tagOf(locale)}>{children}</I18nProvider>;
}
