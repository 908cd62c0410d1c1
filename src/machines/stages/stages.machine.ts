import { type ActorRefFrom, type SnapshotFrom, assign, setup } from "xstate";
import { failureOf } from "../../../domain/problem.ts";
import type { Stage } from "../../../domain/stage.ts";
import { placeholderActors } from "./stages.actors.ts";
import {
  type StageEdit,
  type StageProblem,
  type StageRow,
  blankRow,
  findProblem,
  rowsOf,
  rowsToSave,
  swapWithNeighbour,
  toSave,
  withEdits,
} from "./stages.rows.ts";

type StagesContext = {
  rows: StageRow[];
  addedRows: number;
  /** The row whose name field takes the focus: the one added last. */
  focusedKey: string | null;
  /** Keys of the rows still to be saved, first to last. */
  queue: string[];
  deletingId: string | null;
  problem: StageProblem | null;
  alert: string;
  /** Why the server refused the last save, in its own words. */
  refusal: string | null;
};

const queuedRow = ({ rows, queue }: StagesContext): StageRow => {
  const row = rows.find((candidate) => candidate.key === queue[0]);
  if (!row) throw new Error("a row is queued while stages are saved");
  return row;
};

const unreported: (_: unknown, params: { what: string; error: unknown }) => void = () => {};

/**
 * The stages table. Rows are saved one by one in their order, so that a failure half-way leaves the saved ones saved
 * and a new one is never created twice.
 */
