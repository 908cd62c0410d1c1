import { type RefObject, useCallback, useEffect, useRef } from "react";
import { controlsIn, controlsOf, focusIfLost, isFocusLost, isLive, screenHeading } from "./lost-focus.ts";

/** A ref for a step's field. It takes the focus when the step replaces the previous one, and again after an attempt. */
export function useFocusBetween<Field extends HTMLElement>(isBusy: boolean): RefObject<Field | null> {
  const ref = useRef<Field>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    if (!isBusy && (wasBusy.current || isFocusLost())) ref.current?.focus();
    wasBusy.current = isBusy;
  }, [isBusy]);
  return ref;
}

/** A ref for a control that returns after a temporary replacement (`isAway` ends): it gets the focus back if the replacement had it. */
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
 * A ref for a list whose rows can be removed (`rows` selects them). Focus lost with a row moves to the same control of the next row, or
 * else of the previous row. If no row is left, it moves to the screen's heading.
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
        // Other controls of the row may be disabled while it waits for confirmation: their positions stay.
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
        // The list may be removed together with its last row.
        if (held !== null) queueMicrotask(pass);
      };
    },
    [rows],
  );
}
