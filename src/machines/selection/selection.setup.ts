import { assign, setup } from "xstate";
import { failureOf, isOutcomeUnknown } from "../../../domain/problem.ts";
import { isConfirmed } from "../kit/asking.ts";
import { leadsText } from "../kit/format.ts";
import { type FailureText, failureMessage } from "../kit/failed.ts";
import { unreported } from "../kit/reporting.ts";
import {
  type Asked,
  type BatchAction,
  type BatchAnswer,
  type BatchJob,
  placeholderActors,
} from "./selection.actors.ts";
import type { RememberedBatch } from "./selection.memory.ts";

/** The list as it is shown: the leads of its page, the filters as one string, and how many match. */
export type ShownList = { ids: readonly string[]; query: string; total: number };
export type Job = { id: string; done: number; total: number | null };

export type SelectionContext = {
  shown: ShownList;
  /** Chosen one by one, over pages. */
  ids: readonly string[];
  /** The last one ticked: a range begins at it. */
  anchor: string | null;
  /** All that match are meant, whether the page shows them or not. */
  isAll: boolean;
  asked: Asked | null;
  job: Job | null;
  /** What happened last, until its end was told. */
  outcome: { changed: number | null; undoId: string | null; undoLeftMs?: number | null };
  /** No answer came to what was asked for: the same asked again goes under the same key. */
  isUnanswered: boolean;
  /** The end of what was found again after a reload was told before. */
  isTold: boolean;
  /** A step back is under way: it may be a job as well. */
  isUndoing: boolean;
  problem: string | null;
};

/** How long a step back is offered. */
const UNDO_MS = 30_000;

/** What is found again after a reload, as far as its end has to be told. */
export const askedBefore = ({ type, count, did }: RememberedBatch): Asked => ({
  where: { ids: [] },
  action: { type } as BatchAction,
  count,
  did,
  key: "",
});

const isSame = (before: Asked | null, { where, action }: Pick<Asked, "where" | "action">): boolean =>
  JSON.stringify([before?.where, before?.action]) === JSON.stringify([where, action]);

/** What is to be remembered of work that has come to its end and can be taken back. */
export const rememberTold = ({ asked, outcome }: SelectionContext): RememberedBatch => ({
  id: outcome.undoId ?? "",
  type: asked?.action.type ?? "hold",
  count: asked?.count ?? 0,
  did: asked?.did ?? "changed",
  isUndoing: false,
  isTold: true,
});

/** How much longer what was done can be taken back. */
export const undoLeftOf = ({ outcome }: Pick<SelectionContext, "outcome">): number => outcome.undoLeftMs ?? UNDO_MS;

const without = (ids: readonly string[], gone: readonly string[]) => ids.filter((id) => !gone.includes(id));
const together = (ids: readonly string[], more: readonly string[]) => [...new Set([...ids, ...more])];

