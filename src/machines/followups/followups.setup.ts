import { assign, raise, setup } from "xstate";
import type { Followup } from "../../../domain/followup.ts";
import { MEDIA_MAX_BYTES } from "../../../domain/limits.ts";
import type { Stage } from "../../../domain/stage.ts";
import type { Version } from "../kit/conflict.ts";
import type { ReadingEvent, ReadingTag } from "../kit/reading.ts";
import { failureMessage, isStale } from "../kit/failed.ts";
import { unreported } from "../kit/reporting.ts";
import {
  type FollowupsBoard,
  ADD_FAILED,
  CONFLICT,
  DELETE_FAILED,
  RESCUED,
  SAVE_FAILED,
  placeholderActors,
} from "./followups.actors.ts";
import {
  BLANK_FORM,
  type FollowupChange,
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

export type FollowupsContext = {
  stages: Stage[];
  rows: FollowupRow[];
  /** The group being saved, or saved last and not edited since. */
  group: { stageId: string | null; isSaved: boolean } | null;
  changes: FollowupChange[];
  deletingId: string | null;
  /** Why the last change to the list was refused, told beside the group or the row that it was about. */
  refusal: { group: string | null | undefined; id: string | null; words: string } | null;
  form: FollowupForm;
  /** What is wrong with single fields of the form, as it was pressed or refused. */
  marks: FormMarks;
  /** Why the server refused the last new follow-up, where that is about none of its fields. */
  formRefusal: string | null;
  alert: string;
};

export const TAKEN = "This stage already has a follow-up with that order.";
export const TOO_LARGE = "File too large. Max 10MB allowed.";

const untold: (_: unknown, params: { message: string }) => void = () => {};

/** What the follow-ups' chart is made of. */
export const followupsSetup = setup({
  types: {
    context: {} as FollowupsContext,
    events: {} as
      | ReadingEvent
      | { type: "followup.restored"; followup: Followup }
      /** What was typed before a reload. */
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
  actors: placeholderActors,
  actions: {
    storeBoard: assign(({ context }, { followups, stages }: FollowupsBoard) => {
      const rows = withTyped(rowsOf(followups, stages), context.rows);
      const form = rescued(context.form, { before: context.rows, after: rows });
      return { stages, rows, ...(form !== null && { form, formRefusal: RESCUED }) };
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
      refusal: { group: context.group?.stageId, id: null, words: CONFLICT },
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
      refusal: { group: context.group?.stageId, id: null, words: failureMessage(params.error, SAVE_FAILED) },
    })),
    refuseDeletion: assign(({ context }, params: { error: unknown }) => ({
      refusal: { group: undefined, id: context.deletingId, words: failureMessage(params.error, DELETE_FAILED) },
    })),
    refuseForm: assign((_, params: { error: unknown }) => {
      const words = failureMessage(params.error, ADD_FAILED);
      const marks = refusedMarks(params.error, words);
      return { marks, formRefusal: Object.keys(marks).length === 0 ? words : null };
    }),
    markMissing: assign(({ context }) => ({ marks: missingIn(context.form, context.stages) })),
    markOrder: assign({ marks: { order: TAKEN } }),
    markMedia: assign(({ context }) => ({ marks: { ...context.marks, media: TOO_LARGE } })),
    storeForm: assign(({ context }, { change }: { change: Partial<FollowupForm> }) => ({
      form: { ...context.form, ...change },
      // In another stage other places are free.
      marks: withoutMarks(context.marks, "stageId" in change ? { ...change, order: null } : change),
      formRefusal: null,
    })),
    storeMedia: assign(({ context }, { media }: { media: File | null }) => ({
      form: { ...context.form, media, lostMedia: "" },
      marks: withoutMarks(context.marks, { media }),
      formRefusal: null,
    })),
    storeAlert: assign((_, params: { message: string }) => ({ alert: params.message })),
    appendRow: assign(({ context }, params: { followup: Followup }) => ({
      rows: [...context.rows, rowOf(params.followup)],
      form: { ...BLANK_FORM, stageId: context.form.stageId },
      marks: {},
      formRefusal: null,
    })),
    refresh: raise({ type: "reading.refresh" }),
    showToast: untold,
    reportFailure: unreported,
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
