/** The part after `?` of one screen's address. */
export type ScreenAddress = {
  /** Without the question mark; empty when there is none. */
  read: () => string;
  /** Adds an entry to the history, unless the address says so already. */
  write: (search: string) => void;
  /** Replaces the entry that the person is at: Back does not lead to what it said. */
  correct: (search: string) => void;
  /** Calls back when the person goes back or forward, or follows a link, within the screen; returns the way to stop. */
  subscribe: (listener: () => void) => () => void;
};

/** wouter tells of its own moves by events of these names. */
const MOVES = ["popstate", "pushState", "replaceState"];

/** The address of the screen at `path`; while another screen is shown nothing is written or told. */
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
      const tell = () => {
        if (isHere()) listener();
      };
      for (const move of MOVES) window.addEventListener(move, tell);
      return () => {
        for (const move of MOVES) window.removeEventListener(move, tell);
      };
    },
  };
}
