import { useEffect } from "react";
import { actionOfKey, type Actions, registerActions, registeredAction } from "../../commands/keyed.ts";

const TYPED_INTO = "input, textarea, select, [contenteditable], dialog[open] *";

/** Returns a key's character; on layouts without Latin letters, the one at its position on a Latin layout. */
function characterOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (key.length > 1 || /^[ -~]$/.test(key)) return key;
  if (shiftKey) return code === "Slash" ? "?" : key;
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key;
}

/** Registers the screen's actions for the palette and, if single keys are on, for their keys outside text fields. */
export function useShortcuts(actions: Actions, areOn: boolean): void {
  // Runs after each render, because the actions read the screen's state.
  useEffect(() => registerActions(actions));
  useEffect(() => {
    if (!areOn) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(TYPED_INTO) !== null) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const id = actionOfKey(characterOf(event));
      const act = id === null ? null : registeredAction(id);
      if (act === null) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [areOn]);
}