export const stagesMachine = setup({
  types: {
    context: {} as StagesContext,
    events: {} as
      | { type: "row.change"; key: string; change: StageEdit }
      | { type: "row.add" }
      | { type: "row.move"; key: string; step: -1 | 1 }
      | { type: "row.delete"; id: string }
      | { type: "stages.save" }
      | { type: "stages.reload" },
  },
  actors: placeholderActors,
  actions: {
    storeStages: assign((_, params: { stages: Stage[] }) => ({
      rows: rowsOf(params.stages),
      focusedKey: null,
      problem: null,
      refusal: null,
    })),
    storeEdit: assign(({ context }, params: { key: string; change: StageEdit }) => ({
      rows: context.rows.map((row) => (row.key === params.key ? { ...row, ...params.change } : row)),
      problem: null,
    })),
    addRow: assign(({ context }) => {
      const key = `new-${context.addedRows + 1}`;
      return {
        rows: [...context.rows, blankRow(context.rows, key)],
        addedRows: context.addedRows + 1,
        focusedKey: key,
      };
    }),
    moveRow: assign(({ context }, params: { key: string; step: -1 | 1 }) => ({
      rows: swapWithNeighbour(context.rows, params.key, params.step),
      focusedKey: null,
    })),
    storeProblem: assign(({ context }) => {
      const problem = findProblem(context.rows);
      return { problem, alert: problem?.message ?? "" };
    }),
    queueRows: assign(({ context }) => ({
      queue: rowsToSave(context.rows).map((row) => row.key),
      problem: null,
      refusal: null,
    })),
    markSaved: assign(({ context }, params: { id: string | null }) => ({
      rows: context.rows.map((row) =>
        row.key === context.queue[0] ? { ...row, id: params.id, saved: savedAs(row, params.id) } : row,
      ),
      queue: context.queue.slice(1),
    })),
    storeSaveFailure: assign((_, params: { error: unknown }) => ({
      queue: [],
      alert: "Failed to save stages",
      refusal: failureOf(params.error).message,
    })),
    storeDeleteFailure: assign((_, params: { error: unknown }) => ({
      alert: failureOf(params.error).message ?? "Failed to delete stage",
    })),
    storeDeletion: assign((_, params: { id: string }) => ({ deletingId: params.id })),
    dropRow: assign(({ context }) => ({ rows: context.rows.filter((row) => row.id !== context.deletingId) })),
    storeRenumbered: assign(({ context }, params: { stages: Stage[] }) => ({
      rows: withEdits(params.stages, context.rows),
    })),
    reportFailure: unreported,
  },
  guards: {
    hasProblem: ({ context }) => findProblem(context.rows) !== null,
    hasRowsToSave: ({ context }) => rowsToSave(context.rows).length > 0,
    hasMoreQueued: ({ context }) => context.queue.length > 1,
    isConfirmed: (_, params: { isConfirmed: boolean }) => params.isConfirmed,
  },
}).createMachine({
  id: "stages",
  context: {
    rows: [],
    addedRows: 0,
    focusedKey: null,
    queue: [],
    deletingId: null,
    problem: null,
    alert: "",
    refusal: null,
  },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        id: "fetchStages",
        src: "fetchStages",
        onDone: {
          target: "ready",
          actions: { type: "storeStages", params: ({ event }) => ({ stages: event.output }) },
        },
        onError: {
          target: "failed",
          actions: {
            type: "reportFailure",
            params: ({ event }) => ({ what: "stages were not read", error: event.error }),
          },
        },
      },
    },
    failed: { on: { "stages.reload": "loading" } },
    ready: {
      on: {
        "row.change": { actions: { type: "storeEdit", params: ({ event }) => event } },
        "row.add": { actions: "addRow" },
        "row.move": { actions: { type: "moveRow", params: ({ event }) => event } },
        "row.delete": { target: "confirmingDelete", actions: { type: "storeDeletion", params: ({ event }) => event } },
        "stages.save": [
          { guard: "hasProblem", target: "alerting", actions: "storeProblem" },
          { guard: "hasRowsToSave", target: "saving", actions: "queueRows" },
          { target: "announcing" },
        ],
      },
    },
    saving: {
      invoke: {
        id: "saveStage",
        src: "saveStage",
        input: ({ context }) => toSave(queuedRow(context)),
        onDone: [
          {
            guard: "hasMoreQueued",
            target: "saving",
            reenter: true,
            actions: { type: "markSaved", params: ({ event }) => event.output },
          },
          { target: "announcing", actions: { type: "markSaved", params: ({ event }) => event.output } },
        ],
        onError: {
          target: "alerting",
          actions: [
            { type: "storeSaveFailure", params: ({ event }) => event },
            { type: "reportFailure", params: ({ event }) => ({ what: "stages were not saved", error: event.error }) },
          ],
        },
      },
    },
    announcing: {
      invoke: {
        id: "showAlert",
        src: "showAlert",
        input: { message: "✅ Stages saved" },
        onDone: "loading",
        onError: "loading",
      },
    },
    confirmingDelete: {
      invoke: {
        id: "askConfirmation",
        src: "askConfirmation",
        input: { message: "Are you sure you want to delete this stage?" },
        onDone: [
          {
            guard: { type: "isConfirmed", params: ({ event }) => ({ isConfirmed: event.output }) },
            target: "deleting",
          },
          { target: "ready" },
        ],
        onError: "ready",
      },
    },
    deleting: {
      invoke: {
        id: "deleteStage",
        src: "deleteStage",
        input: ({ context }) => ({ id: context.deletingId ?? "" }),
        onDone: { target: "renumbering", actions: "dropRow" },
        onError: {
          target: "alerting",
          actions: [
            { type: "storeDeleteFailure", params: ({ event }) => event },
            { type: "reportFailure", params: ({ event }) => ({ what: "a stage was not deleted", error: event.error }) },
          ],
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
        onError: {
          target: "loading",
          actions: {
            type: "reportFailure",
            params: ({ event }) => ({ what: "stages were not renumbered", error: event.error }),
          },
        },
      },
    },
    alerting: {
      invoke: {
        id: "showAlert",
        src: "showAlert",
        input: ({ context }) => ({ message: context.alert }),
        onDone: "ready",
        onError: "ready",
      },
    },
  },
});

function savedAs(row: StageRow, id: string | null): Stage | null {
  if (id === null) return null;
  const { name, keywords, color, order } = toSave(row);
  return { id, name, keywords, color, order };
}

export type StagesRef = ActorRefFrom<typeof stagesMachine>;
export type StagesSnapshot = SnapshotFrom<typeof stagesMachine>;
