import { msg } from "@lingui/core/runtime-macro";
import { failureOf, isOutcomeUnknown } from "../../../domain/problem.ts";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { type FailureText, type WritingPage, failureMessage } from "./writing.ts";

/** Deletions that can be taken back, for as long as the page lives. */
export type Undoing<Item> = {
  /** Says that something was deleted, with Undo beside it. */
  offer: (id: string) => void;
  /** Tells of each thing that came back, whichever chart had deleted it; null where it may have come back without a response. */
  onRestored: (listener: (item: Item | null) => void) => () => void;
};

type Texts = {
  deleted: UiTextOrString;
  restored: UiTextOrString;
  failed: FailureText;
  /** how long Undo is offered; the notifier's usual time without it */
  durationMs?: number;
};

/** Deletions undone by `restore`, with the words for each end. An Undo works also after the screen was left. */
export function createUndoing<Item>(
  { notifier, logger }: WritingPage,
  restore: (input: { id: string }) => Promise<Item>,
  texts: Texts,
): Undoing<Item> {
  const listeners = new Set<(item: Item | null) => void>();
  const tellAll = (item: Item | null) => listeners.forEach((tell) => tell(item));
  const undo = async (id: string) => {
    try {
      const item = await restore({ id });
      tellAll(item);
      notifier.toast(texts.restored);
    } catch (error) {
      logger.warn("an undo failed", error);
      // What is gone for good is told in our own words.
      notifier.warn(failureOf(error).status === 404 ? texts.failed.refused : failureMessage(error, texts.failed));
      if (isOutcomeUnknown(error)) tellAll(null);
    }
  };
  return {
    offer: (id) =>
      notifier.toast(texts.deleted, {
        undo: { label: msg`Undo`, onPress: () => void undo(id) },
        ...(texts.durationMs === undefined ? {} : { durationMs: texts.durationMs }),
      }),
    onRestored(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
