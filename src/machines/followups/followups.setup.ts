import { msg } from "@lingui/core/runtime-macro";
import { type AnyEventObject, assign, fromCallback, fromPromise, raise, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Followup } from "../../../domain/followup.ts";
import { MEDIA_MAX_BYTES } from "../../../domain/limits.ts";
import type { Stage } from "../../../domain/stage.ts";
import type { FollowupChange, NewFollowup, OrderChange, createFollowupsGateway } from "../../services/followups.ts";
import { createStagesGateway } from "../../services/stages.ts";
import { alerting } from "../kit/confirming.ts";
import type { ReadingEvent, ReadingTag } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { watchingReturns } from "../kit/refreshing.ts";
import type { Undoing } from "../kit/undo.ts";
import { type FailureText, type Version, failureMessage, isStale, writing } from "../kit/writing.ts";
import { settleDraft } from "./followups.draft.ts";
import {
  BLANK_FORM,
  type FollowupEdit,
  type FollowupForm,
  type FollowupRow,
  type FormMarks,
  type TypedFollowup,
  canSaveGroup,
  changesOfGroup,
  isOrderTaken,
  missingIn,
  refusedMarks,
  rescued,
  withChoice,
  withRestored,
  withTyped,
  withoutMarks,
  withoutRow,
  wrongIn,
  rowOf,
  asSaved,
  rowsOf,
} from "./followups.rows.ts";

type FollowupsService = ReturnType<typeof createFollowupsGateway>;

export type FollowupsParts = {
  followups: Pick<FollowupsService, "list" | "add" | "change" | "setOrder" | "remove">;
  stages?: { list: (signal: AbortSignal) => Promise<Stage[]> };
  /** One per page, so that Undo updates the list that is then shown. */
  undoing: Undoing<Followup>;
};

type FollowupsBoard = { followups: Followup[]; stages: Stage[] };
/** Which of a group's changes were saved, and the first failure among the others. */
type SaveOutcome = { savedIds: string[]; failure: unknown };
/** A follow-up to delete, and the new orders of the others in its stage. */
type Deletion = { id: string; orders: OrderChange[] };

export const ADDED = msg`Follow-up added successfully.`;
export const EDITED = msg`Follow-up edited successfully.`;
const ADD_FAILED: FailureText = {
  refused: msg`The follow-up was not added.`,
  unknown: msg`The follow-up may have been added. If it is not in the list, try again: it is not added twice.`,
};
const SAVE_FAILED: FailureText = {
  refused: msg`The changes were not saved.`,
  unknown: msg`The changes may have been saved. What you typed is kept: try again.`,
};
const CONFLICT = msg`Some of these follow-ups were changed in another tab or by another program. Choose which version to keep, then save again.`;
const RESCUED = msg`A follow-up that you were editing was deleted elsewhere. Its text is kept here.`;
const DELETE_FAILED: FailureText = {
  refused: msg`The follow-up was not deleted.`,
  unknown: msg`The follow-up may have been deleted.`,
};

export type FollowupsContext = {
  stages: Stage[];
  rows: FollowupRow[];
  /** The group being saved, or saved last and unedited since. */
  group: { stageId: string | null; isSaved: boolean } | null;
  changes: FollowupChange[];
  deletingId: string | null;
  /** Why the last change of the list was refused, shown beside its group or row. */
  refusal: { group: string | null | undefined; id: string | null; message: UiTextOrString } | null;
  form: FollowupForm;
  /** The problems of the form's fields, after a submit or a refusal. */
  marks: FormMarks;
  /** Why the server refused the last new follow-up, if no field is at fault. */
  formRefusal: UiTextOrString | null;
  alert: UiTextOrString;
};

export const TAKEN = msg`This stage already has a follow-up with that order.`;
export const TOO_LARGE = msg`File too large. Max 10MB allowed.`;

