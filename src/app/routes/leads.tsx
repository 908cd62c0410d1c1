import { useMemo } from "react";
import { LeadsProvider, createLeads } from "../../machines/leads/index.ts";
import { createFollowupsGateway } from "../../services/followups.ts";
import { createLeadsGateway } from "../../services/leads.ts";
import { createStagesGateway } from "../../services/stages.ts";
import { LeadsView } from "../../views/leads/LeadsView.tsx";
import type { Services } from "../services.ts";

export default function LeadsRoute({ services }: { services: Services }) {
  const { list, row } = useMemo(() => logicOf(services), [services]);
  return (
    <LeadsProvider logic={list}>
      <LeadsView rowDeps={row} />
    </LeadsProvider>
  );
}

function logicOf({ http, events, logger, notifier }: Services) {
  const leads = createLeadsGateway(http);
  const stages = createStagesGateway(http);
  const followups = createFollowupsGateway(http);
  return {
    list: createLeads({
      leads: { list: leads.list, listStages: stages.list, listFollowups: followups.list },
      events,
      logger,
    }),
    row: {
      leads: { saveNotes: leads.saveNotes, changeStage: leads.changeStage, sendFollowup: followups.send },
      notifier,
      logger,
    },
  };
}
