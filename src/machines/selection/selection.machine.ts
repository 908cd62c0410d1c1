import { msg } from "@lingui/core/runtime-macro";
import { type ActorRefFrom, type SnapshotFrom, assign, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { failureOf, isOutcomeUnknown } from "../../../domain/problem.ts";
import type { BatchAction } from "../../../domain/batch.ts";
import type { BatchAnswer, BatchJob, BatchWhere, createBatchGateway } from "../../services/batch.ts";
import { warnBeforeUnload } from "../../services/browser.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { confirmState, confirming, isConfirmed } from "../kit/confirming.ts";
import { following } from "../bulk-job/bulk-job.following.ts";
import { fetching } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { watchingEvents } from "../kit/refreshing.ts";
import { type FailureText, failed, failureMessage, writeInBackground, writing } from "../kit/writing.ts";
import type { RememberedBatch } from "./selection.memory.ts";
import {
  BATCH_FAILED,
  STOP_FAILED,
  UNDO_FAILED,
  exclusionQuestion,
  outcomeMessage,
  undoneMessage,
} from "./selection.texts.ts";

export type { BatchAction, BatchWhere };

/** The requested action; `about` is the name of the stage or tag, or the day of a hold. Runs once per `key`. */
type RequestedBatch = { where: BatchWhere; action: BatchAction; count: number; about: string; key: string };
type UndoRequest = { undoId: string; type: BatchAction["type"]; count: number; about: string };

export type SelectionParts = {
  batch: ReturnType<typeof createBatchGateway>;
  /** Stores this user's batch across reloads. */
  memory: { write(work: RememberedBatch): void; clear(): void };
  /** Reloads the list. */
  onChanged: () => void;
  /** Asks for confirmation before the page is closed while a request is in flight. */
  hold?: (work: Promise<unknown>) => void;
};

/** The visible list: the leads of its page, the filters as one string, and the total. */
type ShownList = { ids: readonly string[]; query: string; total: number };
type Job = { id: string; done: number; total: number | null };

type SelectionContext = {
  shown: ShownList;
  /** Selected one by one, across pages. */
  ids: readonly string[];
  /** The lead selected last: a range starts at it. */
  anchor: string | null;
  /** All matches are selected, on every page. */
  isAll: boolean;
  requested: RequestedBatch | null;
  job: Job | null;
  /** The latest result, until it is announced. */
  outcome: { changed: number | null; undoId: string | null; undoLeftMs?: number | null };
  /** The request got no response: repeating it uses the same key. */
  isUnanswered: boolean;
  /** The result was announced before a reload. */
  isAnnounced: boolean;
  /** An undo is running, which may be a background job too. */
  isUndoing: boolean;
  problem: UiTextOrString | null;
};

/** How long Undo is offered. */
const UNDO_MS = 30_000;

/** Returns what must be announced of a batch after a reload. */
const requestedBefore = ({ type, count, about }: RememberedBatch): RequestedBatch => ({
  where: { ids: [] },
  action: { type } as BatchAction,
  count,
  about,
  key: "",
});

const isSame = (before: RequestedBatch | null, { where, action }: Pick<RequestedBatch, "where" | "action">): boolean =>
  JSON.stringify([before?.where, before?.action]) === JSON.stringify([where, action]);

/** Returns what to store of a finished batch that can be undone. */
const rememberAnnounced = ({ requested, outcome }: SelectionContext): RememberedBatch => ({
  id: outcome.undoId ?? "",
  type: requested?.action.type ?? "hold",
  count: requested?.count ?? 0,
  about: requested?.about ?? "",
  isUndoing: false,
  isAnnounced: true,
});

/** How much longer the action can be undone. */
const undoLeftOf = ({ outcome }: Pick<SelectionContext, "outcome">): number => outcome.undoLeftMs ?? UNDO_MS;

const without = (ids: readonly string[], gone: readonly string[]) => ids.filter((id) => !gone.includes(id));
const together = (ids: readonly string[], more: readonly string[]) => [...new Set([...ids, ...more])];

/** Returns the leads from the anchor to the lead, both included, in page order. */
function rangeOf({ shown, anchor }: SelectionContext, leadId: string): string[] {
  const [from, to] = [shown.ids.indexOf(anchor ?? leadId), shown.ids.indexOf(leadId)];
  if (to < 0) return [];
  return from < 0 ? [leadId] : shown.ids.slice(Math.min(from, to), Math.max(from, to) + 1);
}

type HasContext = { context: SelectionContext };

/** The undo offer outlives its screen. */
const undoLater = (page: Page, { batch, onChanged }: Pick<SelectionParts, "batch" | "onChanged">, undoId: string) =>
  writeInBackground(page, () => batch.undo({ undoId }), {
    done: undoneMessage,
    failed: UNDO_FAILED,
    what: "a batch change was not undone",
  }).then(onChanged);

/**
 * Leads chosen in the list, and the actions on them. The user picks leads one by one, across pages, or all that match; "all" is a query
 * that the server resolves when the request arrives. One action runs at a time, and the newest can be undone for a while.
 */
export const createSelection = (page: Page, { batch, memory, onChanged, hold = warnBeforeUnload }: SelectionParts) => {
  const base = setup({
    types: {
      input: {} as { remembered: RememberedBatch | null } | undefined,
      context: {} as SelectionContext,
      events: {} as
        | { type: "list.shown"; list: ShownList }
        | { type: "lead.toggle"; leadId: string }
        | { type: "lead.extend"; leadId: string }
        | { type: "page.toggle" }
        | { type: "matching.select" }
        | { type: "selection.clear" }
        | { type: "batch.start"; action: BatchAction; about: string; key: string }
        | { type: "batch.undo" }
        | { type: "job.changed" }
        | { type: "job.cancel" },
    },
    actors: {
      askConfirmation: confirming(page.notifier),
      startBatch: writing(
        page,
        async ({ where, action, key, count, about }: RequestedBatch): Promise<BatchAnswer> => {
          const work = batch.start({ where, action, key });
          hold(work);
          const answer = await work;
          // The batch exists now, even if the user has left the screen.
          const id = "jobId" in answer ? answer.jobId : answer.undoId;
          if (id !== null) memory.write({ id, type: action.type, count, about, isUndoing: false, isAnnounced: false });
          return answer;
        },
        { failed: BATCH_FAILED },
      ),
      readJob: fetching(batch.readJob),
      cancelJob: writing(page, batch.cancelJob, { failed: STOP_FAILED }),
      undoBatch: writing(
        page,
        async ({ undoId, type, count, about }: UndoRequest): Promise<BatchAnswer> => {
          const work = batch.undo({ undoId });
          hold(work);
          const answer = await work;
          if ("jobId" in answer)
            memory.write({ id: answer.jobId, type, count, about, isUndoing: true, isAnnounced: false });
          return answer;
        },
        { done: undoneMessage, failed: UNDO_FAILED },
      ),
      watchJobs: watchingEvents(page.events, ["batch.changed"], "job.changed"),
    },
    actions: {
      storeList: assign((_, { list }: { list: ShownList }) => ({ shown: list })),
      forget: assign({ ids: [], anchor: null }),
      selectAllMatching: assign({ isAll: true }),
      selectThese: assign({ isAll: false }),
      toggle: assign(({ context: { ids } }, { leadId }: { leadId: string }) => ({
        ids: ids.includes(leadId) ? without(ids, [leadId]) : [...ids, leadId],
        anchor: leadId,
      })),
      extend: assign(({ context }, { leadId }: { leadId: string }) => ({
        ids: together(context.ids, rangeOf(context, leadId)),
      })),
      selectPage: assign(({ context }) => ({ ids: together(context.ids, context.shown.ids) })),
      unselectPage: assign(({ context }) => ({ ids: without(context.ids, context.shown.ids) })),
      /** Of all matches only those of the page are known by id. */
      selectPageAlone: assign(({ context }) => ({ ids: context.shown.ids })),
      storeRequested: assign(
        ({ context }, { action, about, key }: Pick<RequestedBatch, "action" | "about" | "key">) => {
          const { ids, shown, isAll, requested, isUnanswered } = context;
          const request = { where: isAll ? { query: shown.query } : { ids }, action };
          const isRepeat = isUnanswered && isSame(requested, request);
          return {
            requested: {
              ...request,
              count: isAll ? shown.total : ids.length,
              about,
              key: isRepeat ? (requested?.key ?? key) : key,
            },
            problem: null,
            isUndoing: false,
            isUnanswered: false,
            isAnnounced: false,
          };
        },
      ),
      beginUndo: assign({ isUndoing: true, problem: null, isAnnounced: false }),
      storeAnswer: assign(({ context }, answer: BatchAnswer) =>
        "jobId" in answer
          ? { job: { id: answer.jobId, done: 0, total: context.isUndoing ? null : (context.requested?.count ?? null) } }
          : {
              outcome: { changed: answer.changed, undoId: context.isUndoing ? null : answer.undoId },
              problem: answer.error ?? null,
            },
      ),
      storeJob: assign(({ context: { job, isUndoing } }, { done, total, changed, undoId, undoLeftMs }: BatchJob) => ({
        job: job && { ...job, done, total },
        outcome: { changed, undoId: isUndoing ? null : undoId, undoLeftMs: undoLeftMs ?? null },
      })),
      forgetJob: assign({ job: null }),
      forgetOutcome: assign({ outcome: { changed: null, undoId: null } }),
      storeProblem: assign((_, { error, text }: { error: unknown; text: FailureText }) => ({
        problem: failureMessage(error, text),
        isUnanswered: isOutcomeUnknown(error),
      })),
      forgetProblem: assign({ problem: null }),
      storeJobProblem: assign((_, { message }: { message: UiTextOrString }) => ({ problem: message })),
      /** Announces the result, with Undo. */
      offerUndo(
        { self },
        { message, undoId, durationMs }: { message: UiTextOrString; undoId: string; durationMs: number },
      ) {
        const chart = self as unknown as SelectionRef;
        const onPress = () => {
          const snapshot = chart.getSnapshot();
          const isItsOwn = snapshot.status === "active" && snapshot.context.outcome.undoId === undoId;
          if (isItsOwn && snapshot.can({ type: "batch.undo" })) chart.send({ type: "batch.undo" });
          else void undoLater(page, { batch, onChanged }, undoId);
        };
        page.notifier.toast(message, { undo: { label: msg`Undo`, onPress }, durationMs });
      },
      announceOutcome: (_, { message }: { message: UiTextOrString }) => page.notifier.toast(message),
      reloadList: onChanged,
      remember: (_, work: RememberedBatch) => memory.write(work),
      forgetRemembered: () => memory.clear(),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isOtherList: ({ context }, { list }: { list: ShownList }) => list.query !== context.shown.query,
      hasProblem: ({ context }) => context.problem !== null,
      isEmpty: ({ context }) => context.ids.length === 0,
      isPageSelected: ({ context: { ids, shown } }) =>
        shown.ids.length > 0 && shown.ids.every((id) => ids.includes(id)),
      hasPage: ({ context }) => context.shown.ids.length > 0,
      areMoreMatching: ({ context: { ids, shown } }) => shown.total > ids.length,
      isListEmpty: (_, { list }: { list: ShownList }) => list.total === 0,
      asksFirst: (_, { action }: { action: BatchAction }) => action.type === "exclude",
      isConfirmed,
      isJob: (_, answer: BatchAnswer) => "jobId" in answer,
      isGoingOn: (_, job: BatchJob) => job.status === "in_progress",
      isFailed: (_, job: BatchJob) => job.status === "failed",
      canBeUndone: ({ context }) => context.outcome.undoId !== null,
      isAnnounced: ({ context }) => context.isAnnounced,
      hasJob: ({ context }) => context.job !== null,
      /** The batch is unknown to the server, or its user has signed out. */
      isGone: (_, { error }: { error: unknown }) => {
        const { status, code } = failureOf(error);
        return status === 404 || status === 401 || code === "signed_out";
      },
    },
    delays: { pollPause: 1_000, undoTime: ({ context }) => undoLeftOf(context) },
  });

  /** Removes excluded leads from the selection; leads selected in the meantime stay. */
  const removeExcluded = base.enqueueActions(({ context, enqueue }) => {
    const { requested, ids, shown, isAll, isUndoing, problem } = context;
    if (requested?.action.type !== "exclude" || isUndoing || problem !== null) return;
    if ("query" in requested.where) {
      // The whole list was excluded, so all selected leads were.
      if (requested.where.query === shown.query) enqueue.raise({ type: "selection.clear" });
    } else if (!isAll) {
      enqueue.assign({ ids: without(ids, requested.where.ids) });
      enqueue.raise({ type: "list.shown", list: shown });
    }
  });

  return base.extend({ actions: { removeExcluded } }).createMachine({
    id: "selection",
    context: ({ input }) => ({
      shown: { ids: [], query: "", total: 0 },
      ids: [],
      anchor: null,
      isAll: false,
      requested: input?.remembered ? requestedBefore(input.remembered) : null,
      job: input?.remembered ? { id: input.remembered.id, done: 0, total: null } : null,
      outcome: { changed: null, undoId: null },
      isUnanswered: false,
      isAnnounced: input?.remembered?.isAnnounced ?? false,
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
            entry: ["selectAllMatching", "selectPageAlone"],
            exit: "selectThese",
            on: {
              "selection.clear": "none",
              "list.shown": [
                { guard: withEvent("isOtherList"), target: "none", actions: withEvent("storeList") },
                { guard: withEvent("isListEmpty"), target: "none", actions: withEvent("storeList") },
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
          remembering: { always: [{ guard: "hasJob", target: "following.running.reading" }, { target: "resting" }] },
          resting: {
            initial: "idle",
            on: {
              "batch.start": [
                { guard: "isEmpty" },
                { guard: withEvent("asksFirst"), target: "awaitingConfirmation", actions: withEvent("storeRequested") },
                { target: "acting", actions: withEvent("storeRequested") },
              ],
            },
            states: {
              idle: { entry: ["forgetOutcome", "forgetRemembered"] },
              undoable: {
                entry: { type: "remember", params: ({ context }) => rememberAnnounced(context) },
                after: { undoTime: "idle" },
                on: { "batch.undo": { target: "#selection.work.undoing", actions: "beginUndo" } },
              },
            },
          },
          awaitingConfirmation: confirmState(
            ({ context }: HasContext) => ({ message: exclusionQuestion(context.requested?.count ?? 0) }),
            { yes: "acting", no: "resting" },
          ),
          acting: {
            invoke: {
              id: "startBatch",
              src: "startBatch",
              input: ({ context: { requested } }) => {
                if (requested === null) throw new Error("no batch was started");
                return requested;
              },
              onDone: [
                { guard: withOutput("isJob"), target: "following.running.reading", actions: withOutput("storeAnswer") },
                { target: "ended", actions: withOutput("storeAnswer") },
              ],
              onError: {
                target: "resting",
                actions: [...failed(BATCH_FAILED, "many leads were not changed"), "reloadList"],
              },
            },
          },
          following: {
            initial: "running",
            exit: "forgetJob",
            states: following({
              read: "readJob",
              stop: "cancelJob",
              store: "storeJob",
              forget: "forgetProblem",
              waiting: { on: { "job.changed": "reading" } },
              input: ({ context }: HasContext) => ({ jobId: context.job?.id ?? "" }),
              ended: [
                {
                  guard: withOutput("isFailed"),
                  target: "#selection.work.ended",
                  actions: [
                    withOutput("storeJob"),
                    {
                      type: "storeJobProblem",
                      params: ({ event }: { event: { output: BatchJob } }) => ({
                        message: event.output.error ?? msg`It stopped before the end.`,
                      }),
                    },
                  ],
                },
                { target: "#selection.work.ended", actions: withOutput("storeJob") },
              ],
              loadFailed: [
                { guard: withEvent("isGone"), target: "#selection.work.resting" },
                { target: "waiting", actions: reportFailure("how far a job is was not read") },
              ],
              stopped: "running.reading",
              notStopped: {
                target: "running",
                actions: [
                  {
                    type: "storeJobProblem",
                    params: ({ event }: { event: { error: unknown } }) => ({
                      message: failureMessage(event.error, STOP_FAILED),
                    }),
                  },
                  reportFailure("a job was not stopped"),
                ],
              },
            }),
          },
          undoing: {
            invoke: {
              id: "undoBatch",
              src: "undoBatch",
              input: ({ context: { requested, outcome } }) => ({
                undoId: outcome.undoId ?? "",
                type: requested?.action.type ?? "hold",
                count: outcome.changed ?? 0,
                about: requested?.about ?? "",
              }),
              onDone: [
                { guard: withOutput("isJob"), target: "following.running.reading", actions: withOutput("storeAnswer") },
                { target: "ended", actions: withOutput("storeAnswer") },
              ],
              onError: {
                target: "resting",
                actions: [...failed(UNDO_FAILED, "a batch change was not undone"), "reloadList"],
              },
            },
          },
          ended: {
            entry: ["reloadList", "removeExcluded"],
            always: [
              {
                guard: "canBeUndone",
                target: "#selection.work.resting.undoable",
                actions: {
                  type: "offerUndo",
                  params: ({ context }) => ({
                    message: outcomeMessage(context),
                    undoId: context.outcome.undoId ?? "",
                    durationMs: undoLeftOf(context),
                  }),
                },
              },
              { guard: "isAnnounced", target: "resting" },
              {
                target: "resting",
                actions: { type: "announceOutcome", params: ({ context }) => ({ message: outcomeMessage(context) }) },
              },
            ],
          },
        },
      },
    },
  });
};

export const Selection = createChart<typeof createSelection>("selection");
export type SelectionRef = ActorRefFrom<typeof createSelection>;
type SelectionSnapshot = SnapshotFrom<typeof createSelection>;

export const selectCount = ({ context: { isAll, ids, shown } }: SelectionSnapshot) =>
  isAll ? shown.total : ids.length;

/** Whether all, some or none of the page's leads are selected. */
export const selectPageMark = (chart: SelectionSnapshot): "all" | "some" | "none" => {
  if (chart.matches({ picked: "allOnPage" }) || chart.context.isAll) return "all";
  const { ids, shown } = chart.context;
  return shown.ids.some((id) => ids.includes(id)) ? "some" : "none";
};

export const selectIsBusy = (chart: SelectionSnapshot) => !chart.matches({ work: "resting" });
