import type { ActorRefFrom, SnapshotFrom } from "xstate";
import { telling } from "../kit/asking.ts";
import { firstReading, shownReading } from "../kit/reading.ts";
import { reportFailure } from "../kit/reporting.ts";
import { ADDED, EDITED } from "./followups.actors.ts";
import { BLANK_FORM, newFollowupOf, renumberWithout } from "./followups.rows.ts";
import { type FollowupsContext, followupsSetup } from "./followups.setup.ts";

const alertOf = ({ context }: { context: FollowupsContext }) => ({ message: context.alert });

const boardReading = { src: "fetchBoard", store: "storeBoard", what: "the follow-ups" } as const;
const first = firstReading({ ...boardReading, shown: "ready" });
const shown = shownReading(boardReading);

/**
 * Follow-ups by stage, and the form of a new one. One change to the list at a time; the form works beside it. What other
 * tabs and programs have changed comes in when the page returns, and never under an edit.
 */
export const followupsMachine = followupsSetup.createMachine({
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
                actions: {
                  type: "storeForm",
                  params: ({ event }) => ({ change: { media: event.media, lostMedia: "" } }),
                },
              },
              {
                actions: {
                  type: "storeForm",
                  params: ({ event }) => ({ change: { media: event.media, lostMedia: "" } }),
                },
              },
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