/** From the anchor to the lead, both included, in the order of the page. */
function rangeOf({ shown, anchor }: SelectionContext, leadId: string): string[] {
  const [from, to] = [shown.ids.indexOf(anchor ?? leadId), shown.ids.indexOf(leadId)];
  if (to < 0) return [];
  return from < 0 ? [leadId] : shown.ids.slice(Math.min(from, to), Math.max(from, to) + 1);
}

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
      | { type: "batch.start"; action: BatchAction; did: string; key: string }
      | { type: "batch.undo" }
      | { type: "job.changed" }
      | { type: "job.cancel" },
  },
  actors: placeholderActors,
  actions: {
    storeList: assign((_, { list }: { list: ShownList }) => ({ shown: list })),
    forget: assign({ ids: [], anchor: null }),
    meanAll: assign({ isAll: true }),
    meanThese: assign({ isAll: false }),
    toggle: assign(({ context: { ids } }, { leadId }: { leadId: string }) => ({
      ids: ids.includes(leadId) ? without(ids, [leadId]) : [...ids, leadId],
      anchor: leadId,
    })),
    extend: assign(({ context }, { leadId }: { leadId: string }) => ({
      ids: together(context.ids, rangeOf(context, leadId)),
    })),
    selectPage: assign(({ context }) => ({ ids: together(context.ids, context.shown.ids) })),
    unselectPage: assign(({ context }) => ({ ids: without(context.ids, context.shown.ids) })),
    /** Out of all that match only those of the page are known by name. */
    selectPageAlone: assign(({ context }) => ({ ids: context.shown.ids })),
    storeAsked: assign(({ context }, { action, did, key }: Pick<Asked, "action" | "did" | "key">) => {
      const { ids, shown, isAll, asked, isUnanswered } = context;
      const request = { where: isAll ? { query: shown.query } : { ids }, action };
      const isRepeat = isUnanswered && isSame(asked, request);
      return {
        asked: { ...request, count: isAll ? shown.total : ids.length, did, key: isRepeat ? (asked?.key ?? key) : key },
        problem: null,
        isUndoing: false,
        isUnanswered: false,
        isTold: false,
      };
    }),
    beginUndo: assign({ isUndoing: true, problem: null, isTold: false }),
    storeAnswer: assign(({ context }, answer: BatchAnswer) =>
      "jobId" in answer
        ? { job: { id: answer.jobId, done: 0, total: context.isUndoing ? null : (context.asked?.count ?? null) } }
        : {
            outcome: { changed: answer.changed, undoId: context.isUndoing ? null : answer.undoId },
            problem: answer.error ?? null,
          },
    ),
    storeJob: assign(({ context: { job, isUndoing } }, { done, total, changed, undoId, undoLeftMs }: BatchJob) => ({
      job: job && { ...job, done, total: total ?? job.total },
      outcome: { changed, undoId: isUndoing ? null : undoId, undoLeftMs: undoLeftMs ?? null },
    })),
    forgetJob: assign({ job: null }),
    forgetOutcome: assign({ outcome: { changed: null, undoId: null } }),
    storeProblem: assign((_, { error, text }: { error: unknown; text: FailureText }) => ({
      problem: failureMessage(error, text),
      isUnanswered: isOutcomeUnknown(error),
    })),
    forgetProblem: assign({ problem: null }),
    storeJobProblem: assign((_, { words }: { words: string }) => ({ problem: words })),
    /** Tells what was done, with the step back beside it. */
    offerUndo: (_args, _params: { words: string; undoId: string; durationMs: number }) => {},
    tell: (_args, _params: { words: string }) => {},
    readListAnew: () => {},
    remember: (_args, _params: RememberedBatch) => {},
    forgetRemembered: () => {},
    reportFailure: unreported,
  },
  guards: {
    isOtherList: ({ context }, { list }: { list: ShownList }) => list.query !== context.shown.query,
    hasProblem: ({ context }) => context.problem !== null,
    isEmpty: ({ context }) => context.ids.length === 0,
    isPageSelected: ({ context: { ids, shown } }) => shown.ids.length > 0 && shown.ids.every((id) => ids.includes(id)),
    hasPage: ({ context }) => context.shown.ids.length > 0,
    areMoreMatching: ({ context: { ids, shown } }) => shown.total > ids.length,
    isNobodyLeft: (_, { list }: { list: ShownList }) => list.total === 0,
    hasNobody: ({ context }) => context.ids.length === 0,
    asksFirst: (_, { action }: { action: BatchAction }) => action.type === "exclude",
    isConfirmed,
    isJob: (_, answer: BatchAnswer) => "jobId" in answer,
    isEnded: (_, job: BatchJob) => job.status === "completed" || job.status === "cancelled",
    isFailed: (_, job: BatchJob) => job.status === "failed",
    canBeUndone: ({ context }) => context.outcome.undoId !== null,
    isTold: ({ context }) => context.isTold,
    hasJob: ({ context }) => context.job !== null,
    /** It is not known any more, or whoever asked for it is gone. */
    isGone: (_, { error }: { error: unknown }) => {
      const { status, code } = failureOf(error);
      return status === 404 || status === 401 || code === "signed_out";
    },
  },
  delays: { jobPause: 1_000, undoTime: ({ context }) => undoLeftOf(context) },
});

/** Who was excluded is in no list any more; who was ticked meanwhile stays ticked. */
const letExcludedGo = base.enqueueActions(({ context, enqueue }) => {
  const { asked, ids, shown, isAll, isUndoing, problem } = context;
  if (asked?.action.type !== "exclude" || isUndoing || problem !== null) return;
  if ("query" in asked.where) {
    // All of the list that is shown: whoever is ticked in it is one of them.
    if (asked.where.query === shown.query) enqueue.raise({ type: "selection.clear" });
  } else if (!isAll) {
    enqueue.assign({ ids: without(ids, asked.where.ids) });
    enqueue.raise({ type: "list.shown", list: shown });
  }
});

/** What the chart is made of. */
export const selectionSetup = base.extend({ actions: { letExcludedGo } });

/** What is asked before people are excluded, with what goes by it. */
export const exclusionQuestion = (count: number): string =>
  `${count === 1 ? "Is this person" : `Are these ${leadsText(count)}`} not ${count === 1 ? "a lead" : "leads at all"}?\n\n` +
  `${count === 1 ? "The conversation, notes, tags and fields of this person go" : "Their conversations, notes, tags and fields go"}, ` +
  "and nothing they write is stored from now on. You can undo it for 30 seconds. Restored later, under Settings, they start anew.";

/** `812 leads moved to Interested.` */
export function outcomeWords({ asked, outcome, isUndoing }: SelectionContext): string {
  const count = leadsText(outcome.changed ?? 0);
  return isUndoing ? `Taken back for ${count}.` : `${count} ${asked?.did ?? "changed"}.`;
}
