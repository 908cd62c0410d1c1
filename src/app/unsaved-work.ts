import { useEffect } from "react";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import type { LeavingRef } from "../machines/leaving/leaving.machine.ts";

type Work = { question?: UiTextOrString };

/** What would be lost on the screen, in the order in which it came: several of its parts may hold something. */
const works = new WeakMap<LeavingRef, Set<Work>>();

function worksOf(leaving: LeavingRef): Set<Work> {
  const known = works.get(leaving) ?? new Set();
  works.set(leaving, known);
  return known;
}

/**
 * Tells the guard, for as long as the view is there, whether leaving it would lose something. `onDiscarded` hears of a
 * person who left all the same; `question` is asked where leaving loses something else than changes.
 */
export function useUnsavedWork(
  leaving: LeavingRef,
  isUnsaved: boolean,
  onDiscarded: () => void,
  question?: UiTextOrString,
): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const all = worksOf(leaving);
    const work: Work = question === undefined ? {} : { question };
    const listening = leaving.on("work.discarded", () => {
      all.delete(work);
      onDiscarded();
    });
    all.add(work);
    leaving.send({ type: "work.unsaved", ...work });
    return () => {
      listening.unsubscribe();
      all.delete(work);
      leaving.send({ type: "work.saved" });
      // The guard stays for what else would be lost.
      const [left] = all;
      if (left !== undefined) leaving.send({ type: "work.unsaved", ...left });
    };
  }, [leaving, isUnsaved, onDiscarded, question]);
}
