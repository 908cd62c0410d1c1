import { useEffect, useLayoutEffect } from "react";

/** `row` is the address that the row in the middle of the window leads to, `top` where that row begins in the window. */
type Place = { y: number; row: string | null; top: number };

/** How far down the screen was, by its address. */
const places = new Map<string, Place>();
const PLACES_MAX = 50;
/** The screen that keeps its place, while it is there. */
let shownPath: string | null = null;
let isReturning = false;

const here = () => window.location.pathname + window.location.search;
const rowOf = (element: Element | null | undefined) => element?.closest<HTMLElement>("tr") ?? null;
const topOf = (row: HTMLElement) => row.getBoundingClientRect().top;

function keep() {
  // A screen that is being filled anew has no place of its own yet.
  if (isReturning || window.location.pathname !== shownPath) return;
  const row = rowOf(document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2));
  places.delete(here());
  places.set(here(), {
    y: window.scrollY,
    row: row?.querySelector("a[href]")?.getAttribute("href") ?? null,
    top: row === null ? 0 : topOf(row),
  });
  for (const [oldest] of places) if (places.size > PLACES_MAX) places.delete(oldest);
}

/** Rows that were never in sight only have their height estimated: the row that was in the middle says more than pixels. */
function goBackTo({ y, row: address, top }: Place) {
  window.scrollTo(0, y);
  const row = address === null ? null : rowOf(document.querySelector(`main a[href="${CSS.escape(address)}"]`));
  if (row === null) return;
  const stand = () => window.scrollBy(0, topOf(row) - top);
  stand();
  // Rows that come into sight by it take their own heights with the next frame.
  requestAnimationFrame(() => requestAnimationFrame(stand));
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
    goBackTo(places.get(here()) ?? { y: 0, row: null, top: 0 });
  }, [isShown]);
}
