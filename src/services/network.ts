/** Whether the browser has no network. */
export const isOffline = (): boolean => !navigator.onLine;

/** Calls back when that changes; returns the way to stop. */
export function watchNetwork(listener: () => void): () => void {
  const stopping = new AbortController();
  for (const type of ["online", "offline"]) window.addEventListener(type, listener, { signal: stopping.signal });
  return () => stopping.abort();
}
