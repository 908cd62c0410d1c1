import { type RefObject, useEffect, useRef } from "react";

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
