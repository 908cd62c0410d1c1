const PATIENCE_MS = 5_000;

const textOf = (element: Element) => element.textContent?.trim() ?? "";
const FIELDS = "input, textarea, select";
/** Waits for something, such as the screen's first reading. */
const RESTING = ":disabled, [aria-disabled=true], [aria-busy=true]";

/** The control on the screen that is called so: a button, a tab or a link by its words, a field by its label. */
function controlOf(name: string): HTMLElement | null {
  const main = document.querySelector("main");
  const all = [...(main?.querySelectorAll<HTMLElement>(`button, a, [role=tab], ${FIELDS}`) ?? [])];
  return (
    all.find((element) => {
      if (element.closest("[hidden], [inert]") !== null || element.matches(RESTING)) return false;
      if (!element.matches(FIELDS)) return (element.ariaLabel ?? textOf(element)) === name;
      const labels = (element as HTMLInputElement).labels ?? [];
      return element.ariaLabel === name || [...labels].some((label) => textOf(label) === name);
    }) ?? null
  );
}

/**
 * Presses the control of this name once the screen at `path` shows it; a field gets the focus. What does not come within five seconds,
 * or rests for so long, is left alone: the person is on its screen then.
 */
export function showControl(path: string, name: string): void {
  const end = performance.now() + PATIENCE_MS;
  const look = () => {
    const control = window.location.pathname === path ? controlOf(name) : null;
    if (control === null) {
      if (performance.now() < end) setTimeout(look, 50);
      return;
    }
    control.focus();
    control.scrollIntoView({ block: "nearest" });
    if (!control.matches(FIELDS)) control.click();
  };
  setTimeout(look);
}
