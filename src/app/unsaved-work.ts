import { useEffect } from "react";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import type { LeavingRef } from "../machines/leaving/leaving.machine.ts";

type Work = { question?: UiTextOrString };

/** Unsaved changes on the screen, oldest first; several parts may have some. */
const works = new WeakMap<LeavingRef, Set<Work>>();

function worksOf(leaving: LeavingRef): Set<Work> {
  const known = works.get(leaving) ?? new Set();
  works.set(leaving, known);
  return known;
}

type Options = {
  /** Called when the user leaves anyway. */
  onDiscarded?: () => void;
  /** Replaces the default question about unsaved changes. */
  question?: UiTextOrString;
};

/** Tells the guard whether leaving the view would lose unsaved work. */
export function useUnsavedWork(leaving: LeavingRef, isUnsaved: boolean, { onDiscarded, question }: Options = {}): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const all = worksOf(leaving);
    const work: Work = question === undefined ? {} : { question };
    const listening = leaving.on("work.discarded", () => {
      all.delete(work);
      onDiscarded?.();
    });
    all.add(work);
    leaving.send({ type: "work.unsaved", ...work });
    return () => {
      listening.unsubscribe();
      all.delete(work);
      leaving.send({ type: "work.saved" });
      // Other parts may still have unsaved changes.
      const [left] = all;
      if (left !== undefined) leaving.send({ type: "work.unsaved", ...left });
    };
  }, [leaving, isUnsaved, onDiscarded, question]);
}
