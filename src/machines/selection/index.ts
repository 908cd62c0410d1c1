import { failureMessage } from "../kit/failed.ts";
import { createReporter } from "../kit/reporting.ts";
import { UNDO_FAILED, type SelectionDeps, createSelectionActors, undoneWords } from "./selection.actors.ts";
import { type SelectionRef, selectionMachine } from "./selection.machine.ts";

/** Leads chosen in the list and what is done to them, over a gateway. */
export const createSelection = ({ onChanged, ...deps }: SelectionDeps) =>
  selectionMachine.provide({
    actors: createSelectionActors(deps),
    actions: {
      offerUndo({ self }, { words, undoId, durationMs }) {
        const chart = self as unknown as SelectionRef;
        const onPress = () => {
          const snapshot = chart.getSnapshot();
          const isItsOwn = snapshot.status === "active" && snapshot.context.outcome.undoId === undoId;
          if (isItsOwn && snapshot.can({ type: "batch.undo" })) chart.send({ type: "batch.undo" });
          else void undoLater(deps, undoId, onChanged);
        };
        deps.notifier.toast(words, { undo: { label: "Undo", onPress }, durationMs });
      },
      tell: (_, { words }) => deps.notifier.toast(words),
      readListAnew: onChanged,
      remember: (_, work) => deps.memory.write(work),
      forgetRemembered: () => deps.memory.clear(),
      reportFailure: createReporter(deps.logger),
    },
  });

/** The offer outlives the screen on which it was made. */
async function undoLater(
  { batch, notifier, logger }: Pick<SelectionDeps, "batch" | "notifier" | "logger">,
  undoId: string,
  onChanged: () => void,
): Promise<void> {
  try {
    notifier.toast(undoneWords(await batch.undo({ undoId })));
    onChanged();
  } catch (error) {
    logger.warn("a change of many leads was not taken back", error);
    notifier.warn(failureMessage(error, UNDO_FAILED));
    onChanged();
  }
}

export type { BatchGateway, BatchWhere, SelectionDeps } from "./selection.actors.ts";
export {
  SelectionActorProvider,
  SelectionProvider,
  useCanSelection,
  useSelection,
  useSelectionEvents,
} from "./selection.context.tsx";
export { type RememberedBatch, readBatch } from "./selection.memory.ts";
export { type SelectionRef, selectionMachine } from "./selection.machine.ts";
export * from "./selection.selectors.ts";
