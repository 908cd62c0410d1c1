import { msg } from "@lingui/core/runtime-macro";
import { type SnapshotFrom, assign, fromPromise, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { failureOf, isOutcomeUnknown } from "../../../domain/problem.ts";
import { type Stage, sortStages } from "../../../domain/stage.ts";
import { createStagesGateway } from "../../services/stages.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { alerting, confirmState, isConfirmed, alertState } from "../kit/confirming.ts";
import { type ReadingEvent, type ReadingTag, fetching } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { refreshable, refreshableLoad, watchingReturns } from "../kit/refreshing.ts";
import { type Undoing, createUndoing } from "../kit/undo.ts";
import {
  CURRENT_NOT_LOADED,
  type FailureText,
  type Version,
  failureMessage,
  isStale,
  writing,
} from "../kit/writing.ts";
import { type DeletionPlan, deletionQuestion, planOf } from "./stages.deletion.ts";
import { draftOf, settleDraft } from "./stages.draft.ts";
import { type QueuedStage, type SaveOutcome, isGone, saveAll } from "./stages.saving.ts";
import {
  type StageEdit,
  type StageProblem,
  type StageRow,
  blankRow,
  findProblem,
  isEdited,
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

export type StagesParts = {
  stages?: ReturnType<typeof createStagesGateway>;
  undoing?: Undoing<unknown>;
};

const SAVED = msg`✅ Stages saved`;
const NOT_SAVED = msg`Failed to save stages`;
const SAVE_FAILED: FailureText = {
  refused: msg`Failed to save stages. What you typed is kept here: try again.`,
  unknown: msg`Some stages may have been saved. What you typed is kept here: try again.`,
};
const CONFLICT = msg`Some stages were changed in another tab or by another program. Choose which version to keep, then save again.`;
const DELETE_FAILED: FailureText = {
  refused: msg`Failed to delete stage`,
  unknown: msg`The stage may have been deleted.`,
};

/** The confirmation does not wait longer for its figures. */
const EFFECTS_PATIENCE_MS = 2_000;

/** How long a screen opened during a save waits for its end, so that stages being created are not restored as drafts. */
const SAVE_PATIENCE_MS = 5_000;

const UNDO = {
  deleted: msg`Stage deleted.`,
  restored: msg`Stage restored.`,
  failed: { refused: msg`The stage was not restored.`, unknown: msg`The stage may have been restored.` },
  durationMs: 30_000,
};

type StagesContext = {
  rows: StageRow[];
  /** The row whose name field takes the focus: the one added last. */
  focusedKey: string | null;
  deletingId: string | null;
  problem: StageProblem | null;
  alert: UiTextOrString;
  /** Why the last save failed. */
  refusal: UiTextOrString | null;
  /** The stage whose deletion failed, and why. */
  undeleted: { id: string; message: UiTextOrString } | null;
};

const stagesReading = { src: "fetchStages", what: msg`the stages` } as const;
const shown = refreshable({ ...stagesReading, store: "mergeStages" });
const alertOf = ({ context }: { context: StagesContext }) => ({ message: context.alert });

/**
 * The stages table. Changes from other tabs and programs appear when the page returns, and never overwrite an edit. Rows are saved one by
 * one in order, even after the user leaves the screen. If a save fails halfway, the saved rows stay saved and a new stage is never
 * created twice.
 */
export const createStages = (
  page: Page,
  {
    stages = createStagesGateway(page.http),
    undoing = createUndoing<unknown>(page, stages.restore, UNDO),
  }: StagesParts = {},
) => {
  let saving: Promise<unknown> | null = null;
  return setup({
    types: {
      context: {} as StagesContext,
      events: {} as
        | ReadingEvent
        /** Edits from before a reload. */
        | { type: "edits.restore"; rows: StageRow[] }
        | { type: "row.change"; key: string; change: StageEdit }
        | { type: "row.add" }
        | { type: "row.move"; key: string; step: -1 | 1 }
        | { type: "row.delete"; id: string }
        | { type: "row.choose"; key: string; version: Version }
        | { type: "stages.save" },
      tags: {} as ReadingTag,
    },
    actors: {
      fetchStages: fetching(async (signal: AbortSignal) => {
        if (saving) await Promise.race([saving, new Promise((resolve) => setTimeout(resolve, SAVE_PATIENCE_MS))]);
        return stages.list(signal);
      }),
      saveStages: writing<SaveOutcome, QueuedStage[]>(
        page,
        (input) => {
          const work = saveAll(stages, input).then((outcome) => {
            settleDraft(page.drafts, outcome.saved);
            if (saving === work) saving = null;
            return outcome;
          });
          saving = work;
          return work;
        },
        {
          done: ({ failure }) => (failure === null ? SAVED : { failed: failureMessage(failure, SAVE_FAILED) }),
          failed: SAVE_FAILED,
        },
      ),
      deleteStage: writing<void, { id: string }>(
        page,
        async (input) => {
          try {
            await stages.remove(input);
          } catch (error) {
            if (!isOutcomeUnknown(error) || !(await isGone(stages, input.id))) throw error;
          }
          undoing.offer(input.id);
        },
        { failed: DELETE_FAILED },
      ),
      renumberStages: writing<Stage[], void>(
        page,
        async () => {
          const remaining = sortStages(await stages.list());
          for (const [index, { id }] of remaining.entries()) await stages.setOrder({ id, order: index + 1 });
          return remaining.map((stage, index) => ({ ...stage, order: index + 1 }));
        },
        {
          failed: {
            refused: msg`The remaining stages were not renumbered.`,
            unknown: msg`The remaining stages may not have been renumbered.`,
          },
        },
      ),
      askConfirmation: fromPromise<boolean, DeletionPlan>(async ({ input, signal }) => {
        const effects = await stages.readEffects(
          { id: input.stage?.id ?? "" },
          AbortSignal.any([signal, AbortSignal.timeout(EFFECTS_PATIENCE_MS)]),
        );
        return page.notifier.confirm(deletionQuestion(input, effects), { signal });
      }),
      showAlert: alerting(page.notifier),
      watchReturns: watchingReturns(),
      watchRestored: watchingReturns((listener) => undoing.onRestored(listener)),
    },
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
        const message = failureMessage(failure, SAVE_FAILED);
        return { alert: NOT_SAVED, problem, refusal: problem === null ? message : null };
      }),
      storeDeleteFailure: assign(({ context }, params: { error: unknown }) => {
        const message = failureMessage(params.error, DELETE_FAILED);
        const alert = failureOf(params.error).message ?? DELETE_FAILED.refused;
        return { alert, undeleted: { id: context.deletingId ?? "", message } };
      }),
      storeDeletion: assign((_, params: { id: string }) => ({ deletingId: params.id, undeleted: null })),
      dropDeleted: assign(({ context }) => ({ rows: context.rows.filter(({ id }) => id !== context.deletingId) })),
      storeRenumbered: assign(({ context }, stages: Stage[]) => ({
        rows: withTyped(
          stages,
          context.rows.filter(({ id }) => id !== context.deletingId),
        ),
      })),
      reportFailure: createReporter(page.logger),
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
      ...refreshableLoad({ ...stagesReading, store: "storeStages", shown: "ready" }),
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
              target: "alerting",
              actions: [
                withOutput("markSaved"),
                withOutput("storeSaveFailure"),
                reportFailure("stages were not saved"),
              ],
            },
            { target: "announcing", actions: withOutput("markSaved") },
          ],
          onError: {
            target: "alerting",
            actions: [
              { type: "storeSaveFailure", params: ({ event }) => ({ failure: event.error, saved: [] }) },
              reportFailure("stages were not saved"),
            ],
          },
        },
      },
      /** Stale: merges the rows with the newer version, and saves again if there is no conflict. */
      merging: {
        invoke: {
          id: "fetchCurrent",
          src: "fetchStages",
          onDone: { target: "merged", actions: withOutput("mergeStages") },
          onError: {
            target: "alerting",
            actions: [
              { type: "storeSaveFailure", params: { failure: CURRENT_NOT_LOADED, saved: [] } },
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
      announcing: alertState({ message: SAVED }, "loading"),
      confirmingDelete: confirmState(
        ({ context }: { context: StagesContext }) => planOf(context.rows, context.deletingId),
        {
          yes: "deleting",
          no: "ready.refreshing",
        },
      ),
      deleting: {
        invoke: {
          id: "deleteStage",
          src: "deleteStage",
          input: ({ context }) => ({ id: context.deletingId ?? "" }),
          onDone: "renumbering",
          onError: {
            target: "alerting",
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
            actions: withOutput("storeRenumbered"),
          },
          // Edits in other rows stay.
          onError: {
            target: "ready.refreshing",
            actions: ["dropDeleted", reportFailure("stages were not renumbered")],
          },
        },
      },
      alerting: alertState(alertOf, "ready.refreshing"),
    },
  });
};

export const Stages = createChart<typeof createStages>("stages");
type StagesSnapshot = SnapshotFrom<typeof createStages>;

export const selectIsSaving = (stages: StagesSnapshot) => stages.matches("saving") || stages.matches("merging");

export const selectDeletingId = (stages: StagesSnapshot) =>
  stages.matches("deleting") || stages.matches("renumbering") ? stages.context.deletingId : null;

export const selectHasEdits = (stages: StagesSnapshot) => stages.context.rows.some(isEdited);

/** Whether leaving would lose input; a save in flight is not lost. */
export const selectIsUnsaved = (stages: StagesSnapshot) => !selectIsSaving(stages) && selectHasEdits(stages);

/** The unsaved edits to keep across a reload; null until the stages have loaded. */
export const selectDraft = (stages: StagesSnapshot) =>
  stages.hasTag("loading") || stages.hasTag("loadFailed") ? null : draftOf(stages.context.rows);
