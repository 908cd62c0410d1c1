import type { ActorRefFrom, SnapshotFrom } from "xstate";
import { asking } from "../kit/asking.ts";
import { withEvent, withOutput } from "../kit/payload.ts";
import { failed, failureMessage } from "../kit/failed.ts";
import { reportFailure } from "../kit/reporting.ts";
import { BATCH_FAILED, STOP_FAILED, UNDO_FAILED } from "./selection.actors.ts";
import {
  type SelectionContext,
  askedBefore,
  exclusionQuestion,
  outcomeWords,
  rememberTold,
  selectionSetup,
  undoLeftOf,
} from "./selection.setup.ts";

type HasContext = { context: SelectionContext };

/**
 * Leads chosen in the list and what is done to them. One by one, over pages, or all that match: those are a query, which
 * the server freezes when the call arrives. Beside it stands the work: at most one at a time, and the newest can be taken
 * back for a while.
 */
export const selectionMachine = selectionSetup.createMachine({
  id: "selection",
  context: ({ input }) => ({
    shown: { ids: [], query: "", total: 0 },
    ids: [],
    anchor: null,
    isAll: false,
    asked: input?.remembered ? askedBefore(input.remembered) : null,
    job: input?.remembered ? { id: input.remembered.id, done: 0, total: null } : null,
    outcome: { changed: null, undoId: null },
    isUnanswered: false,
    isTold: input?.remembered?.isTold ?? false,
    isUndoing: input?.remembered?.isUndoing ?? false,
    problem: null,
  }),
  type: "parallel",
  states: {
    picked: {
      initial: "none",
      on: {
        "list.shown": [
          { guard: withEvent("isOtherList"), target: ".none", actions: withEvent("storeList") },
          { target: ".counting", actions: withEvent("storeList") },
        ],
        "lead.toggle": { target: ".counting", actions: withEvent("toggle") },
        "lead.extend": { target: ".counting", actions: withEvent("extend") },
        "page.toggle": [
          { guard: "isPageSelected", target: ".counting", actions: "unselectPage" },
          { guard: "hasPage", target: ".counting", actions: "selectPage" },
        ],
      },
      states: {
        counting: {
          always: [
            { guard: "isEmpty", target: "none" },
            { guard: "isPageSelected", target: "allOnPage" },
            { target: "some" },
          ],
        },
        none: {
          entry: "forget",
          on: { "selection.clear": { guard: "hasProblem", actions: "forgetProblem" } },
        },
        some: {
          on: { "matching.select": { guard: "areMoreMatching", target: "allMatching" }, "selection.clear": "none" },
        },
        allOnPage: {
          on: { "matching.select": { guard: "areMoreMatching", target: "allMatching" }, "selection.clear": "none" },
        },
        allMatching: {
          entry: ["meanAll", "selectPageAlone"],
          exit: "meanThese",
          on: {
            "selection.clear": "none",
            "list.shown": [
              { guard: withEvent("isOtherList"), target: "none", actions: withEvent("storeList") },
              { guard: withEvent("isNobodyLeft"), target: "none", actions: withEvent("storeList") },
              { actions: [withEvent("storeList"), "selectPageAlone"] },
            ],
          },
        },
      },
    },
    work: {
      initial: "remembering",
      invoke: { id: "watchJobs", src: "watchJobs", onError: { actions: reportFailure("jobs are not watched") } },
      states: {
        remembering: { always: [{ guard: "hasJob", target: "following" }, { target: "resting" }] },
        resting: {
          initial: "idle",
          on: {
            "batch.start": [
              { guard: "hasNobody" },
              { guard: withEvent("asksFirst"), target: "awaitingConfirmation", actions: withEvent("storeAsked") },
              { target: "acting", actions: withEvent("storeAsked") },
            ],
          },
          states: {
            idle: { entry: ["forgetOutcome", "forgetRemembered"] },
            undoable: {
              entry: { type: "remember", params: ({ context }) => rememberTold(context) },
              after: { undoTime: "idle" },
              on: { "batch.undo": { target: "#selection.work.undoing", actions: "beginUndo" } },
            },
          },
        },
        awaitingConfirmation: asking(
          ({ context }: HasContext) => ({ message: exclusionQuestion(context.asked?.count ?? 0) }),
          { yes: "acting", no: "resting" },
        ),
        acting: {
          invoke: {
            id: "startBatch",
            src: "startBatch",
            input: ({ context: { asked } }) => {
              if (asked === null) throw new Error("nothing was asked for");
              return asked;
            },
            onDone: [
              { guard: withOutput("isJob"), target: "following", actions: withOutput("storeAnswer") },
              { target: "ended", actions: withOutput("storeAnswer") },
            ],
            onError: {
              target: "resting",
              actions: [...failed(BATCH_FAILED, "many leads were not changed"), "readListAnew"],
            },
          },
        },
        following: {
          initial: "reading",
          exit: "forgetJob",
          states: {
            reading: {
              on: { "job.cancel": "cancelling" },
              invoke: {
                id: "readJob",
                src: "readJob",
                input: ({ context }) => ({ jobId: context.job?.id ?? "" }),
                onDone: [
                  { guard: withOutput("isEnded"), target: "#selection.work.ended", actions: withOutput("storeJob") },
                  {
                    guard: withOutput("isFailed"),
                    target: "#selection.work.ended",
                    actions: [
                      withOutput("storeJob"),
                      {
                        type: "storeJobProblem",
                        params: ({ event }) => ({ words: event.output.error ?? "It broke off before the end." }),
                      },
                    ],
                  },
                  { target: "waiting", actions: withOutput("storeJob") },
                ],
                onError: [
                  { guard: withEvent("isGone"), target: "#selection.work.resting" },
                  { target: "waiting", actions: reportFailure("how far a job is was not read") },
                ],
              },
            },
            waiting: {
              after: { jobPause: "reading" },
              on: { "job.changed": "reading", "job.cancel": "cancelling" },
            },
            cancelling: {
              invoke: {
                id: "cancelJob",
                src: "cancelJob",
                input: ({ context }) => ({ jobId: context.job?.id ?? "" }),
                onDone: "reading",
                onError: {
                  target: "waiting",
                  actions: [
                    {
                      type: "storeJobProblem",
                      params: ({ event }) => ({ words: failureMessage(event.error, STOP_FAILED) }),
                    },
                    reportFailure("a job was not stopped"),
                  ],
                },
              },
            },
          },
        },
        undoing: {
          invoke: {
            id: "undoBatch",
            src: "undoBatch",
            input: ({ context: { asked, outcome } }) => ({
              undoId: outcome.undoId ?? "",
              type: asked?.action.type ?? "hold",
              count: outcome.changed ?? 0,
              did: asked?.did ?? "changed",
            }),
            onDone: [
              { guard: withOutput("isJob"), target: "following", actions: withOutput("storeAnswer") },
              { target: "ended", actions: withOutput("storeAnswer") },
            ],
            onError: {
              target: "resting",
              actions: [...failed(UNDO_FAILED, "a change of many leads was not taken back"), "readListAnew"],
            },
          },
        },
        ended: {
          entry: ["readListAnew", "letExcludedGo"],
          always: [
            {
              guard: "canBeUndone",
              target: "#selection.work.resting.undoable",
              actions: {
                type: "offerUndo",
                params: ({ context }) => ({
                  words: outcomeWords(context),
                  undoId: context.outcome.undoId ?? "",
                  durationMs: undoLeftOf(context),
                }),
              },
            },
            { guard: "isTold", target: "resting" },
            {
              target: "resting",
              actions: { type: "tell", params: ({ context }) => ({ words: outcomeWords(context) }) },
            },
          ],
        },
      },
    },
  },
});

export type SelectionSnapshot = SnapshotFrom<typeof selectionMachine>;
export type SelectionRef = ActorRefFrom<typeof selectionMachine>;
