import type { Lead } from "../../../domain/lead.ts";
import type { LeadRowSnapshot } from "./lead-row.machine.ts";
import { type StepsByStage, hasStepLeft } from "./lead-row.steps.ts";

/** What a row shows and what it takes now. */
export type RowState = {
  lead: Lead;
  notes: string;
  notesState: LeadRowSnapshot["value"]["notes"];
  stageState: LeadRowSnapshot["value"]["stage"];
  pickedStageId: string | null;
  followupState: LeadRowSnapshot["value"]["followup"];
  refusal: string | null;
  notesProblem: string;
  stageProblem: string | null;
  canSend: boolean;
};

/** A row that nobody has touched is its lead's data and needs no chart. */
export const untouchedRow = (lead: Lead, steps: StepsByStage): RowState => ({
  lead,
  notes: lead.notes ?? "",
  notesState: "saved",
  stageState: "shown",
  pickedStageId: null,
  followupState: "unsent",
  refusal: null,
  notesProblem: "",
  stageProblem: null,
  canSend: hasStepLeft(lead, steps),
});

export const selectRow = (row: LeadRowSnapshot): RowState => ({
  lead: row.context.lead,
  notes: row.context.notes,
  notesState: row.value.notes,
  stageState: row.value.stage,
  pickedStageId: row.context.pickedStageId,
  // An answer other than 200 says 'Failed to send.', whatever came of it.
  followupState: row.value.followup === "unanswered" && row.context.isAnswered ? "refused" : row.value.followup,
  refusal: row.context.refusal,
  notesProblem: row.context.notesProblem,
  stageProblem: row.context.stageProblem,
  canSend: row.can({ type: "followup.send" }),
});
