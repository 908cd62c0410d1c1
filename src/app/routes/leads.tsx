import { useMemo } from "react";
import { LeadsProvider, type ListPlace, createLeads, placeOf, searchOf } from "../../machines/leads/index.ts";
import { createScreenAddress } from "../../services/address.ts";
import { createFollowupsGateway } from "../../services/followups.ts";
import { createNotesDrafts } from "../../services/leads.ts";
import { createStagesGateway } from "../../services/stages.ts";
import { LeadsView } from "../../views/leads/LeadsView.tsx";
import { leadsOf } from "../leads-of.ts";
import type { Services } from "../services.ts";

export default function LeadsRoute({ services }: { services: Services }) {
  const { logic, input } = useMemo(() => listOf(services), [services]);
  return (
    <LeadsProvider logic={logic} options={{ input }}>
      <LeadsView />
    </LeadsProvider>
  );
}

function listOf(services: Services) {
  const { http, events, logger, notifier, sessionStorage } = services;
  const leads = leadsOf(services);
  const stages = createStagesGateway(http);
  const followups = createFollowupsGateway(http);
  const drafts = createNotesDrafts(sessionStorage);
  const address = createScreenAddress("/leads");
  const read = () => placeOf(address.read());
  const logic = createLeads({
    leads: { list: leads.list, read: leads.read, listStages: stages.list, listFollowups: followups.list },
    row: {
      leads: {
        saveNotes: leads.saveNotes,
        changeStage: leads.changeStage,
        undoStage: leads.undoStage,
        sendFollowup: followups.send,
      },
      drafts,
      notifier,
      logger,
    },
    drafts,
    events,
    address: {
      read,
      write: (place: ListPlace) => address.write(searchOf(place)),
      correct: (place: ListPlace) => address.correct(searchOf(place)),
      subscribe: address.subscribe,
    },
    logger,
  });
  return { logic, input: read() };
}
