import {
  selectAreLeftOut,
  selectIsLoading,
  selectOutdated,
  selectProblem,
  selectUnread,
  useCanContacts,
  useContacts,
  useContactsEvents,
} from "../../machines/contacts/index.ts";
import { Card } from "../../ui/Card.tsx";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Switch } from "../../ui/Switch.tsx";
import css from "./ExclusionsCard.module.css";

/** Whether the account's contacts are left out, all at once. */
export const ContactsCard = () => (
  <Card className={css["card"]}>
    <h3 className={css["title"]}>Telegram contacts</h3>
    <ContactsSwitch />
  </Card>
);

function ContactsSwitch() {
  const isLoading = useContacts(selectIsLoading);
  const unread = useContacts(selectUnread);
  const outdated = useContacts(selectOutdated);
  const areLeftOut = useContacts(selectAreLeftOut);
  const problem = useContacts(selectProblem);
  const canSwitch = useCanContacts({ type: "contacts.switch" });
  const { retry, flip } = useContactsEvents();
  if (isLoading) return <Skeleton height="4rem" />;
  if (unread !== null) return <NotRead what={unread} onRetry={retry} />;
  return (
    <>
      <Switch
        label="Leave my Telegram contacts out"
        description="For an account that family and friends write to as well: nothing that your contacts write is stored, unless they are leads already. The import of existing chats asks for itself whether contacts come along."
        checked={areLeftOut}
        aria-disabled={!canSwitch || undefined}
        onChange={flip}
      />
      {outdated !== null && <NotRead what={outdated} isOutdated onRetry={retry} />}
      {problem !== null && <FormProblem>{problem}</FormProblem>}
    </>
  );
}
