import { useEffect, useState, useCallback } from "react";

const TICK_MS = 30_000;

/** Returns a clock's time in milliseconds, updated every half minute. */
export function useNow(read: () => number = Date.now): number {
  const [now, setNow] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setNow(read()), TICK_MS);
    return () => clearInterval(timer);
  }, [read]);
  return now;
}

/** The element's content width in CSS pixels, kept up to date, and the ref to put on it; `fallback` until it is measured. */
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

/** Holds an edit of a known value. A new `key` discards it without remounting the controls, which keep the focus. */
export function useDraftOver<Value>(known: Value, key: string): [Value, (value: Value) => void] {
  const [draft, setDraft] = useState({ key, value: known });
  return [draft.key === key ? draft.value : known, (value) => setDraft({ key, value })];
}
