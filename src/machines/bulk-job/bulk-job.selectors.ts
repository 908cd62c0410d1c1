import type { BulkJobSnapshot } from "./bulk-job.machine.ts";
import { areChosen } from "./bulk-job.setup.ts";

export const selectStages = (bulk: BulkJobSnapshot) => bulk.context.stages;
export const selectStageId = (bulk: BulkJobSnapshot) => bulk.context.stageId;
/** The chosen stage's name; null for other targets, and while it is not known. */
export const selectStageName = ({ context: { stages, stageId } }: BulkJobSnapshot) =>
  stages.find(({ id }) => id === stageId)?.name ?? null;
/** Leads chosen in the list, by its filters or one by one. */
export const selectAreChosen = ({ context }: BulkJobSnapshot) => areChosen(context);
export const selectMedia = (bulk: BulkJobSnapshot) => bulk.context.media;
/** What is wrong with single fields of the form. */
export const selectMarks = (bulk: BulkJobSnapshot) => bulk.context.marks;
export const selectProblem = (bulk: BulkJobSnapshot) => bulk.context.problem;
export const selectJobProblem = (bulk: BulkJobSnapshot) => bulk.context.jobProblem;
export const selectProgress = (bulk: BulkJobSnapshot) => bulk.context.progress;
export const selectHasNoLeads = (bulk: BulkJobSnapshot) => bulk.context.leadCount === 0;
/** The send button works: counting, asking or queueing. */
export const selectIsPreparing = (bulk: BulkJobSnapshot) => bulk.hasTag("busy");

/** A job is on its way as far as this screen knows, also while it is being cancelled. */
export const selectIsSending = (bulk: BulkJobSnapshot) =>
  bulk.context.jobId !== null &&
  bulk.context.result === null &&
  !bulk.matches({ job: "absent" }) &&
  !bulk.matches({ job: "looking" });
export const selectIsContinuing = (bulk: BulkJobSnapshot) => bulk.matches({ job: "continuing" });
export const selectIsCancelling = (bulk: BulkJobSnapshot) => bulk.matches({ job: "cancelling" });
export const selectCanContinue = (bulk: BulkJobSnapshot) => bulk.can({ type: "job.continue" });
export const selectCanCancel = (bulk: BulkJobSnapshot) => bulk.can({ type: "job.cancel" });
/** Progress could not be read; the job itself may well go on. */
export const selectIsStalled = (bulk: BulkJobSnapshot) => bulk.matches({ job: { running: "stalled" } });
/** How far the job came that was cancelled last. */
export const selectCancelled = (bulk: BulkJobSnapshot) => bulk.context.cancelled;
export const selectResult = (bulk: BulkJobSnapshot) => (bulk.matches({ job: "finished" }) ? bulk.context.result : null);
/** Nothing is known of a running job: another tab or program may have one. */
export const selectIsJobUnread = (bulk: BulkJobSnapshot) => bulk.matches({ job: "unread" });
export const selectAreStagesUnread = (bulk: BulkJobSnapshot) => bulk.matches({ stages: "unread" });
/** The stages are there to choose from. */
export const selectAreStagesKnown = (bulk: BulkJobSnapshot) => bulk.matches({ stages: "loaded" });
