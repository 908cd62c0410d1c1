/** From this width of the window on, the leads table has room for more columns than its own. */
const ROOMY = "(min-width: 1400px)";

export const hasRoom = (): boolean => window.matchMedia(ROOMY).matches;

/** Calls back when that changes; returns the way to stop. */
export function watchRoom(listener: () => void): () => void {
  const media = window.matchMedia(ROOMY);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}
