import { useMemo } from "react";
import { LeadDetail } from "../../domain/lead-detail.ts";
import { parse } from "valibot";
import { AutomationHoldProvider, createAutomationHold } from "../machines/automation-hold/index.ts";
import { LeadPanelProvider, createLeadPanel } from "../machines/lead-panel/index.ts";
import { Story, createStory } from "../machines/story/story.machine.ts";
import { createAutomationGateway } from "../services/automation.ts";
import { LeadPanel } from "../views/lead-panel/LeadPanel.tsx";
import { createLater } from "./later.tsx";
import type { LeadMarksPlaceProps } from "./lead-marks.tsx";
import { leadWorkOf, leadsOf } from "./leads-of.ts";
import { createSignal } from "./signal.ts";
import type { Services } from "./services.ts";

const LeadMarks = createLater<LeadMarksPlaceProps>("tags and fields", () => import("./lead-marks.tsx"));

export type LeadPanelPlaceProps = { services: Services; leadId: string };

/** The panel beside a conversation, with the services behind it; a new lead is a new panel. */
export function LeadPanelPlace({ services, leadId }: LeadPanelPlaceProps) {
  const { panel, story, hold, onChanged } = useMemo(() => panelOf(services), [services]);
  return (
    <LeadPanelProvider logic={panel} options={{ input: { leadId } }}>
      <Story.Provider logic={story} options={{ input: { leadId } }}>
        <AutomationHoldProvider logic={hold} options={{ input: { leadId } }}>
          <LeadPanel
            renderMarks={(lead) => <LeadMarks key={lead.id} services={services} lead={lead} onChanged={onChanged} />}
          />
        </AutomationHoldProvider>
      </Story.Provider>
    </LeadPanelProvider>
  );
}

function panelOf(services: Services) {
  const { http, events, logger, notifier, clock } = services;
  const { reads, row, drafts } = leadWorkOf(services);
  const read = leadsOf(services).readAs((answer) => parse(LeadDetail, answer));
  const automation = createAutomationGateway(http);
  // What one of the two charts hears of a lead, the other one has to hear of too.
  const readAgain = createSignal();
  const steered = createSignal();
  const known = new Set<string>();
  const panel = createLeadPanel({
    leads: {
      async read(input, signal) {
        const lead = await read(input, signal);
        if (known.has(input.leadId)) readAgain.tell();
        known.add(input.leadId);
        return lead;
      },
      ...reads,
    },
    row,
    drafts,
    events: {
      subscribe(type, listener) {
        const leave = [events.subscribe(type, listener), steered.listen(() => listener({}))];
        return () => leave.forEach((end) => end());
      },
    },
    logger,
  });
  const hold = createAutomationHold({
    automation: {
      read: automation.read,
      async steer(input) {
        const now = await automation.steer(input);
        steered.tell();
        return now;
      },
    },
    now: clock.now,
    onLeadRead: readAgain.listen,
    notifier,
    logger,
  });
  return {
    onChanged: steered.tell,
    hold,
    panel,
    story: createStory(services),
  };
}
