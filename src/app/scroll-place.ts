import { useEffect, useLayoutEffect } from "react";

/** `row` is the address that the row in the middle of the window leads to, `top` where that row begins in the window. */
type Place = { y: number; row: string | null; top: number };

const places = new Map<string, Place>();
const PLACES_MAX = 50;
let shownPath: string | null = null;
let isReturning = false;

const here = () => window.location.pathname + window.location.search;
const rowOf = (element: Element | null | undefined) => element?.closest<HTMLElement>("tr") ?? null;
const topOf = (row: HTMLElement) => row.getBoundingClientRect().top;

function keep() {
  // A screen that is loading has no position yet.
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

/** Rows that were never visible have an estimated height, so the middle row is a better anchor than pixels. */
function goBackTo({ y, row: address, top }: Place) {
  window.scrollTo(0, y);
  const row = address === null ? null : rowOf(document.querySelector(`main a[href="${CSS.escape(address)}"]`));
  if (row === null) return;
  const stand = () => window.scrollBy(0, topOf(row) - top);
  stand();
  // Rows that become visible get their real heights in the next frame.
  requestAnimationFrame(() => requestAnimationFrame(stand));
}

window.addEventListener("scroll", keep, { passive: true });
window.addEventListener("popstate", () => (isReturning = window.location.pathname !== shownPath), { capture: true });
// The router calls this on every navigation forward.
window.addEventListener("pushState", () => (isReturning = false));

/** Restores the scroll position after Back or Forward, once the content is shown. */
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
