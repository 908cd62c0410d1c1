import { fromPromise } from "xstate";
import { isOutcomeUnknown } from "../../../domain/problem.ts";
import { type Stage, sortStages } from "../../../domain/stage.ts";
import { notProvided } from "../kit/not-provided.ts";
import { type Notifier, alerting } from "../kit/speaking.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import { type FailureText, failureMessage } from "../kit/failed.ts";
import type { Undoing } from "../kit/undoing.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";
import { type DeletionEffects, type DeletionPlan, describeDeletion } from "./stages.deletion.ts";
import type { StageToSave } from "./stages.rows.ts";

export type StagesGateway = {
  list(signal?: AbortSignal): Promise<Stage[]>;
  /** Resolves to the new stage's id, or null when the server does not tell it. */
  create(input: Omit<StageToSave, "id">): Promise<{ id: string | null }>;
  update(input: StageToSave & { id: string }): Promise<void>;
  setOrder(input: { id: string; order: number }): Promise<void>;
  remove(input: { id: string }): Promise<void>;
  /** What deleting the stage touches. */
  readEffects(input: { id: string }, signal: AbortSignal): Promise<DeletionEffects>;
};

export type StagesDeps = WritingDeps & {
  stages: StagesGateway;
  undoing: Undoing<unknown>;
  notifier: Pick<Notifier, "alert" | "confirm">;
  /** Tells when the page comes back: what it shows may be old. */
  onReturn: (listener: () => void) => () => void;
  /** Takes what the server has taken out of what is kept over a reload, also when the screen was left meanwhile. */
  settleDraft: (saved: SaveOutcome["saved"]) => void;
};

/** A row on its way; `key` names it while it has no id yet. */
export type QueuedStage = { key: string; stage: StageToSave };
/** Which rows the server took, under which id, and why it stopped. */
export type SaveOutcome = { saved: { key: string; id: string | null }[]; failure: unknown };

export const SAVED = "✅ Stages saved";
export const NOT_SAVED = "Failed to save stages";
export const SAVE_FAILED: FailureText = {
  refused: `${NOT_SAVED}. What you typed is kept here: try again.`,
  unknown: "Some stages may have been saved. What you typed is kept here: try again.",
};
export const CONFLICT =
  "Some stages were changed in another tab or by another program. Choose which version to keep, then save again.";
export const DELETE_FAILED: FailureText = {
  refused: "Failed to delete stage",
  unknown: "The stage may have been deleted.",
};

export const placeholderActors = {
  fetchStages: notProvided<Stage[], void>("fetchStages"),
  saveStages: notProvided<SaveOutcome, QueuedStage[]>("saveStages"),
  deleteStage: notProvided<void, { id: string }>("deleteStage"),
  renumberStages: notProvided<Stage[], void>("renumberStages"),
  askConfirmation: notProvided<boolean, DeletionPlan>("askConfirmation"),
  showAlert: notProvided<void, { message: string }>("showAlert"),
  watchReturns: unwatched,
  watchRestored: unwatched,
};

/** The question is asked without figures that take longer. */
const EFFECTS_PATIENCE_MS = 2_000;

/** Whoever comes back in the middle of a save waits so long for its end: what is being created is not typed any more. */
const SAVE_PATIENCE_MS = 5_000;

export const createStagesActors = ({ stages, undoing, onReturn, settleDraft, ...page }: StagesDeps) => {
  let saving: Promise<unknown> | null = null;
  return {
    fetchStages: fromPromise<Stage[], void>(async ({ signal }) => {
      if (saving) await Promise.race([saving, new Promise((resolve) => setTimeout(resolve, SAVE_PATIENCE_MS))]);
      return stages.list(signal);
    }),
    saveStages: writing<SaveOutcome, QueuedStage[]>(
      page,
      (input) => {
        const work = saveAll(stages, input).then((outcome) => {
          settleDraft(outcome.saved);
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
          refused: "The remaining stages were not renumbered.",
          unknown: "The remaining stages may not have been renumbered.",
        },
      },
    ),
    askConfirmation: fromPromise<boolean, DeletionPlan>(async ({ input, signal }) => {
      const effects = await stages.readEffects(
        { id: input.stage?.id ?? "" },
        AbortSignal.any([signal, AbortSignal.timeout(EFFECTS_PATIENCE_MS)]),
      );
      return page.notifier.confirm(`${input.message}\n\n${describeDeletion(input, effects)}`, { signal });
    }),
    showAlert: alerting(page.notifier),
    watchReturns: watchingReturns(onReturn),
    watchRestored: watchingReturns((listener) => undoing.onRestored(listener)),
  };
};

/** Whether the list lacks the stage; false where the list cannot be read. */
const isGone = (stages: StagesGateway, id: string): Promise<boolean> =>
  stages.list().then(
    (listed) => !listed.some((stage) => stage.id === id),
    () => false,
  );

async function saveAll(stages: StagesGateway, queued: readonly QueuedStage[]): Promise<SaveOutcome> {
  const saved: SaveOutcome["saved"] = [];
  try {
    for (const { key, stage } of queued) saved.push({ key, id: await saveStage(stages, stage) });
  } catch (failure) {
    return { saved, failure };
  }
  return { saved, failure: null };
}

async function saveStage(stages: StagesGateway, { id, ...stage }: StageToSave): Promise<string | null> {
  if (id === null) return (await stages.create(stage)).id;
  await stages.update({ id, ...stage });
  return id;
}
