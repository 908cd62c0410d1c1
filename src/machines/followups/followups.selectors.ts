import { draftOf } from "./followups.draft.ts";
import type { FollowupsSnapshot } from "./followups.machine.ts";
import { isEdited, nextOrder, orderNote } from "./followups.rows.ts";

export const selectRows = (screen: FollowupsSnapshot) => screen.context.rows;
export const selectStages = (screen: FollowupsSnapshot) => screen.context.stages;
export const selectForm = (screen: FollowupsSnapshot) => screen.context.form;
export const selectIsLoading = (screen: FollowupsSnapshot) => screen.hasTag("loading");
export const selectIsUnread = (screen: FollowupsSnapshot) => screen.hasTag("unread");
export const selectRefusal = (screen: FollowupsSnapshot) => screen.context.refusal;
export const selectMarks = (screen: FollowupsSnapshot) => screen.context.marks;
/** What becomes of an order that is none of the places there are. */
export const selectOrderNote = (screen: FollowupsSnapshot) => orderNote(screen.context.form, screen.context.rows);
export const selectFormRefusal = (screen: FollowupsSnapshot) => screen.context.formRefusal;
export const selectIsAdding = (screen: FollowupsSnapshot) => screen.matches({ form: "adding" });
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
    if (isLast && (screen.matches({ list: "saving" }) || screen.matches({ list: "merging" }))) return "saving";
    if (screen.context.rows.some((row) => row.stageId === stageId && isEdited(row))) return "edited";
    return isLast && screen.context.group?.isSaved ? "saved" : "resting";
  };

/** Whether something typed would be lost with the screen; what is on its way to the server would not. */
export const selectIsUnsaved = (screen: FollowupsSnapshot): boolean => {
  const { rows, changes } = screen.context;
  const sent = screen.matches({ list: "saving" }) ? changes : [];
  return rows.some(
    (row) =>
      isEdited(row) &&
      !sent.some(
        (change) => change.id === row.id && change.message === row.message && change.delay_hours === Number(row.delay),
      ),
  );
};

/** What is typed on the follow-ups, to be kept over a reload; null while there are none to type on. */
export const selectDraft = (screen: FollowupsSnapshot) =>
  screen.hasTag("loading") || screen.hasTag("unread") ? null : draftOf(screen.context.rows);