/** Saves one after another: each request sends the version returned by the previous one. */
async function saveAll(
  followups: Pick<FollowupsService, "change">,
  changes: readonly FollowupChange[],
): Promise<SaveOutcome> {
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

export function followupsSetup(
  page: Page,
  { followups, undoing, stages = createStagesGateway(page.http) }: FollowupsParts,
) {
  let added = 0;
  const readBoard = async (signal: AbortSignal): Promise<FollowupsBoard> => {
    const before = added;
    const [known, listed] = await Promise.all([followups.list(signal), stages.list(signal)]);
    // The response may be older than what was added since.
    return added === before ? { followups: known, stages: listed } : readBoard(signal);
  };
  return setup({
    types: {
      context: {} as FollowupsContext,
      events: {} as
        | ReadingEvent
        | { type: "followup.restored"; followup: Followup }
        /** Edits from before a reload. */
        | { type: "edits.restore"; edits: TypedFollowup[] }
        | { type: "followup.change"; id: string; change: FollowupEdit }
        | { type: "followup.delete"; id: string }
        | { type: "followup.choose"; id: string; version: Version }
        | { type: "group.save"; stageId: string | null }
        | { type: "form.change"; change: Partial<Omit<FollowupForm, "media">> }
        | { type: "media.choose"; media: File | null }
        | { type: "form.submit" },
      tags: {} as ReadingTag,
    },
    actors: {
      fetchBoard: fromPromise<FollowupsBoard, void>(({ signal }) => readBoard(signal)),
      saveChanges: writing(
        page,
        async (input: FollowupChange[]): Promise<SaveOutcome> => {
          const outcome = await saveAll(followups, input);
          settleDraft(
            page.drafts,
            input.filter(({ id }) => outcome.savedIds.includes(id)),
          );
          return outcome;
        },
        {
          done: ({ failure }) => (failure === null ? EDITED : { failed: failureMessage(failure, SAVE_FAILED) }),
          failed: SAVE_FAILED,
        },
      ),
      deleteFollowup: writing(
        page,
        async ({ id, orders }: Deletion) => {
          await followups.remove({ id });
          // First to last: each order is free by the time the next row takes it.
          try {
            for (const change of orders) await followups.setOrder(change);
          } catch (error) {
            page.logger.warn("follow-ups were not renumbered", error);
          }
          undoing.offer(id);
        },
        { failed: DELETE_FAILED },
      ),
      addFollowup: writing(
        page,
        async (input: NewFollowup) => {
          const followup = await followups.add(input);
          added += 1;
          return followup;
        },
        { done: ADDED, failed: ADD_FAILED },
      ),
      showAlert: alerting(page.notifier),
      watchReturns: watchingReturns(),
      watchRestored: fromCallback<AnyEventObject>(({ sendBack }) =>
        undoing.onRestored((followup) =>
          sendBack(followup === null ? { type: "reading.refresh" } : { type: "followup.restored", followup }),
        ),
      ),
    },
    actions: {
      storeBoard: assign(({ context }, board: FollowupsBoard) => {
        const rows = withTyped(rowsOf(board.followups, board.stages), context.rows);
        const form = rescued(context.form, { before: context.rows, after: rows });
        return { stages: board.stages, rows, ...(form !== null && { form, formRefusal: RESCUED }) };
      }),
      chooseVersion: assign(({ context }, params: { id: string; version: Version }) => ({
        rows: withChoice(context.rows, params.id, params.version),
        refusal: null,
      })),
      restoreEdits: assign(({ context }, params: { edits: TypedFollowup[] }) => ({
        rows: withTyped(context.rows, params.edits),
      })),
      storeEdit: assign(({ context }, params: { id: string; change: FollowupEdit }) => ({
        group: context.group?.isSaved ? null : context.group,
        rows: context.rows.map((row) => (row.id === params.id ? { ...row, ...params.change } : row)),
      })),
      storeGroup: assign((_, params: { stageId: string | null }) => ({
        group: { stageId: params.stageId, isSaved: false },
      })),
      storeChanges: assign(({ context }) => ({
        refusal: null,
        changes: changesOfGroup(context.rows, context.group?.stageId ?? null),
      })),
      refuseConflict: assign(({ context }) => ({
        refusal: { group: context.group?.stageId, id: null, message: CONFLICT },
      })),
      announceGroup: assign(({ context }) => ({ group: context.group && { ...context.group, isSaved: true } })),
      markSaved: assign(({ context }, params: { savedIds: string[] }) => ({
        rows: context.rows.map((row) => {
          const change = context.changes.find(({ id }) => id === row.id && params.savedIds.includes(id));
          return change ? asSaved(row, change) : row;
        }),
      })),
      storeDeletion: assign((_, params: { id: string }) => ({ deletingId: params.id, refusal: null })),
      dropRow: assign(({ context }) => ({ rows: withoutRow(context.rows, context.deletingId) })),
      insertRow: assign(({ context }, params: { followup: Followup }) => ({
        rows: withRestored(context.rows, rowOf(params.followup), new Set(context.stages.map((stage) => stage.id))),
      })),
      refuseChanges: assign(({ context }, params: { error: unknown }) => ({
        refusal: { group: context.group?.stageId, id: null, message: failureMessage(params.error, SAVE_FAILED) },
      })),
      refuseDeletion: assign(({ context }, params: { error: unknown }) => ({
        refusal: { group: undefined, id: context.deletingId, message: failureMessage(params.error, DELETE_FAILED) },
      })),
      refuseForm: assign((_, params: { error: unknown }) => {
        const message = failureMessage(params.error, ADD_FAILED);
        const marks = refusedMarks(params.error, message);
        return { marks, formRefusal: Object.keys(marks).length === 0 ? message : null };
      }),
      markMissing: assign(({ context }) => ({ marks: missingIn(context.form, context.stages) })),
      markOrder: assign({ marks: { order: TAKEN } }),
      markMedia: assign(({ context }) => ({ marks: { ...context.marks, media: TOO_LARGE } })),
      storeForm: assign(({ context }, { change }: { change: Partial<FollowupForm> }) => ({
        form: { ...context.form, ...change },
        // In another stage other orders are free.
        marks: withoutMarks(context.marks, "stageId" in change ? { ...change, order: null } : change),
        formRefusal: null,
      })),
      storeMedia: assign(({ context }, { media }: { media: File | null }) => ({
        form: { ...context.form, media, lostMedia: "" },
        marks: withoutMarks(context.marks, { media }),
        formRefusal: null,
      })),
      storeAlert: assign((_, params: { message: UiTextOrString }) => ({ alert: params.message })),
      appendRow: assign(({ context }, followup: Followup) => ({
        // A refresh may have listed it already.
        rows: [...context.rows.filter(({ id }) => id !== followup.id), rowOf(followup)],
        form: { ...BLANK_FORM, stageId: context.form.stageId },
        marks: {},
        formRefusal: null,
      })),
      refresh: raise({ type: "reading.refresh" }),
      showToast: (_args, { message }: { message: UiTextOrString }) => page.notifier.toast(message),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isListed: ({ context }, params: { id: string }) => context.rows.some(({ id }) => id === params.id),
      canSaveGroup: ({ context }, params: { stageId: string | null }) => canSaveGroup(context.rows, params.stageId),
      isContested: ({ context }, params: { id: string }) =>
        context.rows.some(({ id, isConflict }) => id === params.id && isConflict === true),
      canSaveAgain: ({ context }) => canSaveGroup(context.rows, context.group?.stageId ?? null),
      hasConflict: ({ context }) => context.rows.some(({ isConflict }) => isConflict),
      isStale: (_, params: { failure: unknown }) => isStale(params.failure),
      hasFailure: (_, params: { failure: unknown }) => params.failure !== null,
      isTooLarge: (_, params: { media: File | null }) => (params.media?.size ?? 0) > MEDIA_MAX_BYTES,
      isFormIncomplete: ({ context }) => Object.keys(missingIn(context.form, context.stages)).length > 0,
      isOrderTaken: ({ context }) => isOrderTaken(context.form, context.rows),
      canAdd: ({ context }) => Object.keys(wrongIn(context.form)).length === 0,
    },
  });
}
