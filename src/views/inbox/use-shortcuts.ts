import { type RefObject, useEffect, useRef } from "react";
import { actionOfKey, type Actions, registerActions } from "../../commands/keyed.ts";

export type ShortcutVerbs = {
  /** Opens the previous (-1) or next (1) conversation. */
  onStep: (by: 1 | -1) => void;
  onReply: () => void;
  onStage: () => void;
  onDone: () => void;
  onNextWaiting: () => void;
  onHelp: () => void;
};

const TYPED_INTO = "input, textarea, select, [contenteditable], dialog[open] *";

/** Returns a key's character; on layouts without Latin letters, the one at its position on a Latin layout. */
function characterOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (key.length > 1 || /^[ -~]$/.test(key)) return key;
  if (shiftKey) return code === "Slash" ? "?" : key;
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key;
}

/** Handles single-key shortcuts outside of text fields, if they are on. */
export function useShortcuts(verbs: ShortcutVerbs, areOn: boolean): void {
  const latest = useRef(verbs);
  useEffect(() => {
    latest.current = verbs;
  });
  useEffect(() => registerActions(actionsOf(latest)), []);
  useEffect(() => {
    if (!areOn) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(TYPED_INTO) !== null) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const id = actionOfKey(characterOf(event));
      const done = id === null ? undefined : actionsOf(latest)[id];
      if (done === undefined) return;
      event.preventDefault();
      done();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [areOn]);
}

/** The inbox's actions for its keys and the palette. */
const actionsOf = (verbs: RefObject<ShortcutVerbs>): Actions => ({
  "inbox.next": () => verbs.current.onStep(1),
  "inbox.previous": () => verbs.current.onStep(-1),
  "inbox.reply": () => verbs.current.onReply(),
  "inbox.stage": () => verbs.current.onStage(),
  "inbox.done": () => verbs.current.onDone(),
  "inbox.waiting": () => verbs.current.onNextWaiting(),
  "sheet.open": () => verbs.current.onHelp(),
});
