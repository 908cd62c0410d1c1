/** From this window width on, the leads table has room for additional columns. */
const WIDE_QUERY = "(min-width: 1400px)";

export const isWideScreen = (): boolean => window.matchMedia(WIDE_QUERY).matches;

/** Calls back when that changes. Returns a function that unsubscribes. */
export function watchWideScreen(listener: () => void): () => void {
  const media = window.matchMedia(WIDE_QUERY);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}
