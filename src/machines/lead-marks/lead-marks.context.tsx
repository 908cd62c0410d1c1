import type { Field } from "../../../domain/field.ts";
import { createMachineContext } from "../kit/context.tsx";
import { type LeadMarksSnapshot, type MarkedLead, leadMarksMachine } from "./lead-marks.machine.ts";

const LeadMarks = createMachineContext(leadMarksMachine, (chart) => ({
  read: (lead: MarkedLead) => chart.send({ type: "lead.read", lead }),
  setTags: (tagIds: readonly string[]) => chart.send({ type: "tags.set", tagIds }),
  changeField: (field: Field, text: string) => chart.send({ type: "field.change", field, text }),
  cancelFields: () => chart.send({ type: "fields.cancel" }),
  saveFields: () => chart.send({ type: "fields.save" }),
  exclude: () => chart.send({ type: "lead.exclude" }),
}));

export const LeadMarksProvider = LeadMarks.Provider;
export const useLeadMarks = LeadMarks.use;
export const useCanLeadMarks = LeadMarks.useCan;
/** What a person can do with a lead's tags and fields. */
export const useLeadMarksEvents = LeadMarks.useVerbs;

export const selectLead = (chart: LeadMarksSnapshot) => chart.context.lead;
export const selectTyped = (chart: LeadMarksSnapshot) => chart.context.typed;
export const selectIsExcluding = (chart: LeadMarksSnapshot) => chart.matches({ exclusion: "excluding" });
export const selectAreFieldsSaving = (chart: LeadMarksSnapshot) => chart.matches({ fields: "saving" });
export const selectProblems = (chart: LeadMarksSnapshot) => chart.context.problems;
