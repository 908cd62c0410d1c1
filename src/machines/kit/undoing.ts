import { failureOf } from "../../../domain/problem.ts";
import type { WritingDeps } from "./writing.ts";

/** Deletions that can be taken back, for as long as the page lives. */
export type Undoing<Item> = {
  /** Says that something was deleted, with Undo beside it. */
  offer: (id: string) => void;
  /** Tells of each thing that came back, whichever chart had deleted it. */
  onRestored: (listener: (item: Item) => void) => () => void;
};

type Told = {
  deleted: string;
  restored: string;
  failed: string;
  /** how long Undo is offered; the notifier's usual time without it */
  durationMs?: number;
};

/** Deletions undone by `restore`, with the words for each end. An Undo works also after the screen was left. */
export function createUndoing<Item>(
  { notifier, logger }: WritingDeps,
  restore: (input: { id: string }) => Promise<Item>,
  told: Told,
): Undoing<Item> {
  const listeners = new Set<(item: Item) => void>();
  const undo = async (id: string) => {
    try {
      const item = await restore({ id });
      listeners.forEach((tell) => tell(item));
      notifier.toast(told.restored);
    } catch (error) {
      logger.warn(told.failed, error);
      const { status, message } = failureOf(error);
      notifier.warn(status === 404 || message === null ? told.failed : message);
    }
  };
  return {
    offer: (id) =>
      notifier.toast(told.deleted, {
        undo: { label: "Undo", onPress: () => void undo(id) },
        ...(told.durationMs === undefined ? {} : { durationMs: told.durationMs }),
      }),
    onRestored(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
