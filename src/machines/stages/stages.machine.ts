import { type SnapshotFrom, assign, setup } from "xstate";
import { failureOf } from "../../../domain/problem.ts";
import type { Stage } from "../../../domain/stage.ts";
import type { Version } from "../kit/conflict.ts";
import { asking, isConfirmed, telling } from "../kit/asking.ts";
import { withEvent, withOutput } from "../kit/payload.ts";
import { type ReadingEvent, type ReadingTag, firstReading, shownReading } from "../kit/reading.ts";
import { CURRENT_UNREAD, failureMessage, isStale } from "../kit/failed.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import {
  CONFLICT,
  DELETE_FAILED,
  NOT_SAVED,
  SAVED,
  SAVE_FAILED,
  type SaveOutcome,
  placeholderActors,
} from "./stages.actors.ts";
import { planOf } from "./stages.deletion.ts";
import {
  type StageEdit,
  type StageProblem,
  type StageRow,
  blankRow,
  findProblem,
  newKey,
  refusedRow,
  rowAsSaved,
  rowsOf,
  rowsToSave,
  hasNeighbour,
  swapWithNeighbour,
  toSave,
  withChoice,
  withTyped,
} from "./stages.rows.ts";

type StagesContext = {
  rows: StageRow[];
  /** The row whose name field takes the focus: the one added last. */
  focusedKey: string | null;
  deletingId: string | null;
  problem: StageProblem | null;
  alert: string;
  /** Why the last save did not come about. */
  refusal: string | null;
  /** The stage that was not deleted, and why. */
  undeleted: { id: string; words: string } | null;
};

const stagesReading = { src: "fetchStages", what: "the stages" } as const;
const shown = shownReading({ ...stagesReading, store: "mergeStages" });
const alertOf = ({ context }: { context: StagesContext }) => ({ message: context.alert });

/**
 * The stages table. What other tabs and programs have changed comes in when the page returns, and never under an edit.
 * Rows are saved one by one in their order, also when the screen is left meanwhile; a failure half-way
 * leaves the saved ones saved, and a new one is never created twice.
 */
