import { useEffect, useRef } from "react";

export type ShortcutVerbs = {
  /** The conversation before (-1) or after (1) the one that is open. */
  onStep: (by: 1 | -1) => void;
  onReply: () => void;
  onStage: () => void;
  onNextWaiting: () => void;
  onHelp: () => void;
};

const TYPED_INTO = "input, textarea, select, [contenteditable], dialog[open] *";

/** One key each, wherever nothing is being typed, while the person has them switched on. */
export function useShortcuts(verbs: ShortcutVerbs, areOn: boolean): void {
  const latest = useRef(verbs);
  useEffect(() => {
    latest.current = verbs;
  });
  useEffect(() => {
    if (!areOn) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(TYPED_INTO) !== null) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const { onStep, onReply, onStage, onNextWaiting, onHelp } = latest.current;
      const act: Record<string, (() => void) | undefined> = {
        j: () => onStep(1),
        k: () => onStep(-1),
        r: onReply,
        s: onStage,
        e: onNextWaiting,
        "?": onHelp,
      };
      const done = act[event.key];
      if (done === undefined) return;
      event.preventDefault();
      done();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [areOn]);
}
