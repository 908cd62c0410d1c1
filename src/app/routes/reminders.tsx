import { useMemo } from "react";
import { createUndoing } from "../../machines/kit/undoing.ts";
import {
  BLANK_REMINDER,
  RemindersProvider,
  createReminders,
  selectForm,
  useReminders,
  useRemindersEvents,
} from "../../machines/reminders/index.ts";
import type { Drafts } from "../../services/drafts.ts";
import { watchReturns } from "../../services/page-returns.ts";
import { createRemindersGateway } from "../../services/reminders.ts";
import { createStagesGateway } from "../../services/stages.ts";
import { RemindersView } from "../../views/reminders/RemindersView.tsx";
import { onceAPage } from "../once-a-page.ts";
import type { Services } from "../services.ts";
import { forgettingDraft, useDraft } from "../use-draft.ts";

export default function RemindersRoute({ services }: { services: Services }) {
  const reminders = useMemo(() => {
    const { http, notifier, logger } = services;
    const reminders = createRemindersGateway(http);
    return createReminders({
      reminders: { ...reminders, add: forgettingDraft(services, "reminder", reminders.add) },
      stages: createStagesGateway(http),
      undoing: undoingOf(services),
      onReturn: watchReturns,
      notifier,
      logger,
    });
  }, [services]);
  return (
    <RemindersProvider logic={reminders}>
      <KeptForm drafts={services.drafts} />
      <RemindersView />
    </RemindersProvider>
  );
}

RemindersRoute.firstReads = () => ["/api/reminders", "/api/stages"];

function KeptForm({ drafts }: { drafts: Drafts }) {
  const form = useReminders(selectForm);
  const { changeForm } = useRemindersEvents();
  useDraft(drafts, { name: "reminder", form, blank: BLANK_REMINDER, restore: changeForm });
  return null;
}

const undoingOf = onceAPage((services) =>
  createUndoing(services, createRemindersGateway(services.http).restore, {
    deleted: "Reminder deleted.",
    restored: "Reminder restored.",
    failed: { refused: "The reminder could not be restored.", unknown: "The reminder may have been restored." },
  }),
);
