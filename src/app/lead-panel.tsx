import { msg } from "@lingui/core/runtime-macro";
import { useMemo } from "react";
import { LeadDetail } from "../../domain/lead.ts";
import { parse } from "valibot";
import { AutomationHold, createAutomationHold } from "../machines/automation-hold/automation-hold.machine.ts";
import { LeadPanel, createLeadPanel } from "../machines/lead-panel/lead-panel.machine.ts";
import { Story, createStory } from "../machines/story/story.machine.ts";
import { unsubscribeAll } from "../services/unsubscribe-all.ts";
import { createAutomationGateway } from "../services/automation.ts";
import { LeadPanelView } from "../views/lead-panel/LeadPanelView.tsx";
import { createPart } from "./loading/loadable.tsx";
import { leadsOf } from "./leads-of.ts";
import { createSignal } from "../services/signal.ts";
import type { Services } from "./services.ts";

const LeadTagsAndFields = createPart(msg`tags and fields`, () => import("./lead-tags-and-fields.tsx"));

/** The panel beside a conversation, with its services. Each lead gets a new one. */
export default function LeadPanelContainer({ services, leadId }: { services: Services; leadId: string }) {
  const { panel, story, hold, onChanged } = useMemo(() => panelOf(services), [services]);
  return (
    <LeadPanel.Provider logic={panel} options={{ input: { leadId } }}>
      <Story.Provider logic={story} options={{ input: { leadId } }}>
        <AutomationHold.Provider logic={hold} options={{ input: { leadId } }}>
          <LeadPanelView
            renderTagsAndFields={(lead) => (
              <LeadTagsAndFields key={lead.id} services={services} lead={lead} onChanged={onChanged} />
            )}
          />
        </AutomationHold.Provider>
      </Story.Provider>
    </LeadPanel.Provider>
  );
}

function panelOf(services: Services) {
  const { http, events, clock } = services;
  const leads = leadsOf(services);
  const read = leads.readAs((answer) => parse(LeadDetail, answer));
  const automation = createAutomationGateway(http);
  // Both charts need each new version of the lead.
  const readAgain = createSignal();
  const automationChanged = createSignal();
  const known = new Set<string>();
  const page: Services = {
    ...services,
    events: {
      subscribe: (type, listener) =>
        unsubscribeAll([events.subscribe(type, listener), automationChanged.listen(() => listener({}))]),
    },
  };
  const panel = createLeadPanel(page, {
    leads: {
      ...leads,
      async read(input, signal) {
        const lead = await read(input, signal);
        if (known.has(input.leadId)) readAgain.notify();
        known.add(input.leadId);
        return lead;
      },
    },
  });
  const hold = createAutomationHold(services, {
    automation: {
      read: automation.read,
      async steer(input) {
        const now = await automation.steer(input);
        automationChanged.notify();
        return now;
      },
    },
    now: clock.now,
    onLeadRead: readAgain.listen,
  });
  return {
    onChanged: automationChanged.notify,
    hold,
    panel,
    story: createStory(services),
  };
}
