import { useEffect, useLayoutEffect } from "react";

/** How far down the screen was, by its address. */
const places = new Map<string, number>();
const KEPT = 50;
/** The screen that keeps its place, while it is there. */
let shownPath: string | null = null;
let isReturning = false;

const here = () => window.location.pathname + window.location.search;

function keep() {
  // A screen that is being filled anew has no place of its own yet.
  if (isReturning || window.location.pathname !== shownPath) return;
  places.delete(here());
  places.set(here(), window.scrollY);
  for (const [oldest] of places) if (places.size > KEPT) places.delete(oldest);
}

window.addEventListener("scroll", keep, { passive: true });
window.addEventListener("popstate", () => (isReturning = window.location.pathname !== shownPath), { capture: true });
// The router tells of every step forward.
window.addEventListener("pushState", () => (isReturning = false));

/** Once its content is shown, a screen that Back or Forward led to stands where it was left. */
export function useScrollPlace(isShown: boolean): void {
  useEffect(() => {
    shownPath = window.location.pathname;
    return () => {
      shownPath = null;
    };
  }, []);
  useLayoutEffect(() => {
    if (!isShown || !isReturning) return;
    isReturning = false;
    window.scrollTo(0, places.get(here()) ?? 0);
  }, [isShown]);
}
