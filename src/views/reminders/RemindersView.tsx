import { BellRing } from "lucide-react";
import {
  selectIsLoading,
  selectIsOutdated,
  selectIsUnread,
  selectReminders,
  useReminders,
  useRemindersEvents,
} from "../../machines/reminders/index.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { useFocusKeeper } from "../../ui/focus.ts";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { ReminderForm } from "./ReminderForm.tsx";
import { ReminderItem } from "./ReminderItem.tsx";
import css from "./RemindersView.module.css";

export function RemindersView() {
  return (
    <>
      <PageHeader
        title="Reminder Rules"
        subtitle="Be told in a Telegram channel when a lead stays in one stage too long."
      />
      <div className={css["columns"]}>
        <ReminderForm />
        <ReminderList />
      </div>
    </>
  );
}

function ReminderList() {
  const reminders = useReminders(selectReminders);
  const isLoading = useReminders(selectIsLoading);
  const isUnread = useReminders(selectIsUnread);
  const isOutdated = useReminders(selectIsOutdated);
  const { retryReading } = useRemindersEvents();
  const keepFocus = useFocusKeeper("li");
  return (
    <section aria-labelledby="reminder-rules" className={css["rules"]}>
      <h2 id="reminder-rules" className={css["heading"]}>
        Rules
      </h2>
      <p className={css["status"]} role="status">
        {isLoading && "Loading reminders..."}
      </p>
      {(isUnread || isOutdated) && (
        <Banner tone="bad" actions={<Button onClick={retryReading}>Try again</Button>}>
          Failed to load reminders
        </Banner>
      )}
      {reminders.length > 0 ? (
        <ul ref={keepFocus} className={css["list"]} aria-busy={isLoading}>
          {reminders.map((reminder) => (
            <ReminderItem key={reminder.id} reminder={reminder} />
          ))}
        </ul>
      ) : (
        !isLoading &&
        !isUnread && (
          <EmptyState icon={<BellRing />} title="No reminders yet">
            Name a stage and a channel, and how many days are too many.
          </EmptyState>
        )
      )}
    </section>
  );
}
