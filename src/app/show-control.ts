import type { ControlId } from "../commands/commands.ts";

const PATIENCE_MS = 5_000;

const FIELDS = "input, textarea, select";
/** Cannot be used yet, for example until the screen has loaded its data. */
const RESTING = ":disabled, [aria-disabled=true], [aria-busy=true]";

/** Returns the control with this `data-command` on the screen once it can be used. */
function controlOf(id: ControlId): HTMLElement | null {
  const all = [...document.querySelectorAll<HTMLElement>(`main [data-command="${id}"]`)];
  return all.find((element) => element.closest("[hidden], [inert]") === null && !element.matches(RESTING)) ?? null;
}

/**
 * Presses the control once the screen at `path` shows it; a field gets the focus. Gives up after five seconds: the user is on the
 * right screen by then.
 */
export function showControl(path: string, id: ControlId): void {
  const end = performance.now() + PATIENCE_MS;
  const look = () => {
    const control = window.location.pathname === path ? controlOf(id) : null;
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
