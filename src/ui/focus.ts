import { type RefObject, useCallback, useEffect, useRef } from "react";

const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;

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

const CONTROLS = "a[href], button, input, select, textarea";
const isLive = (control: HTMLElement) => !control.matches(":disabled");
const controlsIn = (row: Element | undefined): HTMLElement[] =>
  row === undefined ? [] : [...row.querySelectorAll<HTMLElement>(CONTROLS)];
const controlsOf = (row: Element | undefined): HTMLElement[] => controlsIn(row).filter(isLive);

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

/**
 * A ref for a control that goes away when it is pressed, or holds such controls. Focus that is lost with it passes to
 * the first control of what stood around it, else to the screen's heading.
 */
export function handFocusOn(element: HTMLElement | null): (() => void) | void {
  if (element === null) return undefined;
  return () => {
    if (!element.contains(document.activeElement)) return;
    const around: HTMLElement[] = [];
    for (let place = element.parentElement; place !== null && !place.matches("main, body"); place = place.parentElement)
      around.push(place);
    queueMicrotask(() => {
      if (!isFocusLost()) return;
      // What is not shown at this width takes no focus: the next one then.
      const takes = (control: HTMLElement) => {
        control.focus({ preventScroll: true });
        return document.activeElement === control;
      };
      if (!around.some((place) => place.isConnected && controlsOf(place).some(takes)))
        screenHeading()?.focus({ preventScroll: true });
    });
  };
}

/** A ref for what goes away and leaves nothing of its kind around: focus that is lost with it passes to the screen's heading. */
export function handFocusToHeading(element: HTMLElement | null): (() => void) | void {
  if (element === null) return undefined;
  return () => {
    if (!element.contains(document.activeElement)) return;
    queueMicrotask(() => {
      if (isFocusLost()) screenHeading()?.focus({ preventScroll: true });
    });
  };
}

const screenHeading = () => document.querySelector<HTMLElement>("main h1");
