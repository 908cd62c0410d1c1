/** The place of an entry in this tab's history, which the browser does not tell; null where none was noted. */
function placeOf(state: unknown): number | null {
  const entry: unknown = typeof state === "object" && state !== null && "entry" in state ? state.entry : null;
  return typeof entry === "number" ? entry : null;
}

let current = placeOf(window.history.state) ?? 0;
let shown = new URL(window.location.href);
let lastSteps = 0;

/** Notes the place in the entry itself, where it survives a reload. The router hears of its own moves only. */
function note(place: number) {
  current = place;
  shown = new URL(window.location.href);
  const state: unknown = window.history.state;
  if (placeOf(state) !== place)
    History.prototype.replaceState.call(window.history, { ...(state as object | null), entry: place }, "");
}

/** A new entry without a place is a jump within the page, which a repeated one replaces; any other is older than this numbering. */
function stepsToUnplaced(): number {
  const { pathname, href } = window.location;
  if (href === shown.href) return 0;
  return pathname === shown.pathname ? 1 : -1;
}

note(current);
window.addEventListener("pushState", () => note(current + 1));
window.addEventListener("replaceState", () => note(current));
window.addEventListener("popstate", ({ state }) => {
  const place = placeOf(state) ?? current + stepsToUnplaced();
  lastSteps = place - current;
  note(place);
});

/** By how many entries the last Back or Forward moved; negative for Back. Listeners to "popstate" may read it. */
export const stepsOfLastMove = (): number => lastSteps;
