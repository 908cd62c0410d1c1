import { type ActorRefFrom, type SnapshotFrom, assign, setup } from "xstate";
import type { Followup } from "../../../domain/followup.ts";
import { MEDIA_MAX_BYTES } from "../../../domain/limits.ts";
import type { Stage } from "../../../domain/stage.ts";
import { telling } from "../kit/asking.ts";
import { type ReadingEvent, type ReadingTag, firstReading, shownReading } from "../kit/reading.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import {
  ADDED,
  EDITED,
  type FollowupsBoard,
  NOT_ADDED,
  NOT_DELETED,
  NOT_SAVED,
  placeholderActors,
  refusalWords,
} from "./followups.actors.ts";
import {
  BLANK_FORM,
  type FollowupChange,
  type FollowupEdit,
  type FollowupForm,
  type FollowupRow,
  type TypedFollowup,
  canSaveGroup,
  changesOfGroup,
  delayProblem,
  isFormComplete,
  isOrderTaken,
  newFollowupOf,
  renumberWithout,
  withRestored,
  withTyped,
  withoutRow,
  rowOf,
  asSaved,
  rowsOf,
} from "./followups.rows.ts";

type FollowupsContext = {
  stages: Stage[];
  rows: FollowupRow[];
  /** The group being saved, or saved last and not edited since. */
  group: { stageId: string | null; isSaved: boolean } | null;
  changes: FollowupChange[];
  deletingId: string | null;
  /** Why the last change to the list was refused, told beside the group or the row that it was about. */
  refusal: { group: string | null | undefined; id: string | null; words: string } | null;
  form: FollowupForm;
  /** Why the server refused the last new follow-up. */
  formRefusal: string | null;
  alert: string;
};

const alertOf = ({ context }: { context: FollowupsContext }) => ({ message: context.alert });
const untold: (_: unknown, params: { message: string }) => void = () => {};

const boardReading = { src: "fetchBoard", store: "storeBoard", what: "the follow-ups" } as const;
const first = firstReading({ ...boardReading, shown: "ready" });
const shown = shownReading(boardReading);

/**
 * Follow-ups by stage, and the form of a new one. One change to the list at a time; the form works beside it. What other
 * tabs and programs have changed comes in when the page returns, and never under an edit.
 */
