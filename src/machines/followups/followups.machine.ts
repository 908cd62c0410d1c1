import { type ActorRefFrom, type SnapshotFrom, assign, setup } from "xstate";
import type { Followup } from "../../../domain/followup.ts";
import { MEDIA_MAX_BYTES } from "../../../domain/limits.ts";
import type { Stage } from "../../../domain/stage.ts";
import { type FollowupsBoard, placeholderActors } from "./followups.actors.ts";
import {
  BLANK_FORM,
  type FollowupChange,
  type FollowupEdit,
  type FollowupForm,
  type FollowupRow,
  type OrderChange,
  canSaveGroup,
  changesOfGroup,
  delayProblem,
  isFormComplete,
  isOrderTaken,
  newFollowupOf,
  renumberWithout,
  rowOf,
  withKnownStages,
} from "./followups.rows.ts";

type FollowupsContext = {
  stages: Stage[];
  rows: FollowupRow[];
  /** The group being saved, or saved last and not edited since. */
  group: { stageId: string | null; isSaved: boolean } | null;
  changes: FollowupChange[];
  deletingId: string | null;
  orders: OrderChange[];
  form: FollowupForm;
  alert: string;
};

const unreported: (_: unknown, params: { what: string; error: unknown }) => void = () => {};
const untold: (_: unknown, params: { message: string }) => void = () => {};

/** Follow-ups by stage, and the form of a new one. One change to the list at a time; the form works beside it. */
export const followupsMachine = setup({
  types: {
    context: {} as FollowupsContext,
    events: {} as
      | { type: "list.reload" }
      | { type: "followup.change"; id: string; change: FollowupEdit }
      | { type: "followup.delete"; id: string }
      | { type: "group.save"; stageId: string | null }
      | { type: "form.change"; change: Partial<Omit<FollowupForm, "media">> }
      | { type: "media.choose"; media: File | null }
      | { type: "form.submit" },
  },
  actors: placeholderActors,
  actions: {
    storeBoard: assign((_, params: FollowupsBoard) => ({
      stages: params.stages,
      rows: withKnownStages(params.followups.map(rowOf), new Set(params.stages.map((stage) => stage.id))),
    })),
    storeEdit: assign(({ context }, params: { id: string; change: FollowupEdit }) => ({
      group: context.group?.isSaved ? null : context.group,
      rows: context.rows.map((row) => (row.id === params.id ? { ...row, ...params.change } : row)),
    })),
    storeChanges: assign(({ context }, params: { stageId: string | null }) => ({
      group: { stageId: params.stageId, isSaved: false },
      changes: changesOfGroup(context.rows, params.stageId),
    })),
    announceGroup: assign(({ context }) => ({ group: context.group && { ...context.group, isSaved: true } })),
    markSaved: assign(({ context }, params: { savedIds: string[] }) => ({
      rows: context.rows.map((row) => {
        const change = context.changes.find(({ id }) => id === row.id && params.savedIds.includes(id));
        return change ? { ...row, saved: { message: change.message, delay: String(change.delay_hours) } } : row;
      }),
    })),
    storeDeletion: assign(({ context }, params: { id: string }) => ({
      deletingId: params.id,
      orders: renumberWithout(context.rows, params.id),
    })),
    dropRow: assign(({ context }) => ({
      rows: context.rows
        .filter((row) => row.id !== context.deletingId)
        .map((row) => ({
          ...row,
          order: context.orders.find((change) => change.id === row.id)?.followup_order ?? row.order,
        })),
    })),
    storeForm: assign(({ context }, params: { change: Partial<FollowupForm> }) => ({
      form: { ...context.form, ...params.change },
    })),
    storeAlert: assign((_, params: { message: string }) => ({ alert: params.message })),
    appendRow: assign(({ context }, params: { followup: Followup }) => ({
      rows: [...context.rows, rowOf(params.followup)],
      form: { ...BLANK_FORM, stageId: context.form.stageId },
    })),
    showToast: untold,
    reportFailure: unreported,
  },
  guards: {
    canSaveGroup: ({ context }, params: { stageId: string | null }) => canSaveGroup(context.rows, params.stageId),
    hasFailure: (_, params: { failure: unknown }) => params.failure !== null,
    isTooLarge: (_, params: { media: File | null }) => (params.media?.size ?? 0) > MEDIA_MAX_BYTES,
    isFormIncomplete: ({ context }) => !isFormComplete(context.form),
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
    orders: [],
    form: BLANK_FORM,
    alert: "",
  },
  type: "parallel",
  states: {
    list: {
      initial: "loading",
      on: { "followup.change": { actions: { type: "storeEdit", params: ({ event }) => event } } },
      states: {
        loading: {
          invoke: {
            id: "fetchBoard",
            src: "fetchBoard",
            onDone: { target: "ready", actions: { type: "storeBoard", params: ({ event }) => event.output } },
            onError: {
              target: "failed",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "follow-ups were not read", error: event.error }),
              },
            },
          },
        },
        failed: { on: { "list.reload": "loading" } },
        ready: {
          on: {
            "group.save": {
              guard: { type: "canSaveGroup", params: ({ event }) => event },
              target: "saving",
              actions: { type: "storeChanges", params: ({ event }) => event },
            },
            "followup.delete": { target: "deleting", actions: { type: "storeDeletion", params: ({ event }) => event } },
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
                  {
                    type: "reportFailure",
                    params: ({ event }) => ({ what: "follow-ups were not saved", error: event.output.failure }),
                  },
                ],
              },
              {
                target: "ready",
                actions: [
                  "announceGroup",
                  { type: "markSaved", params: ({ event }) => event.output },
                  { type: "showToast", params: { message: "Follow-up edited successfully." } },
                ],
              },
            ],
            onError: {
              target: "ready",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "follow-ups were not saved", error: event.error }),
              },
            },
          },
        },
        deleting: {
          invoke: {
            id: "deleteFollowup",
            src: "deleteFollowup",
            input: ({ context }) => ({ id: context.deletingId ?? "" }),
            onDone: {
              target: "renumbering",
              actions: ["dropRow", { type: "showToast", params: { message: "Follow-up deleted successfully." } }],
            },
            onError: {
              target: "ready",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "a follow-up was not deleted", error: event.error }),
              },
            },
          },
        },
        renumbering: {
          invoke: {
            id: "saveOrders",
            src: "saveOrders",
            input: ({ context }) => context.orders,
            onDone: "ready",
            onError: {
              target: "ready",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "follow-ups were not renumbered", error: event.error }),
              },
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
        alerting: {
          invoke: {
            id: "showAlert",
            src: "showAlert",
            input: ({ context }) => ({ message: context.alert }),
            onDone: "awaitingFollowup",
            onError: "awaitingFollowup",
          },
        },
        refusingMedia: {
          exit: { type: "storeForm", params: { change: { media: null } } },
          invoke: {
            id: "showAlert",
            src: "showAlert",
            input: { message: "File too large. Max 10MB allowed." },
            onDone: "awaitingFollowup",
            onError: "awaitingFollowup",
          },
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
                { type: "showToast", params: { message: "Follow-up added successfully." } },
              ],
            },
            onError: {
              target: "awaitingFollowup",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "a follow-up was not added", error: event.error }),
              },
            },
          },
        },
      },
    },
  },
});

export type FollowupsRef = ActorRefFrom<typeof followupsMachine>;
export type FollowupsSnapshot = SnapshotFrom<typeof followupsMachine>;
