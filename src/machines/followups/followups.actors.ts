import { type AnyEventObject, fromCallback, fromPromise } from "xstate";
import type { Followup } from "../../../domain/followup.ts";
import type { Stage } from "../../../domain/stage.ts";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import { type FailureText, failureMessage, isStale } from "../kit/failed.ts";
import { type Notifier, alerting } from "../kit/speaking.ts";
import type { Undoing } from "../kit/undoing.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";
import type { FollowupChange, NewFollowup, OrderChange } from "./followups.rows.ts";

export type FollowupsGateway = {
  list(signal: AbortSignal): Promise<Followup[]>;
  add(input: NewFollowup): Promise<Followup>;
  change(input: FollowupChange): Promise<void>;
  setOrder(input: OrderChange): Promise<void>;
  remove(input: { id: string }): Promise<void>;
};

export type FollowupsDeps = WritingDeps & {
  followups: FollowupsGateway;
  undoing: Undoing<Followup>;
  /** Stages in their order. */
  stages: { list(signal: AbortSignal): Promise<Stage[]> };
  notifier: Pick<Notifier, "alert">;
  /** Tells when the page comes back: what it shows may be old. */
  onReturn: (listener: () => void) => () => void;
  /** Takes what the server has taken out of what is kept over a reload, also when the screen was left meanwhile. */
  settleDraft: (saved: readonly FollowupChange[]) => void;
};

export type FollowupsBoard = { followups: Followup[]; stages: Stage[] };
/** Which of a group's changes the server took, and the first failure among the others. */
export type SaveOutcome = { savedIds: string[]; failure: unknown };
/** A follow-up to delete, and the places that the others of its stage move to. */
export type Deletion = { id: string; orders: OrderChange[] };

export const ADDED = "Follow-up added successfully.";
export const EDITED = "Follow-up edited successfully.";
export const ADD_FAILED: FailureText = {
  refused: "The follow-up was not added.",
  unknown: "The follow-up may have been added. If it is not in the list, try again: it is not added twice.",
};
export const SAVE_FAILED: FailureText = {
  refused: "The changes were not saved.",
  unknown: "The changes may have been saved. What you typed is kept: try again.",
};
export const CONFLICT =
  "Some of these follow-ups were changed in another tab or by another program. Choose which version to keep, then save again.";
export const RESCUED = "A follow-up that you were editing was deleted elsewhere. Its text is kept here.";
export const DELETE_FAILED: FailureText = {
  refused: "The follow-up was not deleted.",
  unknown: "The follow-up may have been deleted.",
};

export const placeholderActors = {
  fetchBoard: notProvided<FollowupsBoard, void>("fetchBoard"),
  saveChanges: notProvided<SaveOutcome, FollowupChange[]>("saveChanges"),
  deleteFollowup: notProvided<void, Deletion>("deleteFollowup"),
  addFollowup: notProvided<Followup, NewFollowup>("addFollowup"),
  showAlert: notProvided<void, { message: string }>("showAlert"),
  watchRestored: unwatched,
  watchReturns: unwatched,
};

export const createFollowupsActors = ({
  followups,
  undoing,
  stages,
  onReturn,
  settleDraft,
  ...page
}: FollowupsDeps) => {
  let added = 0;
  const readBoard = async (signal: AbortSignal): Promise<FollowupsBoard> => {
    const before = added;
    const [known, listed] = await Promise.all([followups.list(signal), stages.list(signal)]);
    // The answer may be older than what was added meanwhile.
    return added === before ? { followups: known, stages: listed } : readBoard(signal);
  };
  return {
    fetchBoard: fromPromise<FollowupsBoard, void>(({ signal }) => readBoard(signal)),
    saveChanges: writing<SaveOutcome, FollowupChange[]>(
      page,
      async (input) => {
        const outcome = await saveAll(followups, input);
        settleDraft(input.filter(({ id }) => outcome.savedIds.includes(id)));
        return outcome;
      },
      {
        done: ({ failure }) => (failure === null ? EDITED : { failed: failureMessage(failure, SAVE_FAILED) }),
        failed: SAVE_FAILED,
      },
    ),
    deleteFollowup: writing<void, Deletion>(
      page,
      async ({ id, orders }) => {
        await followups.remove({ id });
        // First to last: each place is free by the time the next row takes it.
        try {
          for (const change of orders) await followups.setOrder(change);
        } catch (error) {
          page.logger.warn("follow-ups were not renumbered", error);
        }
        undoing.offer(id);
      },
      { failed: DELETE_FAILED },
    ),
    addFollowup: writing<Followup, NewFollowup>(
      page,
      async (input) => {
        const followup = await followups.add(input);
        added += 1;
        return followup;
      },
      { done: ADDED, failed: ADD_FAILED },
    ),
    showAlert: alerting(page.notifier),
    watchReturns: watchingReturns(onReturn),
    watchRestored: fromCallback<AnyEventObject>(({ sendBack }) =>
      undoing.onRestored((followup) =>
        sendBack(followup === null ? { type: "reading.refresh" } : { type: "followup.restored", followup }),
      ),
    ),
  };
};

/** One after another: each names the version that the one before it left. */
async function saveAll(followups: FollowupsGateway, changes: readonly FollowupChange[]): Promise<SaveOutcome> {
  const savedIds: string[] = [];
  let failure: unknown = null;
  for (const change of changes) {
    try {
      await followups.change(change);
      savedIds.push(change.id);
    } catch (error) {
      failure ??= error;
      if (isStale(error)) return { savedIds, failure: error };
    }
  }
  return { savedIds, failure };
}
