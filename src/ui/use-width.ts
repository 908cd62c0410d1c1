import { useCallback, useState } from "react";

/** The element's content width in CSS pixels as it changes, and the ref to put on it; `fallback` until it is measured. */
export function useWidth(fallback: number): [width: number, ref: (element: HTMLElement | null) => (() => void) | void] {
  const [width, setWidth] = useState(fallback);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null || typeof ResizeObserver === "undefined") return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const measured = entry?.contentRect.width ?? 0;
      if (measured > 0) setWidth(measured);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [width, ref];
}
