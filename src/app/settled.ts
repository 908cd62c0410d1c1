/**
 * How long a screen has the browser to itself before anything is fetched that it does not show: its own calls, its first
 * pictures and what is first done on it come first, on a slow machine too.
 */
export const SETTLED_AFTER_MS = 3_000;
