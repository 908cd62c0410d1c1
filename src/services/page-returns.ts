/** How a page comes back: with the network, from sleep, or to the front. What it shows may be old. */
export type Return = "online" | "awake" | "shown";

const TICK_MS = 5_000;
/** A visible page's timer that is later than this has slept. */
const SLEPT_MS = 20_000;

/** Tells of every return of the page; gives the way to stop. */
export function watchReturns(tell: (how: Return) => void): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  let lastTick = Date.now();
  const pass = (how: Return) => {
    lastTick = Date.now();
    if (document.visibilityState === "visible") tell(how);
  };
  window.addEventListener("online", () => tell("online"), { signal });
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

/** Runs the work while the page lives, and stops it while the browser keeps the page aside (frozen, or left for another). */
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
