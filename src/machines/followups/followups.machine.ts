import { msg } from "@lingui/core/runtime-macro";
import type { SnapshotFrom } from "xstate";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { alertState } from "../kit/confirming.ts";
import { type Page, reportFailure } from "../kit/page.ts";
import { refreshable, refreshableLoad } from "../kit/refreshing.ts";
import { CURRENT_NOT_LOADED } from "../kit/writing.ts";
import { draftOf } from "./followups.draft.ts";
import { BLANK_FORM, isEdited, newFollowupOf, nextOrder, orderNote, renumberWithout } from "./followups.rows.ts";
import {
  ADDED,
  EDITED,
  type FollowupsContext,
  type FollowupsParts,
  TAKEN,
  TOO_LARGE,
  followupsSetup,
} from "./followups.setup.ts";

const alertOf = ({ context }: { context: FollowupsContext }) => ({ message: context.alert });

const boardReading = { src: "fetchBoard", store: "storeBoard", what: msg`the follow-ups` } as const;
const first = refreshableLoad({ ...boardReading, shown: "ready" });
const shown = refreshable(boardReading);

/**
 * The follow-ups of each stage, and the form for a new one. The list takes one change at a time; the form is independent of it. When the
 * page returns, changes from other tabs and programs replace what is shown, except edited fields.
 */
export const createFollowups = (page: Page, parts: FollowupsParts) =>
  followupsSetup(page, parts).createMachine({
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
          // A response on its way may be older than the restored follow-up.
          loading: {
            ...first.loading,
            on: { ...first.loading.on, "followup.restored": { target: "loading", reenter: true } },
          },
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
                  actions: [
                    "announceGroup",
                    withOutput("markSaved"),
                    { type: "showToast", params: { message: EDITED } },
                  ],
                },
              ],
              onError: {
                target: "ready",
                actions: [withEvent("refuseChanges"), reportFailure("follow-ups were not saved"), "refresh"],
              },
            },
          },
          /** Stale: merges the rows with the newer version, and saves again if there is no conflict. */
          merging: {
            invoke: {
              id: "fetchCurrent",
              src: "fetchBoard",
              onDone: { target: "merged", actions: withOutput("storeBoard") },
              onError: {
                target: "ready",
                actions: [
                  { type: "refuseChanges", params: { error: CURRENT_NOT_LOADED } },
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
                    { type: "storeAlert", params: { message: msg`Please complete all fields before adding.` } },
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
          alerting: alertState(alertOf, "awaitingFollowup"),
          refusingMedia: {
            ...alertState({ message: TOO_LARGE }, "awaitingFollowup"),
            exit: [{ type: "storeForm", params: { change: { media: null } } }, "markMedia"],
          },
          adding: {
            invoke: {
              id: "addFollowup",
              src: "addFollowup",
              input: ({ context }) => newFollowupOf(context.form, context.rows),
              onDone: {
                target: "awaitingFollowup",
                actions: [withOutput("appendRow"), { type: "showToast", params: { message: ADDED } }],
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

export const Followups = createChart<typeof createFollowups>("follow-ups");

type FollowupsSnapshot = SnapshotFrom<typeof createFollowups>;

/** What happens to an order that is out of range. */
export const selectOrderNote = (screen: FollowupsSnapshot) => orderNote(screen.context.form, screen.context.rows);

/** The default order of a new follow-up, counted from 1. */
export const selectNextOrder = (screen: FollowupsSnapshot) =>
  nextOrder(screen.context.rows, screen.context.form.stageId) + 1;

export const selectDeletingId = (screen: FollowupsSnapshot) =>
  screen.matches({ list: "deleting" }) ? screen.context.deletingId : null;

/** The state of a group: being saved, just saved, edited, or none of these. */
export const selectGroupState =
  (stageId: string | null) =>
  (screen: FollowupsSnapshot): "saving" | "saved" | "edited" | "resting" => {
    const isLast = screen.context.group?.stageId === stageId;
    if (isLast && (screen.matches({ list: "saving" }) || screen.matches({ list: "merging" }))) return "saving";
    if (screen.context.rows.some((row) => row.stageId === stageId && isEdited(row))) return "edited";
    return isLast && screen.context.group?.isSaved ? "saved" : "resting";
  };

/** Whether leaving would lose input; a save in flight is not lost. */
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

/** The unsaved edits to keep across a reload; null until the follow-ups have loaded. */
export const selectDraft = (screen: FollowupsSnapshot) =>
  screen.hasTag("loading") || screen.hasTag("loadFailed") ? null : draftOf(screen.context.rows);
