import { useMemo } from "react";
import { AutomationSettingsProvider, createAutomationSettings } from "../../machines/automation-settings/index.ts";
import { FollowupsProvider, createFollowups } from "../../machines/followups/index.ts";
import { createOverdueFollowups } from "../../machines/overdue-followups/index.ts";
import { createFollowupsGateway } from "../../services/followups.ts";
import { createSettingsGateway } from "../../services/settings.ts";
import { createStagesGateway } from "../../services/stages.ts";
import { FollowupsView } from "../../views/followups/FollowupsView.tsx";
import { OverdueBanner } from "../../views/followups/OverdueBanner.tsx";
import type { Services } from "../services.ts";

export default function FollowupsRoute({ services }: { services: Services }) {
  const { followups, settings, overdue } = useMemo(() => logicOf(services), [services]);
  return (
    <AutomationSettingsProvider logic={settings}>
      <FollowupsProvider logic={followups}>
        <FollowupsView notice={<OverdueBanner logic={overdue} />} />
      </FollowupsProvider>
    </AutomationSettingsProvider>
  );
}

function logicOf({ http, notifier, logger }: Services) {
  const plan = createPlanNews();
  const steps = createFollowupsGateway(http);
  const settings = createSettingsGateway(http);
  return {
    followups: createFollowups({
      followups: {
        ...steps,
        add: plan.after(steps.add),
        change: plan.after(steps.change),
        remove: plan.after(steps.remove),
      },
      stages: createStagesGateway(http),
      notifier,
      logger,
    }),
    settings: createAutomationSettings({
      settings: { ...settings, save: plan.after(settings.save) },
      notifier,
      logger,
    }),
    overdue: createOverdueFollowups({ followups: steps, news: plan, notifier, logger }),
  };
}

/** Tells whoever listens when a call that changes the plan has succeeded. */
function createPlanNews() {
  const listeners = new Set<() => void>();
  return {
    onPlanChanged(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    after:
      <Input extends unknown[], Output>(call: (...input: Input) => Promise<Output>) =>
      async (...input: Input): Promise<Output> => {
        const output = await call(...input);
        listeners.forEach((tell) => tell());
        return output;
      },
  };
}
