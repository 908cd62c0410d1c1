import { isAwaitingReply } from "../../../domain/lead.ts";
import type { LeadRowSnapshot } from "./lead-row.machine.ts";

export const selectStageId = (row: LeadRowSnapshot) => row.context.lead.stage_id;
export const selectChosenStageId = (row: LeadRowSnapshot) =>
  row.matches({ stage: "choosing" }) ? row.context.lead.stage_id : row.context.chosenStageId;
export const selectSentCount = (row: LeadRowSnapshot) => row.context.lead.followup_order_sent;
export const selectIsAwaitingReply = (row: LeadRowSnapshot) => isAwaitingReply(row.context.lead);
export const selectNotes = (row: LeadRowSnapshot) => row.context.notes;
export const selectNotesState = (row: LeadRowSnapshot) => row.value.notes;
export const selectStageState = (row: LeadRowSnapshot) => row.value.stage;
export const selectFollowupState = (row: LeadRowSnapshot) => row.value.followup;
export const selectRefusal = (row: LeadRowSnapshot) => row.context.refusal;
