import { useLingui } from "@lingui/react/macro";
import { LOCALES, type Locale } from "../../../domain/locales.ts";
import { OFFERED_LOCALES } from "../../language/catalogues.ts";
import { ActingSelect } from "../../ui/ActingSelect.tsx";
import css from "./LanguageSwitch.module.css";

type LanguageSwitchProps = { language: Locale; onChoose: (language: Locale) => void };

export function LanguageSwitch({ language, onChoose }: LanguageSwitchProps) {
  const { t } = useLingui();
  return (
    <footer className={css["corner"]}>
      <ActingSelect
        label={t`Language`}
        isLabelHidden
        value={language}
        onChoose={(chosen) => onChoose(chosen as Locale)}
      >
        <LocaleOptions />
      </ActingSelect>
    </footer>
  );
}

export const LocaleOptions = () =>
  OFFERED_LOCALES.map((locale) => (
    <option key={locale} value={locale} lang={locale}>
      {LOCALES[locale]}
    </option>
  ));
