import type { FollowupsSnapshot } from "./followups.machine.ts";
import { isEdited, nextOrder } from "./followups.rows.ts";

export const selectRows = (screen: FollowupsSnapshot) => screen.context.rows;
export const selectStages = (screen: FollowupsSnapshot) => screen.context.stages;
export const selectForm = (screen: FollowupsSnapshot) => screen.context.form;
export const selectIsLoading = (screen: FollowupsSnapshot) => screen.matches({ list: "loading" });
export const selectHasFailed = (screen: FollowupsSnapshot) => screen.matches({ list: "failed" });
export const selectIsListReady = (screen: FollowupsSnapshot) => screen.matches({ list: "ready" });
export const selectIsAdding = (screen: FollowupsSnapshot) => screen.matches({ form: "adding" });
export const selectCanEditForm = (screen: FollowupsSnapshot) => screen.matches({ form: "awaitingFollowup" });
/** The place a new follow-up takes when none is typed, counted from 1. */
export const selectNextOrder = (screen: FollowupsSnapshot) =>
  nextOrder(screen.context.rows, screen.context.form.stageId) + 1;
/** The follow-up being deleted, for as long as that takes. */
export const selectDeletingId = (screen: FollowupsSnapshot) =>
  screen.matches({ list: "deleting" }) ? screen.context.deletingId : null;

/** How a group stands: being saved, just saved, edited and fit to be saved, or none of these. */
export const selectGroupState =
  (stageId: string | null) =>
  (screen: FollowupsSnapshot): "saving" | "saved" | "edited" | "resting" => {
    const isLast = screen.context.group?.stageId === stageId;
    if (isLast && screen.matches({ list: "saving" })) return "saving";
    if (screen.context.rows.some((row) => row.stageId === stageId && isEdited(row))) return "edited";
    return isLast && screen.context.group?.isSaved ? "saved" : "resting";
  };
export const selectCanSaveGroup = (stageId: string | null) => (screen: FollowupsSnapshot) =>
  screen.can({ type: "group.save", stageId });
