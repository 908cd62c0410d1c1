import { useMemo } from "react";
import { AutomationSettingsProvider, createAutomationSettings } from "../../machines/automation-settings/index.ts";
import { FollowupsProvider, createFollowups } from "../../machines/followups/index.ts";
import { createFollowupsGateway } from "../../services/followups.ts";
import { createSettingsGateway } from "../../services/settings.ts";
import { createStagesGateway } from "../../services/stages.ts";
import { FollowupsView } from "../../views/followups/FollowupsView.tsx";
import type { Services } from "../services.ts";

export default function FollowupsRoute({ services }: { services: Services }) {
  const { followups, settings } = useMemo(() => logicOf(services), [services]);
  return (
    <AutomationSettingsProvider logic={settings}>
      <FollowupsProvider logic={followups}>
        <FollowupsView />
      </FollowupsProvider>
    </AutomationSettingsProvider>
  );
}

function logicOf({ http, notifier, logger }: Services) {
  return {
    followups: createFollowups({
      followups: createFollowupsGateway(http),
      stages: createStagesGateway(http),
      notifier,
      logger,
    }),
    settings: createAutomationSettings({ settings: createSettingsGateway(http), notifier, logger }),
  };
}
