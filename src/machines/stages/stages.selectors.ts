import { draftOf } from "./stages.draft.ts";
import type { StagesSnapshot } from "./stages.machine.ts";
import { isEdited } from "./stages.rows.ts";

export const selectRows = (stages: StagesSnapshot) => stages.context.rows;
export const selectIsLoading = (stages: StagesSnapshot) => stages.hasTag("loading");
export const selectIsUnread = (stages: StagesSnapshot) => stages.hasTag("unread");
export const selectIsSaving = (stages: StagesSnapshot) => stages.matches("saving") || stages.matches("merging");
export const selectDeletingId = (stages: StagesSnapshot) =>
  stages.matches("deleting") || stages.matches("renumbering") ? stages.context.deletingId : null;
export const selectFocusedKey = (stages: StagesSnapshot) => stages.context.focusedKey;
export const selectProblem = (stages: StagesSnapshot) => stages.context.problem;
export const selectRefusal = (stages: StagesSnapshot) => stages.context.refusal;
export const selectUndeleted = (stages: StagesSnapshot) => stages.context.undeleted;
export const selectHasEdits = (stages: StagesSnapshot) => stages.context.rows.some(isEdited);
/** Whether something typed would be lost with the screen; what is on its way to the server would not. */
export const selectIsUnsaved = (stages: StagesSnapshot) => !selectIsSaving(stages) && selectHasEdits(stages);
/** What is typed, to be kept over a reload; null while there are no stages to type on. */
export const selectDraft = (stages: StagesSnapshot) =>
  stages.hasTag("loading") || stages.hasTag("unread") ? null : draftOf(stages.context.rows);
