import { useMemo, useState } from "react";
import * as v from "valibot";
import {
  Reminders,
  blankForm,
  createReminderUndoing,
  createReminders,
} from "../../machines/reminders/reminders.machine.ts";
import type { Drafts } from "../../services/drafts.ts";
import { createRemindersGateway } from "../../services/reminders.ts";
import { RemindersView } from "../../views/reminders/RemindersView.tsx";
import { afterSuccess } from "../after-success.ts";
import { memoizeByServices } from "../lifetime.ts";
import type { Services } from "../services.ts";
import { useDraft } from "../use-draft.ts";

export default function RemindersRoute({ services }: { services: Services }) {
  const logic = useMemo(() => {
    const reminders = createRemindersGateway(services.http);
    return createReminders(services, {
      reminders: { ...reminders, add: afterSuccess(reminders.add, draftIn(services.drafts).forget) },
      undoing: undoingOf(services),
    });
  }, [services]);
  return (
    <Reminders.Provider logic={logic}>
      <FormDraft drafts={services.drafts} />
      <RemindersView />
    </Reminders.Provider>
  );
}

const draftIn = (drafts: Drafts) =>
  drafts.of("reminder", {
    stage: v.string(),
    channelId: v.string(),
    delayDays: v.string(),
    template: v.string(),
  });

function FormDraft({ drafts }: { drafts: Drafts }) {
  const form = Reminders.useSelector((chart) => chart.context.form);
  const send = Reminders.useSend();
  const [blank] = useState(blankForm);
  useDraft(draftIn(drafts), {
    form,
    server: blank,
    restore: (change) => send({ type: "form.change", change }),
  });
  return null;
}

const undoingOf = memoizeByServices((services) => createReminderUndoing(services));