export const stagesMachine = setup({
  types: {
    context: {} as StagesContext,
    events: {} as
      | ReadingEvent
      /** What was typed before a reload. */
      | { type: "edits.restore"; rows: StageRow[] }
      | { type: "row.change"; key: string; change: StageEdit }
      | { type: "row.add" }
      | { type: "row.move"; key: string; step: -1 | 1 }
      | { type: "row.delete"; id: string }
      | { type: "row.choose"; key: string; version: Version }
      | { type: "stages.save" },
    tags: {} as ReadingTag,
  },
  actors: placeholderActors,
  actions: {
    storeStages: assign((_, stages: Stage[]) => ({
      rows: rowsOf(stages),
      focusedKey: null,
      problem: null,
      refusal: null,
      undeleted: null,
    })),
    mergeStages: assign(({ context }, stages: Stage[]) => ({ rows: withTyped(stages, context.rows) })),
    restoreEdits: assign(({ context }, params: { rows: StageRow[] }) => ({
      rows: withTyped(
        context.rows.flatMap((row) => row.saved ?? []),
        params.rows,
      ),
    })),
    storeEdit: assign(({ context }, params: { key: string; change: StageEdit }) => ({
      rows: context.rows.map((row) => (row.key === params.key ? { ...row, ...params.change } : row)),
      problem: null,
    })),
    addRow: assign(({ context }) => {
      const key = newKey(context.rows);
      return { rows: [...context.rows, blankRow(context.rows, key)], focusedKey: key };
    }),
    moveRow: assign(({ context }, params: { key: string; step: -1 | 1 }) => ({
      rows: swapWithNeighbour(context.rows, params.key, params.step),
      focusedKey: null,
    })),
    storeProblem: assign(({ context }) => {
      const problem = findProblem(context.rows);
      return { problem, alert: problem?.message ?? "" };
    }),
    chooseVersion: assign(({ context }, params: { key: string; version: Version }) => ({
      rows: withChoice(context.rows, params.key, params.version),
      problem: null,
    })),
    storeConflict: assign({ alert: CONFLICT }),
    forgetRefusal: assign({ problem: null, refusal: null, undeleted: null }),
    markSaved: assign(({ context }, params: { saved: SaveOutcome["saved"] }) => ({
      rows: context.rows.map((row) => {
        const taken = params.saved.find(({ key }) => key === row.key);
        return taken ? rowAsSaved(row, taken.id) : row;
      }),
    })),
    storeSaveFailure: assign(({ context }, { failure, saved }: SaveOutcome) => {
      const problem = refusedRow(rowsToSave(context.rows), { failure, saved });
      const words = failureMessage(failure, SAVE_FAILED);
      return { alert: NOT_SAVED, problem, refusal: problem === null ? words : null };
    }),
    storeDeleteFailure: assign(({ context }, params: { error: unknown }) => {
      const words = failureMessage(params.error, DELETE_FAILED);
      const alert = failureOf(params.error).message ?? DELETE_FAILED.refused;
      return { alert, undeleted: { id: context.deletingId ?? "", words } };
    }),
    storeDeletion: assign((_, params: { id: string }) => ({ deletingId: params.id, undeleted: null })),
    dropDeleted: assign(({ context }) => ({ rows: context.rows.filter(({ id }) => id !== context.deletingId) })),
    storeRenumbered: assign(({ context }, params: { stages: Stage[] }) => ({
      rows: withTyped(
        params.stages,
        context.rows.filter(({ id }) => id !== context.deletingId),
      ),
    })),
    reportFailure: unreported,
  },
  guards: {
    hasProblem: ({ context }) => findProblem(context.rows) !== null,
    hasRowsToSave: ({ context }) => rowsToSave(context.rows).length > 0,
    isContested: ({ context }, params: { key: string }) =>
      context.rows.some(({ key, conflict }) => key === params.key && conflict !== undefined),
    hasConflict: ({ context }) => context.rows.some(({ conflict }) => conflict !== undefined),
    isStale: (_, params: { failure: unknown }) => isStale(params.failure),
    hasFailure: (_, params: { failure: unknown }) => params.failure !== null,
    isListed: ({ context }, params: { key?: string; id?: string }) =>
      context.rows.some(({ key, id }) => key === params.key || (id !== null && id === params.id)),
    hasNeighbour: ({ context }, params: { key: string; step: -1 | 1 }) =>
      hasNeighbour(context.rows, params.key, params.step),
    isConfirmed,
  },
}).createMachine({
  id: "stages",
  context: { rows: [], focusedKey: null, deletingId: null, problem: null, alert: "", refusal: null, undeleted: null },
  invoke: [
    { id: "watchReturns", src: "watchReturns" },
    { id: "watchRestored", src: "watchRestored" },
  ],
  initial: "loading",
  states: {
    ...firstReading({ ...stagesReading, store: "storeStages", shown: "ready" }),
    ready: {
      ...shown,
      on: {
        ...shown.on,
        "edits.restore": { actions: withEvent("restoreEdits") },
        "row.change": {
          guard: { type: "isListed", params: ({ event: { key } }) => ({ key }) },
          actions: withEvent("storeEdit"),
        },
        "row.add": { actions: "addRow" },
        "row.move": { guard: withEvent("hasNeighbour"), actions: withEvent("moveRow") },
        "row.delete": {
          guard: { type: "isListed", params: ({ event: { id } }) => ({ id }) },
          target: "confirmingDelete",
          actions: withEvent("storeDeletion"),
        },
        "row.choose": { guard: withEvent("isContested"), actions: withEvent("chooseVersion") },
        "stages.save": [
          { guard: "hasConflict", target: "alerting", actions: "storeConflict" },
          { guard: "hasProblem", target: "alerting", actions: "storeProblem" },
          { guard: "hasRowsToSave", target: "saving", actions: "forgetRefusal" },
          { target: "announcing" },
        ],
      },
    },
    saving: {
      invoke: {
        id: "saveStages",
        src: "saveStages",
        input: ({ context }) => rowsToSave(context.rows).map((row) => ({ key: row.key, stage: toSave(row) })),
        onDone: [
          { guard: withOutput("isStale"), target: "merging", actions: withOutput("markSaved") },
          {
            guard: withOutput("hasFailure"),
            target: "alertingFailure",
            actions: [withOutput("markSaved"), withOutput("storeSaveFailure"), reportFailure("stages were not saved")],
          },
          { target: "announcing", actions: withOutput("markSaved") },
        ],
        onError: {
          target: "alertingFailure",
          actions: [
            { type: "storeSaveFailure", params: ({ event }) => ({ failure: event.error, saved: [] }) },
            reportFailure("stages were not saved"),
          ],
        },
      },
    },
    /** Something else was saved since: the rows are merged with it, and saved again where nothing is in conflict. */
    merging: {
      invoke: {
        id: "fetchCurrent",
        src: "fetchStages",
        onDone: { target: "merged", actions: { type: "mergeStages", params: ({ event }) => event.output } },
        onError: {
          target: "alertingFailure",
          actions: [
            { type: "storeSaveFailure", params: { failure: CURRENT_UNREAD, saved: [] } },
            reportFailure("stages were not saved"),
          ],
        },
      },
    },
    merged: {
      always: [
        { guard: "hasConflict", target: "alerting", actions: "storeConflict" },
        { guard: "hasProblem", target: "alerting", actions: "storeProblem" },
        { target: "saving" },
      ],
    },
    announcing: telling({ message: SAVED }, "loading"),
    confirmingDelete: asking(({ context }: { context: StagesContext }) => planOf(context.rows, context.deletingId), {
      yes: "deleting",
      no: "ready",
    }),
    deleting: {
      invoke: {
        id: "deleteStage",
        src: "deleteStage",
        input: ({ context }) => ({ id: context.deletingId ?? "" }),
        onDone: "renumbering",
        onError: {
          target: "alertingFailure",
          actions: [withEvent("storeDeleteFailure"), reportFailure("a stage was not deleted")],
        },
      },
    },
    renumbering: {
      invoke: {
        id: "renumberStages",
        src: "renumberStages",
        onDone: {
          target: "ready",
          actions: { type: "storeRenumbered", params: ({ event }) => ({ stages: event.output }) },
        },
        // What is being typed in other rows stays.
        onError: { target: "ready.refreshing", actions: ["dropDeleted", reportFailure("stages were not renumbered")] },
      },
    },
    alerting: telling(alertOf, "ready"),
    /** What was refused or not answered: the screen reads what holds now. */
    alertingFailure: telling(alertOf, "ready.refreshing"),
  },
});

export type StagesSnapshot = SnapshotFrom<typeof stagesMachine>;
