import { useLingui } from "@lingui/react/macro";
import { Contacts } from "../../machines/contacts/contacts.machine.ts";
import { selectOutdated, selectUnread } from "../../machines/kit/loading.ts";
import { Card, Stack } from "../../ui/layout.tsx";
import { FormProblem } from "../../ui/form.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { Switch } from "../../ui/Switch.tsx";

/** Whether the account's contacts are left out, all at once. */
export const ContactsCard = () => {
  const { t } = useLingui();
  return (
    <Stack as={Card} gap={3}>
      <h3>{t`Telegram contacts`}</h3>
      <ContactsSwitch />
    </Stack>
  );
};

function ContactsSwitch() {
  const { t } = useLingui();
  const [chart, send] = Contacts.use();
  const { areLeftOut, problem } = chart.context;
  const [unread, outdated] = [selectUnread(chart), selectOutdated(chart)];
  const retry = () => send({ type: "reading.retry" });
  if (chart.matches("loading")) return <Skeleton height="4rem" />;
  if (unread !== null) return <NotRead what={unread} onRetry={retry} />;
  return (
    <>
      <Switch
        label={t`Leave my Telegram contacts out`}
        description={t`For an account that family and friends write to as well: nothing that your contacts write is stored, unless they are leads already. The import of existing chats asks for itself whether contacts come along.`}
        // While a change is being saved, the switch shows that change.
        checked={areLeftOut !== chart.matches("saving")}
        aria-disabled={!chart.can({ type: "contacts.switch" }) || undefined}
        onChange={() => send({ type: "contacts.switch" })}
      />
      {outdated !== null && <NotRead what={outdated} isOutdated onRetry={retry} />}
      {problem !== null && <FormProblem>{problem}</FormProblem>}
    </>
  );
}
