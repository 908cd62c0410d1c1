/** Whether the element that had the focus is gone. */
export const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;

const CONTROLS = "a[href], button, input, select, textarea";
export const isLive = (control: HTMLElement) => !control.matches(":disabled");
export const controlsIn = (row: Element | undefined): HTMLElement[] =>
  row === undefined ? [] : [...row.querySelectorAll<HTMLElement>(CONTROLS)];
export const controlsOf = (row: Element | undefined): HTMLElement[] => controlsIn(row).filter(isLive);

export const screenHeading = () => document.querySelector<HTMLElement>("main h1");

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

/**
 * A ref for a control of a list's row that goes away alone or with its row. Focus that is lost with it passes to the row's
 * first control; where the row goes too, it is left to the list.
 */
export function handFocusInRow(element: HTMLElement | null): (() => void) | void {
  if (element === null) return undefined;
  const row = element.closest("li");
  return () => {
    if (!element.contains(document.activeElement)) return;
    queueMicrotask(() => {
      if (row?.isConnected && isFocusLost()) controlsOf(row)[0]?.focus({ preventScroll: true });
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
