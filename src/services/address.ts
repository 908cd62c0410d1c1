/** The query of one screen's address. */
export type ScreenAddress = {
  /** Without the question mark; empty when there is none. */
  read: () => string;
  /** Adds a history entry, unless the address is already the same. */
  write: (search: string) => void;
  /** Replaces the current history entry: Back does not return to the old address. */
  correct: (search: string) => void;
  /** Calls back on Back, Forward or a link within the screen. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void;
};

/** wouter announces its own navigations by events of these names. */
const MOVES = ["popstate", "pushState", "replaceState"];

/** The address of the screen at `path`. While another screen is shown, it neither writes nor notifies. */
export function createScreenAddress(path: string): ScreenAddress {
  const isHere = () => window.location.pathname.replace(/(.)\/+$/, "$1") === path;
  const read = () => (isHere() ? window.location.search.slice(1) : "");
  const addressOf = (search: string) => (search === "" ? path : `${path}?${search}`);
  return {
    read,
    write(search) {
      if (!isHere() || read() === search) return;
      window.history.pushState(window.history.state, "", addressOf(search));
    },
    correct(search) {
      if (isHere()) window.history.replaceState(window.history.state, "", addressOf(search));
    },
    subscribe(listener) {
      const notify = () => {
        if (isHere()) listener();
      };
      for (const move of MOVES) window.addEventListener(move, notify);
      return () => {
        for (const move of MOVES) window.removeEventListener(move, notify);
      };
    },
  };
}
