import type { LeadDetail } from "../../domain/lead.ts";
import { type Panel, createLeadPanel } from "../../src/machines/lead-panel/lead-panel.machine.ts";
import { leadNumber, rowWrites, twoStages, twoSteps } from "../support/leads.ts";
import { leadDetail } from "../support/messages.ts";
import { done, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const detailNumber = (number: number, known: Partial<LeadDetail> = {}): LeadDetail =>
  leadDetail({ ...(leadNumber(number) as LeadDetail), stage_entered_at: "2026-03-06T10:00:00.000Z", ...known });
export const panelOf = (lead: LeadDetail | null, draft: Panel["draft"] = null): Panel => ({
  lead,
  stages: twoStages,
  steps: twoSteps,
  draft,
});

const leadPanelMachine = createLeadPanel(fakePage(), { leads: { ...rowWrites(), read: async () => null } });

export const leadPanelModel = modelOf(leadPanelMachine, {
  input: { leadId: "lead-1" },
  events: [...done("fetchPanel", panelOf(detailNumber(1)), panelOf(detailNumber(1, { name: "Ada" })), panelOf(null))],
});
