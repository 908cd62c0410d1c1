/** The query of one screen's address. */
export type ScreenAddress = ReturnType<typeof createScreenAddress>;

/** wouter announces its own navigations by events of these names. */
const MOVES = ["popstate", "pushState", "replaceState"];

/** Calls back on every navigation within the page. Returns a function that unsubscribes. */
export function watchMoves(listener: () => void): () => void {
  for (const move of MOVES) window.addEventListener(move, listener);
  return () => {
    for (const move of MOVES) window.removeEventListener(move, listener);
  };
}

/** The address of the screen at `path`. While another screen is shown, it neither writes nor notifies. */
export function createScreenAddress(path: string) {
  const isHere = () => window.location.pathname.replace(/(.)\/+$/, "$1") === path;
  const read = () => (isHere() ? window.location.search.slice(1) : "");
  const addressOf = (search: string) => (search === "" ? path : `${path}?${search}`);
  return {
    /** Without the question mark; empty when there is none. */
    read,
    /** Adds a history entry, unless the address is already the same. */
    write(search: string): void {
      if (!isHere() || read() === search) return;
      window.history.pushState(window.history.state, "", addressOf(search));
    },
    /** Replaces the current history entry: Back does not return to the old address. */
    correct(search: string): void {
      if (isHere()) window.history.replaceState(window.history.state, "", addressOf(search));
    },
    /** Calls back on Back, Forward or a link within the screen. Returns a function that unsubscribes. */
    subscribe: (listener: () => void) => watchMoves(() => isHere() && listener()),
  };
}
