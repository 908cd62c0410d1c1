import { useCallback, useMemo } from "react";
import {
  BLANK_FORM,
  type ReminderForm,
  Reminders,
  createReminderUndoing,
  createReminders,
} from "../../machines/reminders/reminders.machine.ts";
import type { Drafts } from "../../services/drafts.ts";
import { createRemindersGateway } from "../../services/reminders.ts";
import { RemindersView } from "../../views/reminders/RemindersView.tsx";
import { onceAPage } from "../once-a-page.ts";
import type { Services } from "../services.ts";
import { forgettingDraft, useDraft } from "../use-draft.ts";

export default function RemindersRoute({ services }: { services: Services }) {
  const logic = useMemo(() => {
    const reminders = createRemindersGateway(services.http);
    return createReminders(services, {
      reminders: { ...reminders, add: forgettingDraft(services, "reminder", reminders.add) },
      undoing: undoingOf(services),
    });
  }, [services]);
  return (
    <Reminders.Provider logic={logic}>
      <KeptForm drafts={services.drafts} />
      <RemindersView />
    </Reminders.Provider>
  );
}

function KeptForm({ drafts }: { drafts: Drafts }) {
  const form = Reminders.useSelector((chart) => chart.context.form);
  const send = Reminders.useSend();
  const restore = useCallback((change: Partial<ReminderForm>) => send({ type: "form.change", change }), [send]);
  useDraft(drafts, { name: "reminder", form, blank: BLANK_FORM, restore });
  return null;
}

const undoingOf = onceAPage((services) => createReminderUndoing(services));
