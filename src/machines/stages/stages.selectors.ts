import type { StagesSnapshot } from "./stages.machine.ts";
import { isEdited } from "./stages.rows.ts";

export const selectRows = (stages: StagesSnapshot) => stages.context.rows;
export const selectIsLoading = (stages: StagesSnapshot) => stages.matches("loading");
export const selectHasFailed = (stages: StagesSnapshot) => stages.matches("failed");
export const selectIsSaving = (stages: StagesSnapshot) => stages.matches("saving");
export const selectIsEditable = (stages: StagesSnapshot) => stages.matches("ready");
export const selectFocusedKey = (stages: StagesSnapshot) => stages.context.focusedKey;
export const selectProblem = (stages: StagesSnapshot) => stages.context.problem;
export const selectRefusal = (stages: StagesSnapshot) => stages.context.refusal;
export const selectHasEdits = (stages: StagesSnapshot) => stages.context.rows.some(isEdited);
