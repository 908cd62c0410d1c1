/** Whether the focused element is gone. */
export const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;

/** Takes the focus only if the focused element is gone. */
export function focusIfLost(element: HTMLElement | null): void {
  if (isFocusLost()) element?.focus();
}

const CONTROLS = "a[href], button, input, select, textarea";
export const isLive = (control: HTMLElement) => !control.matches(":disabled");
export const controlsIn = (row: Element | undefined): HTMLElement[] =>
  row === undefined ? [] : [...row.querySelectorAll<HTMLElement>(CONTROLS)];
export const controlsOf = (row: Element | undefined): HTMLElement[] => controlsIn(row).filter(isLive);

export const screenHeading = () => document.querySelector<HTMLElement>("main h1");

const focusHeading = () => screenHeading()?.focus({ preventScroll: true });

let lastFocused: HTMLElement | null = null;

/** Remembers which control outside dialogs was focused last. Returns a function that stops it. */
export function rememberFocus(): () => void {
  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && target.closest("dialog") === null) lastFocused = target;
  };
  document.addEventListener("focusin", onFocus);
  return () => document.removeEventListener("focusin", onFocus);
}

/** Returns the focused element, or the last one if it lost the focus because it is disabled or gone. */
export function focusedControl(): HTMLElement | null {
  const { activeElement } = document;
  if (!isFocusLost()) return activeElement instanceof HTMLElement ? activeElement : null;
  return lastFocused?.isConnected && isLive(lastFocused) ? null : lastFocused;
}

/**
 * Focuses a control again. One that is still disabled takes the focus as soon as it is enabled, unless the user focuses something else
 * before. The screen's heading takes it in place of one that is gone.
 */
export function returnFocus(control: HTMLElement): void {
  const observer = new MutationObserver(settle);
  const stop = () => {
    observer.disconnect();
    document.removeEventListener("focusin", stop);
  };
  function settle() {
    if (control.isConnected && !isLive(control)) return;
    stop();
    if (control.isConnected) control.focus({ preventScroll: true });
    else if (isFocusLost()) focusHeading();
  }
  observer.observe(document.body, { attributeFilter: ["disabled"], childList: true, subtree: true });
  document.addEventListener("focusin", stop);
  settle();
}

/** Returns a ref for an element that may be removed while focused. `prepare` runs before; the function it returns moves the focus. */
const passingFocus =
  (prepare: (element: HTMLElement) => () => void) =>
  (element: HTMLElement | null): (() => void) | void => {
    if (element === null) return undefined;
    return () => {
      if (!element.contains(document.activeElement)) return;
      const pass = prepare(element);
      queueMicrotask(() => isFocusLost() && pass());
    };
  };

const toSurroundings = (element: HTMLElement) => {
  const around: HTMLElement[] = [];
  for (let place = element.parentElement; place !== null && !place.matches("main, body"); place = place.parentElement)
    around.push(place);
  // A control that is hidden at this width cannot take the focus, so the next one does.
  const takes = (control: HTMLElement) => {
    control.focus({ preventScroll: true });
    return document.activeElement === control;
  };
  return () => {
    if (!around.some((place) => place.isConnected && controlsOf(place).some(takes))) focusHeading();
  };
};

/**
 * A ref for a control that is removed when pressed, or contains such controls. The lost focus moves to the first control of its
 * surroundings, or else to the screen's heading.
 */
export const passFocusOnRemoval = passingFocus(toSurroundings);

const rowBefore = (control: HTMLElement) =>
  [...document.querySelectorAll("li, tbody > tr")].findLast(
    (row) => (row.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  );

/**
 * A ref for a button below a list that adds rows to it, and is removed with the last ones. The lost focus moves to the first row that its
 * last press added, or else as in `passFocusOnRemoval`.
 */
export function passFocusToNewRow(button: HTMLElement | null) {
  let last: Element | undefined;
  for (const type of ["focus", "click"])
    button?.addEventListener(type, () => {
      last = rowBefore(button);
    });
  return passingFocus((element) => {
    const passOn = toSurroundings(element);
    return () => {
      const row = last?.nextElementSibling;
      if (!(row instanceof HTMLElement)) return passOn();
      row.tabIndex = -1;
      row.focus();
    };
  })(button);
}

/**
 * A ref for a control that is removed from a list row, alone or with the row. The lost focus moves to the row's first control; if the row
 * is removed too, the list handles it.
 */
export const passFocusInRow = passingFocus((element) => {
  const row = element.closest("li");
  return () => {
    if (row?.isConnected) controlsOf(row)[0]?.focus({ preventScroll: true });
  };
});

/** A ref for an element that is removed together with its surroundings: the lost focus moves to the screen's heading. */
export const passFocusToHeading = passingFocus(() => focusHeading);
