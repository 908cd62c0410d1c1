import { msg } from "@lingui/core/runtime-macro";
import { failureOf, isOutcomeUnknown } from "../../../domain/problem.ts";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { createSignal } from "../../services/signal.ts";
import { type FailureText, type WritingPage, failureMessage } from "./writing.ts";

/** Undo of deletions, for as long as the page is open. */
export type Undoing<Item> = {
  /** Shows that something was deleted, with Undo. */
  offer: (id: string) => void;
  /** Calls back with each restored item, whichever chart deleted it; with null when a restore got no response. */
  onRestored: (listener: (item: Item | null) => void) => () => void;
};

type Texts = {
  deleted: UiTextOrString;
  restored: UiTextOrString;
  failed: FailureText;
  /** how long Undo is offered; by default as long as the notifier says */
  durationMs?: number;
};

/** Offers Undo by `restore`, also after the user leaves the screen. */
export function createUndoing<Item>(
  { notifier, logger }: WritingPage,
  restore: (input: { id: string }) => Promise<Item>,
  texts: Texts,
): Undoing<Item> {
  const { notify, listen } = createSignal<[item: Item | null]>();
  const undo = async (id: string) => {
    try {
      const item = await restore({ id });
      notify(item);
      notifier.toast(texts.restored);
    } catch (error) {
      logger.warn("an undo failed", error);
      // A 404 means that the restore period is over, which our text says more clearly than the server's.
      notifier.warn(failureOf(error).status === 404 ? texts.failed.refused : failureMessage(error, texts.failed));
      if (isOutcomeUnknown(error)) notify(null);
    }
  };
  return {
    offer: (id) =>
      notifier.toast(texts.deleted, {
        undo: { label: msg`Undo`, onPress: () => void undo(id) },
        ...(texts.durationMs === undefined ? {} : { durationMs: texts.durationMs }),
      }),
    onRestored: listen,
  };
}
