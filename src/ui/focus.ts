import { type RefObject, useCallback, useEffect, useRef } from "react";
import { controlsIn, controlsOf, isFocusLost, isLive, screenHeading } from "./lost-focus.ts";

export { handFocusInRow, handFocusOn, handFocusToHeading } from "./lost-focus.ts";

/** A ref that takes the focus only when the element that had it is gone. */
export function focusIfLost(element: HTMLElement | null): void {
  if (isFocusLost()) element?.focus();
}

/**
 * A ref for the field of a step. It takes the focus when the step replaces the one that had it, and again when an
 * attempt has ended on it.
 */
export function useFocusBetween<Field extends HTMLElement>(isBusy: boolean): RefObject<Field | null> {
  const ref = useRef<Field>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    if (!isBusy && (wasBusy.current || isFocusLost())) ref.current?.focus();
    wasBusy.current = isBusy;
  }, [isBusy]);
  return ref;
}

/**
 * A ref for a control that comes back once something that stood in its place is over (`isAway` no longer): it takes the
 * focus that went with that.
 */
export function useReturningFocus(isAway: boolean): (control: HTMLElement | null) => void {
  const wasAway = useRef(false);
  useEffect(() => {
    wasAway.current = isAway;
  }, [isAway]);
  return useCallback((control) => {
    if (wasAway.current) focusIfLost(control);
  }, []);
}

/**
 * A ref for a list whose rows can go (`rows` selects them). Focus that is lost with a row passes to the control in the
 * same place of the row after it, else of the row before; when no row is left, to the screen's heading.
 */
export function useFocusKeeper(rows: string): (list: HTMLElement | null) => (() => void) | void {
  return useCallback(
    (list) => {
      if (list === null) return undefined;
      const rowsOf = () => [...list.querySelectorAll(rows)];
      let held: { row: Element; index: number; place: number } | null = null;
      const remember = ({ target }: FocusEvent) => {
        const all = rowsOf();
        const index = all.findIndex((row) => row.contains(target as Node));
        const row = all[index];
        // Others of the row may rest while it is asked about: they keep their places.
        held = row ? { row, index, place: controlsIn(row).indexOf(target as HTMLElement) } : null;
      };
      const pass = () => {
        if (held === null || held.row.isConnected || !isFocusLost()) return;
        const left = list.isConnected ? rowsOf() : [];
        const neighbour = left[held.index] ?? left.at(-1);
        const same = controlsIn(neighbour)[held.place];
        (same !== undefined && isLive(same) ? same : (controlsOf(neighbour).at(-1) ?? screenHeading()))?.focus();
      };
      const observer = new MutationObserver(pass);
      observer.observe(list, { childList: true, subtree: true });
      list.addEventListener("focusin", remember);
      return () => {
        observer.disconnect();
        list.removeEventListener("focusin", remember);
        // The last row may take the list with it.
        if (held !== null) queueMicrotask(pass);
      };
    },
    [rows],
  );
}
