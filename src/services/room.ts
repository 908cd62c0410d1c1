/** From this window width on, the leads table has room for additional columns. */
const ROOMY = "(min-width: 1400px)";

export const hasRoom = (): boolean => window.matchMedia(ROOMY).matches;

/** Calls back when that changes. Returns a function that unsubscribes. */
export function watchRoom(listener: () => void): () => void {
  const media = window.matchMedia(ROOMY);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}
