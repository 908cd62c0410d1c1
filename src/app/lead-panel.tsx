import { useMemo } from "react";
import { LeadDetail } from "../../domain/lead-detail.ts";
import { parse } from "valibot";
import { LeadPanelProvider, createLeadPanel } from "../machines/lead-panel/index.ts";
import { StoryProvider, createStory } from "../machines/story/index.ts";
import { createConversationGateway } from "../services/conversation.ts";
import { LeadPanel } from "../views/lead-panel/LeadPanel.tsx";
import { leadWorkOf, leadsOf } from "./leads-of.ts";
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
  const { http, events, logger } = services;
  const { reads, row, drafts } = leadWorkOf(services);
  const panel = createLeadPanel({
    leads: { read: leadsOf(services).readAs((answer) => parse(LeadDetail, answer)), ...reads },
    row,
    drafts,
    events,
    logger,
  });
  return { panel, story: createStory({ story: createConversationGateway(http), events, logger }) };
}
