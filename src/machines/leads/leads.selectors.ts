import { LEADS_PAGE_SIZE } from "../../../domain/limits.ts";
import type { LeadsSnapshot } from "./leads.machine.ts";
import type { Stage } from "../../../domain/stage.ts";

const NO_STAGES: Stage[] = [];
const NO_STEPS: Record<string, number> = {};

export const selectLeads = (list: LeadsSnapshot) => list.context.leads;
export const selectTotal = (list: LeadsSnapshot) => list.context.total;
export const selectDraft = (list: LeadsSnapshot) => list.context.draft;
export const selectAreDatesRefused = (list: LeadsSnapshot) => list.context.areDatesRefused;
export const selectStages = (list: LeadsSnapshot) => list.context.board?.stages ?? NO_STAGES;
export const selectStepsByStage = (list: LeadsSnapshot) => list.context.board?.stepsByStage ?? NO_STEPS;
export const selectArrived = (list: LeadsSnapshot) => list.context.arrived;
export const selectIsLoading = (list: LeadsSnapshot) => list.hasTag("loading");
export const selectIsFiltered = (list: LeadsSnapshot) =>
  Object.values(list.context.applied).some((text) => text !== "");
export const selectHasFailed = (list: LeadsSnapshot) => list.matches({ list: "failed" });
/** True from the first answer on: there are rows, or an empty list, to stand behind a reload. */
export const selectHasList = (list: LeadsSnapshot) => list.context.board !== null;
export const selectPage = (list: LeadsSnapshot) => list.context.page;
export const selectPageCount = (list: LeadsSnapshot) => Math.max(1, Math.ceil(list.context.total / LEADS_PAGE_SIZE));
export const selectHasPreviousPage = (list: LeadsSnapshot) => list.can({ type: "page.previous" });
export const selectHasNextPage = (list: LeadsSnapshot) => list.can({ type: "page.next" });
