import { useMemo } from "react";
import { LeadDetail } from "../../domain/lead-detail.ts";
import { parse } from "valibot";
import { LeadPanelProvider, createLeadPanel } from "../machines/lead-panel/index.ts";
import { StoryProvider, createStory } from "../machines/story/index.ts";
import { createConversationGateway } from "../services/conversation.ts";
import { createFollowupsGateway } from "../services/followups.ts";
import { createNotesDrafts } from "../services/leads.ts";
import { createStagesGateway } from "../services/stages.ts";
import { LeadPanel } from "../views/lead-panel/LeadPanel.tsx";
import { leadsOf } from "./leads-of.ts";
import type { Services } from "./services.ts";

export type LeadPanelPlaceProps = { services: Services; leadId: string };

/** The panel beside a conversation, with the services behind it; a new lead is a new panel. */
export function LeadPanelPlace({ services, leadId }: LeadPanelPlaceProps) {
  const { panel, story } = useMemo(() => panelOf(services), [services]);
  return (
    <LeadPanelProvider logic={panel} options={{ input: { leadId } }}>
      <StoryProvider logic={story} options={{ input: { leadId } }}>
        <LeadPanel />
      </StoryProvider>
    </LeadPanelProvider>
  );
}

function panelOf(services: Services) {
  const { http, events, logger, notifier, sessionStorage } = services;
  const leads = leadsOf(services);
  const stages = createStagesGateway(http);
  const followups = createFollowupsGateway(http);
  const drafts = createNotesDrafts(sessionStorage);
  const panel = createLeadPanel({
    leads: {
      read: leads.readAs((answer) => parse(LeadDetail, answer)),
      listStages: stages.list,
      listFollowups: followups.list,
    },
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
    logger,
  });
  return { panel, story: createStory({ story: createConversationGateway(http), events, logger }) };
}
