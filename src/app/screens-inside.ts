import type { ScreenPath } from "./routing.ts";

/**
 * The ways to the code of the screens inside the shell. They name dozens of files, which someone who logs in has no use for:
 * this comes beside the shell's code, and after the leads list.
 */
export const screensInside = {
  "/subscribe": () => import("./routes/subscribe.tsx"),
  "/dashboard": () => import("./routes/dashboard.tsx"),
  "/inbox": () => import("./routes/inbox.tsx"),
  "/board": () => import("./routes/board.tsx"),
  "/stages": () => import("./routes/stages.tsx"),
  "/followups": () => import("./routes/followups.tsx"),
  "/reminders": () => import("./routes/reminders.tsx"),
  "/snippets": () => import("./routes/snippets.tsx"),
  "/bulk-message": () => import("./routes/bulk-message.tsx"),
  "/activity": () => import("./routes/activity.tsx"),
  "/stats": () => import("./routes/stats.tsx"),
  "/settings": () => import("./routes/settings.tsx"),
  "/connect-telegram": () => import("./routes/connect-telegram.tsx"),
};

/** The ways to what stands on top of them. */
export const partsInside = {
  palette: () => import("./palette.tsx"),
  batch: () => import("./batch-place.tsx"),
  savedViews: () => import("./saved-view-links.tsx"),
};

/** In the order in which they are most likely wanted. */
const AHEAD: readonly ScreenPath[] = [
  "/leads",
  "/inbox",
  "/dashboard",
  "/stages",
  "/followups",
  "/stats",
  "/connect-telegram",
  "/bulk-message",
  "/reminders",
  "/snippets",
  "/settings",
  "/subscribe",
  "/activity",
  "/board",
];

/** On the list, what is done there comes first. */
const LIST_PEACE_MS = 4_000;

/** The rest after a gesture: its answer comes a while later, and is not to wait for the code of another screen. */
const REST_MS = 2_000;
const GESTURES = ["keydown", "pointerdown", "input"] as const;

/**
 * Loads the screens of the menu one after another while there is nothing else to do, so that a click finds them ready. Not for
 * somebody who spares bytes or whose line is slow, and no further than the first that fails.
 */
export async function loadInTurn(
  screens: Record<ScreenPath, { loadAhead: () => Promise<void>; get: () => { status: string } }>,
  signal: AbortSignal,
): Promise<void> {
  let touchedAt = Number.NEGATIVE_INFINITY;
  const touch = () => void (touchedAt = performance.now());
  for (const type of GESTURES) window.addEventListener(type, touch, { capture: true, passive: true, signal });
  if (window.location.pathname === "/leads") await pause(LIST_PEACE_MS);
  for (const path of AHEAD) {
    for (let rest = 0; (rest = touchedAt + REST_MS - performance.now()) > 0;) await pause(rest);
    await idle();
    if (signal.aborted || isSparing() || !navigator.onLine) return;
    await screens[path].loadAhead();
    if (screens[path].get().status === "failed") return;
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Not every browser tells when it is idle. */
const idle = () =>
  new Promise<void>((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 100);
  });

/** What a browser may tell of the line; not all of them do. */
type Line = { saveData?: boolean; effectiveType?: string };

function isSparing(): boolean {
  const { connection = {} } = navigator as Navigator & { connection?: Line };
  return connection.saveData === true || (connection.effectiveType ?? "4g") !== "4g";
}
