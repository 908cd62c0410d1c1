/** Why the page is back: the network is back, the machine woke up, or the tab became visible. Its data may be stale. */
export type Return = "online" | "awake" | "shown";

const TICK_MS = 5_000;
/** If a visible page's timer is later than this, the machine has slept. */
const SLEPT_MS = 20_000;

/** Reports every return of the page. Returns a function that unsubscribes. */
export function watchReturns(listener: (how: Return) => void): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  let lastTick = Date.now();
  const pass = (how: Return) => {
    lastTick = Date.now();
    if (document.visibilityState === "visible") listener(how);
  };
  window.addEventListener("online", () => listener("online"), { signal });
  document.addEventListener("visibilitychange", () => pass("shown"), { signal });
  const timer = setInterval(() => {
    if (Date.now() - lastTick > SLEPT_MS) pass("awake");
    lastTick = Date.now();
  }, TICK_MS);
  return () => {
    stopping.abort();
    clearInterval(timer);
  };
}

/** Runs the work while the page is active, and stops it while the browser freezes the page or keeps it in the back-forward cache. */
export function whileAlive(start: () => () => void): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  let stop: (() => void) | null = start();
  const rest = () => {
    stop?.();
    stop = null;
  };
  const goOn = () => (stop ??= start());
  window.addEventListener("pagehide", rest, { signal });
  document.addEventListener("freeze", rest, { signal });
  window.addEventListener("pageshow", goOn, { signal });
  document.addEventListener("resume", goOn, { signal });
  return () => {
    stopping.abort();
    rest();
  };
}