export const followupsMachine = setup({
  types: {
    context: {} as FollowupsContext,
    events: {} as
      | ReadingEvent
      | { type: "followup.restored"; followup: Followup }
      /** What was typed before a reload. */
      | { type: "edits.restore"; edits: TypedFollowup[] }
      | { type: "followup.change"; id: string; change: FollowupEdit }
      | { type: "followup.delete"; id: string }
      | { type: "group.save"; stageId: string | null }
      | { type: "form.change"; change: Partial<Omit<FollowupForm, "media">> }
      | { type: "media.choose"; media: File | null }
      | { type: "form.submit" },
    tags: {} as ReadingTag,
  },
  actors: placeholderActors,
  actions: {
    storeBoard: assign(({ context }, { followups, stages }: FollowupsBoard) => ({
      stages,
      rows: withTyped(rowsOf(followups, stages), context.rows),
    })),
    restoreEdits: assign(({ context }, params: { edits: TypedFollowup[] }) => ({
      rows: withTyped(context.rows, params.edits),
    })),
    storeEdit: assign(({ context }, params: { id: string; change: FollowupEdit }) => ({
      group: context.group?.isSaved ? null : context.group,
      rows: context.rows.map((row) => (row.id === params.id ? { ...row, ...params.change } : row)),
    })),
    storeChanges: assign(({ context }, params: { stageId: string | null }) => ({
      refusal: null,
      group: { stageId: params.stageId, isSaved: false },
      changes: changesOfGroup(context.rows, params.stageId),
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
      refusal: { group: context.group?.stageId, id: null, words: refusalWords(params.error, NOT_SAVED) },
    })),
    refuseDeletion: assign(({ context }, params: { error: unknown }) => ({
      refusal: { group: undefined, id: context.deletingId, words: refusalWords(params.error, NOT_DELETED) },
    })),
    refuseForm: assign((_, params: { error: unknown }) => ({ formRefusal: refusalWords(params.error, NOT_ADDED) })),
    storeForm: assign(({ context }, params: { change: Partial<FollowupForm> }) => ({
      form: { ...context.form, ...params.change },
      formRefusal: null,
    })),
    storeAlert: assign((_, params: { message: string }) => ({ alert: params.message })),
    appendRow: assign(({ context }, params: { followup: Followup }) => ({
      rows: [...context.rows, rowOf(params.followup)],
      form: { ...BLANK_FORM, stageId: context.form.stageId },
      formRefusal: null,
    })),
    showToast: untold,
    reportFailure: unreported,
  },
  guards: {
    isListed: ({ context }, params: { id: string }) => context.rows.some(({ id }) => id === params.id),
    canSaveGroup: ({ context }, params: { stageId: string | null }) => canSaveGroup(context.rows, params.stageId),
    hasFailure: (_, params: { failure: unknown }) => params.failure !== null,
    isTooLarge: (_, params: { media: File | null }) => (params.media?.size ?? 0) > MEDIA_MAX_BYTES,
    isFormIncomplete: ({ context }) => !isFormComplete(context.form, context.stages),
    isOrderTaken: ({ context }) => isOrderTaken(context.form, context.rows),
    canAdd: ({ context }) => delayProblem(context.form.delay) === null,
  },
}).createMachine({
  id: "followups",
  context: {
    stages: [],
    rows: [],
    group: null,
    changes: [],
    deletingId: null,
    refusal: null,
    form: BLANK_FORM,
    formRefusal: null,
    alert: "",
  },
  type: "parallel",
  invoke: [
    { id: "watchRestored", src: "watchRestored" },
    { id: "watchReturns", src: "watchReturns" },
  ],
  states: {
    list: {
      initial: "loading",
      on: {
        "followup.change": {
          guard: { type: "isListed", params: ({ event }) => event },
          actions: { type: "storeEdit", params: ({ event }) => event },
        },
        "followup.restored": { actions: { type: "insertRow", params: ({ event }) => event } },
      },
      states: {
        ...first,
        // An answer on its way may be older than what came back.
        loading: { ...first.loading, on: { "followup.restored": { target: "loading", reenter: true } } },
        ready: {
          ...shown,
          states: {
            ...shown.states,
            refreshing: {
              ...shown.states.refreshing,
              on: {
                "followup.restored": {
                  target: "refreshing",
                  reenter: true,
                  actions: { type: "insertRow", params: ({ event }) => event },
                },
              },
            },
          },
          on: {
            ...shown.on,
            "edits.restore": { actions: { type: "restoreEdits", params: ({ event }) => event } },
            "group.save": {
              guard: { type: "canSaveGroup", params: ({ event }) => event },
              target: "saving",
              actions: { type: "storeChanges", params: ({ event }) => event },
            },
            "followup.delete": {
              guard: { type: "isListed", params: ({ event }) => event },
              target: "deleting",
              actions: { type: "storeDeletion", params: ({ event }) => event },
            },
          },
        },
        saving: {
          invoke: {
            id: "saveChanges",
            src: "saveChanges",
            input: ({ context }) => context.changes,
            onDone: [
              {
                guard: { type: "hasFailure", params: ({ event }) => event.output },
                target: "ready",
                actions: [
                  { type: "markSaved", params: ({ event }) => event.output },
                  { type: "refuseChanges", params: ({ event }) => ({ error: event.output.failure }) },
                  reportFailure("follow-ups were not saved"),
                ],
              },
              {
                target: "ready",
                actions: [
                  "announceGroup",
                  { type: "markSaved", params: ({ event }) => event.output },
                  { type: "showToast", params: { message: EDITED } },
                ],
              },
            ],
            onError: {
              target: "ready",
              actions: [
                { type: "refuseChanges", params: ({ event }) => event },
                reportFailure("follow-ups were not saved"),
              ],
            },
          },
        },
        deleting: {
          invoke: {
            id: "deleteFollowup",
            src: "deleteFollowup",
            input: ({ context: { rows, deletingId } }) => ({
              id: deletingId ?? "",
              orders: renumberWithout(rows, deletingId ?? ""),
            }),
            onDone: { target: "ready", actions: "dropRow" },
            onError: {
              target: "ready",
              actions: [
                { type: "refuseDeletion", params: ({ event }) => event },
                reportFailure("a follow-up was not deleted"),
              ],
            },
          },
        },
      },
    },
    form: {
      initial: "awaitingFollowup",
      states: {
        awaitingFollowup: {
          on: {
            "form.change": { actions: { type: "storeForm", params: ({ event }) => event } },
            "media.choose": [
              {
                guard: { type: "isTooLarge", params: ({ event }) => event },
                target: "refusingMedia",
                actions: { type: "storeForm", params: ({ event }) => ({ change: { media: event.media } }) },
              },
              { actions: { type: "storeForm", params: ({ event }) => ({ change: { media: event.media } }) } },
            ],
            "form.submit": [
              {
                guard: "isFormIncomplete",
                target: "alerting",
                actions: { type: "storeAlert", params: { message: "Please complete all fields before adding." } },
              },
              {
                guard: "isOrderTaken",
                target: "alerting",
                actions: {
                  type: "storeAlert",
                  params: { message: "This stage already has a follow-up with that order." },
                },
              },
              { guard: "canAdd", target: "adding" },
            ],
          },
        },
        alerting: telling(alertOf, "awaitingFollowup"),
        refusingMedia: {
          ...telling({ message: "File too large. Max 10MB allowed." }, "awaitingFollowup"),
          exit: { type: "storeForm", params: { change: { media: null } } },
        },
        adding: {
          invoke: {
            id: "addFollowup",
            src: "addFollowup",
            input: ({ context }) => newFollowupOf(context.form, context.rows),
            onDone: {
              target: "awaitingFollowup",
              actions: [
                { type: "appendRow", params: ({ event }) => ({ followup: event.output }) },
                { type: "showToast", params: { message: ADDED } },
              ],
            },
            onError: {
              target: "awaitingFollowup",
              actions: [
                { type: "refuseForm", params: ({ event }) => event },
                reportFailure("a follow-up was not added"),
              ],
            },
          },
        },
      },
    },
  },
});

export type FollowupsRef = ActorRefFrom<typeof followupsMachine>;
export type FollowupsSnapshot = SnapshotFrom<typeof followupsMachine>;
