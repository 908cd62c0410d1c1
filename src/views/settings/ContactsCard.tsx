import { t } from "@lingui/core/macro";
import { Contacts } from "../../machines/contacts/contacts.machine.ts";
import { FormProblem } from "../../ui/form.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { SettingCard } from "./SettingCard.tsx";

/** Whether the account's contacts are left out. */
export function ContactsCard() {
  const [chart, send] = Contacts.use();
  const { areLeftOut, problem } = chart.context;
  return (
    <SettingCard title={t`Telegram contacts`} height="4rem" chart={chart} send={send}>
      <Switch
        label={t`Leave my Telegram contacts out`}
        description={t`For an account that family and friends write to as well: nothing that your contacts write is stored, unless they are leads already. The import of existing chats asks for itself whether contacts come along.`}
        // While a change is being saved, the switch shows that change.
        checked={areLeftOut !== chart.matches("saving")}
        aria-disabled={!chart.can({ type: "contacts.switch" }) || undefined}
        onChange={() => send({ type: "contacts.switch" })}
      />
      <FormProblem>{problem}</FormProblem>
    </SettingCard>
  );
}
