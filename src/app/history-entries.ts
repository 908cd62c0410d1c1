/** Returns the position of an entry in this tab's history, which the browser does not offer; null if none was stored. */
function placeOf(state: unknown): number | null {
  const entry: unknown = typeof state === "object" && state !== null && "entry" in state ? state.entry : null;
  return typeof entry === "number" ? entry : null;
}

let current = placeOf(window.history.state) ?? 0;
let shown = new URL(window.location.href);
let lastSteps = 0;

/** Stores the position in the entry, where it survives a reload. Calls the browser's own method, so that the router does not react. */
function note(place: number) {
  current = place;
  shown = new URL(window.location.href);
  const state: unknown = window.history.state;
  if (placeOf(state) !== place)
    History.prototype.replaceState.call(window.history, { ...(state as object | null), entry: place }, "");
}

/** An entry without a position is either a new jump within the page, or older than this numbering. A repeated jump makes no new entry. */
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
