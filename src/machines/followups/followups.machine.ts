import type { SnapshotFrom } from "xstate";
import { telling } from "../kit/asking.ts";
import { CURRENT_UNREAD } from "../kit/failed.ts";
import { withEvent, withOutput } from "../kit/payload.ts";
import { firstReading, shownReading } from "../kit/reading.ts";
import { reportFailure } from "../kit/reporting.ts";
import { ADDED, EDITED } from "./followups.actors.ts";
import { BLANK_FORM, newFollowupOf, renumberWithout } from "./followups.rows.ts";
import { type FollowupsContext, TAKEN, TOO_LARGE, followupsSetup } from "./followups.setup.ts";

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
    marks: {},
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
        "followup.change": { guard: withEvent("isListed"), actions: withEvent("storeEdit") },
        "followup.restored": { actions: withEvent("insertRow") },
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
                "followup.restored": { target: "refreshing", reenter: true, actions: withEvent("insertRow") },
              },
            },
          },
          on: {
            ...shown.on,
            "edits.restore": { actions: withEvent("restoreEdits") },
            "group.save": { guard: withEvent("canSaveGroup"), target: "saving", actions: withEvent("storeGroup") },
            "followup.choose": { guard: withEvent("isContested"), actions: withEvent("chooseVersion") },
            "followup.delete": {
              guard: withEvent("isListed"),
              target: "deleting",
              actions: withEvent("storeDeletion"),
            },
          },
        },
        saving: {
          entry: "storeChanges",
          invoke: {
            id: "saveChanges",
            src: "saveChanges",
            input: ({ context }) => context.changes,
            onDone: [
              { guard: withOutput("isStale"), target: "merging", actions: withOutput("markSaved") },
              {
                guard: withOutput("hasFailure"),
                target: "ready",
                actions: [
                  withOutput("markSaved"),
                  { type: "refuseChanges", params: ({ event }) => ({ error: event.output.failure }) },
                  reportFailure("follow-ups were not saved"),
                  "refresh",
                ],
              },
              {
                target: "ready",
                actions: ["announceGroup", withOutput("markSaved"), { type: "showToast", params: { message: EDITED } }],
              },
            ],
            onError: {
              target: "ready",
              actions: [withEvent("refuseChanges"), reportFailure("follow-ups were not saved"), "refresh"],
            },
          },
        },
        /** Something else was saved since: the rows are merged with it, and saved again where nothing is in conflict. */
        merging: {
          invoke: {
            id: "fetchCurrent",
            src: "fetchBoard",
            onDone: { target: "merged", actions: { type: "storeBoard", params: ({ event }) => event.output } },
            onError: {
              target: "ready",
              actions: [
                { type: "refuseChanges", params: { error: CURRENT_UNREAD } },
                reportFailure("follow-ups were not saved"),
                "refresh",
              ],
            },
          },
        },
        merged: {
          always: [
            { guard: "canSaveAgain", target: "saving" },
            { guard: "hasConflict", target: "ready", actions: "refuseConflict" },
            { target: "ready" },
          ],
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
              actions: [withEvent("refuseDeletion"), reportFailure("a follow-up was not deleted"), "refresh"],
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
            "form.change": { actions: withEvent("storeForm") },
            "media.choose": [
              { guard: withEvent("isTooLarge"), target: "refusingMedia", actions: withEvent("storeMedia") },
              { actions: withEvent("storeMedia") },
            ],
            "form.submit": [
              {
                guard: "isFormIncomplete",
                target: "alerting",
                actions: [
                  { type: "storeAlert", params: { message: "Please complete all fields before adding." } },
                  "markMissing",
                ],
              },
              {
                guard: "isOrderTaken",
                target: "alerting",
                actions: [{ type: "storeAlert", params: { message: TAKEN } }, "markOrder"],
              },
              { guard: "canAdd", target: "adding" },
            ],
          },
        },
        alerting: telling(alertOf, "awaitingFollowup"),
        refusingMedia: {
          ...telling({ message: TOO_LARGE }, "awaitingFollowup"),
          exit: [{ type: "storeForm", params: { change: { media: null } } }, "markMedia"],
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
              actions: [withEvent("refuseForm"), reportFailure("a follow-up was not added"), "refresh"],
            },
          },
        },
      },
    },
  },
});

export type FollowupsSnapshot = SnapshotFrom<typeof followupsMachine>;
