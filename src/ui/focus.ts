/** A ref that takes the focus when its element appears: the next step of a form. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus();

/** A ref that takes the focus only when the element that had it is gone. */
export function focusIfLost(element: HTMLElement | null): void {
  if (element !== null && (document.activeElement === null || document.activeElement === document.body))
    element.focus();
}
