import { t } from "@lingui/core/macro";
import { LOCALES, type Locale } from "../../../domain/locales.ts";
import { OFFERED_LOCALES } from "../../language/catalogues.ts";
import { ActionSelect } from "../../ui/ActionSelect.tsx";
import css from "./LanguageSwitch.module.css";

export function LanguageSwitch({ language, onChoose }: { language: Locale; onChoose: (language: Locale) => void }) {
  return (
    <footer className={css["corner"]}>
      <ActionSelect
        label={t`Language`}
        isLabelHidden
        value={language}
        onChoose={(chosen) => onChoose(chosen as Locale)}
      >
        <LocaleOptions />
      </ActionSelect>
    </footer>
  );
}

export const LocaleOptions = () =>
  OFFERED_LOCALES.map((locale) => (
    <option key={locale} value={locale} lang={locale}>
      {LOCALES[locale]}
    </option>
  ));
