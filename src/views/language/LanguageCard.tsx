import { t } from "@lingui/core/macro";
import type { Locale } from "../../../domain/locales.ts";
import { Language } from "../../machines/language/language.machine.ts";
import { ActionSelect } from "../../ui/ActionSelect.tsx";
import { LocaleOptions } from "./LanguageSwitch.tsx";
import { SettingCard } from "../settings/SettingCard.tsx";

/** The value of the option that follows the browser. */
const BROWSER = "";

export function LanguageCard() {
  const [chart, send] = Language.use();
  const { saved, wanted, problem } = chart.context;
  const isSaving = chart.matches("saving");
  return (
    <SettingCard title={t`Language`} height="4rem" chart={chart} send={send}>
      <ActionSelect
        label={t`Language of the page`}
        description={t`It changes at once, here and on your other devices. Leads see none of it.`}
        errorMessage={problem}
        // While a choice is being saved, the select shows that choice.
        value={(isSaving ? wanted : saved) ?? BROWSER}
        disabled={isSaving}
        onChoose={(chosen) =>
          send({ type: "language.choose", language: chosen === BROWSER ? null : (chosen as Locale) })
        }
      >
        <option value={BROWSER}>{t`As in the browser`}</option>
        <LocaleOptions />
      </ActionSelect>
    </SettingCard>
  );
}
