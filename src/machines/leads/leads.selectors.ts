import type { Stage } from "../../../domain/stage.ts";
import { LEADS_PAGE_SIZE } from "../../../domain/limits.ts";
import type { StepsByStage } from "../lead-row/lead-row.steps.ts";
import { filterCount, readMore } from "./leads.more.ts";
import type { LeadsSnapshot } from "./leads.machine.ts";

const NO_STAGES: Stage[] = [];
const NO_STEPS: StepsByStage = {};

export const selectLeads = (list: LeadsSnapshot) => list.context.leads;
export const selectSlots = (list: LeadsSnapshot) => list.context.slots;
export const selectTotal = (list: LeadsSnapshot) => list.context.total;
export const selectDraft = (list: LeadsSnapshot) => list.context.draft;
export const selectApplied = (list: LeadsSnapshot) => list.context.applied;
export const selectAreDatesRefused = (list: LeadsSnapshot) => list.context.areDatesRefused;
export const selectStages = (list: LeadsSnapshot) => list.context.board?.stages ?? NO_STAGES;
/** The stage that is filtered on does not exist any more. */
export const selectIsStageGone = ({ context: { board, applied } }: LeadsSnapshot) =>
  board !== null && applied.stageId !== "" && !board.stages.some(({ id }) => id === applied.stageId);
export const selectSteps = (list: LeadsSnapshot) => list.context.board?.steps ?? NO_STEPS;
export const selectArrived = (list: LeadsSnapshot) => list.context.arrived;
export const selectIsLoading = (list: LeadsSnapshot) => list.hasTag("loading");
export const selectIsFiltered = (list: LeadsSnapshot) =>
  Object.values(list.context.applied).some((text) => text !== "");
/** How many of the filters narrow the list; a range of days is one. */
export const selectFilterCount = ({ context: { applied } }: LeadsSnapshot) => {
  const { from, to, more, ...others } = applied;
  const { q, ...further } = readMore(more);
  return [from || to, q, ...Object.values(others)].filter(Boolean).length + filterCount(further);
};
/** Nothing of what was asked for could be read. */
export const selectIsUnread = (list: LeadsSnapshot) => list.hasTag("unread");
/** Why the list cannot be asked for, in the server's words. */
export const selectRefusal = (list: LeadsSnapshot) => list.context.refusal;
/** The rows are from before: reading them again failed. */
export const selectIsOutdated = (list: LeadsSnapshot) => list.hasTag("outdated");
/** True from the first answer on: there are rows, or an empty list, to stand behind a reload. */
export const selectHasList = (list: LeadsSnapshot) => list.context.shown !== null;
export const selectPage = (list: LeadsSnapshot) => list.context.page;
/** What the rows were let through by, while other filters may be on their way; null before the first answer. */
export const selectShownFilters = (list: LeadsSnapshot) => list.context.shown?.filters ?? null;
/** The page that the rows belong to, while another may be on its way; null before the first answer. */
export const selectShownPage = (list: LeadsSnapshot) => list.context.shown?.page ?? null;
/** How many pages there are: the one shown counts even when its leads no longer match. */
export const selectPageCount = ({ context: { total, shown } }: LeadsSnapshot) =>
  Math.max(shown?.page ?? 1, Math.ceil(total / LEADS_PAGE_SIZE));
