import type { LeadDetail } from "../../domain/lead.ts";
import { type Panel, createLeadPanel } from "../../src/machines/lead-panel/lead-panel.machine.ts";
import { leadNumber, rowWrites, twoStages, twoSteps } from "../support/leads.ts";
import { done } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const detailNumber = (number: number, known: Partial<LeadDetail> = {}): LeadDetail => ({
  ...leadNumber(number),
  stage_entered_at: "2026-03-06T10:00:00.000Z",
  unreachable_reason: null,
  opted_out_at: null,
  tags: [],
  fields: {},
  unread: 0,
  waiting_since: null,
  automation: null,
  draft: null,
  ...known,
});
export const panelOf = (lead: LeadDetail | null, draft: Panel["draft"] = null): Panel => ({
  lead,
  stages: twoStages,
  steps: twoSteps,
  draft,
});

export const leadPanelMachine = createLeadPanel(fakePage(), { leads: { ...rowWrites(), read: async () => null } });

export const leadPanelModel: WalkedModel = {
  input: { leadId: "lead-1" },
  events: [...done("fetchPanel", panelOf(detailNumber(1)), panelOf(detailNumber(1, { name: "Ada" })), panelOf(null))],
  project: ({ value, context }) => [
    value,
    context.panel && (context.panel.lead?.name ?? null),
    context.announced === context.panel,
  ],
  provide: overPending(leadPanelMachine),
};
