import { useMemo } from "react";
import { RemindersProvider, createReminders } from "../../machines/reminders/index.ts";
import { createRemindersGateway } from "../../services/reminders.ts";
import { createStagesGateway } from "../../services/stages.ts";
import { RemindersView } from "../../views/reminders/RemindersView.tsx";
import type { Services } from "../services.ts";

export default function RemindersRoute({ services }: { services: Services }) {
  const reminders = useMemo(() => {
    const { http, notifier, logger } = services;
    return createReminders({
      reminders: createRemindersGateway(http),
      stages: createStagesGateway(http),
      notifier,
      logger,
    });
  }, [services]);
  return (
    <RemindersProvider logic={reminders}>
      <RemindersView />
    </RemindersProvider>
  );
}
