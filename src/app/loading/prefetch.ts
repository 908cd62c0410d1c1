import { isGuarding } from "../../machines/leaving/leaving.machine.ts";
import { prefetch } from "../../services/prefetched.ts";
import type { Services } from "../services.ts";
import { type Screen, isInShell, isScreenPath, screens } from "./screens.ts";

/** Loads a screen's code when the pointer or the focus reaches its link. */
export function onIntent(path: string): void {
  if (isScreenPath(path)) void screens[path].code.load();
}

/** Requests what a screen reads first when its link is followed, unless unsaved changes may keep the user here. */
export function onFollow(services: Services, path: string): void {
  const screen: Screen | null = isScreenPath(path) ? screens[path] : null;
  const token = services.auth.accessToken();
  if (screen?.code.get().status !== "ready" || token === null || isGuarding(services.leaving)) return;
  for (const address of screen.firstReads?.(services) ?? []) prefetch(address, { Authorization: `Bearer ${token}` });
}

/** Nothing else loads for this long, so that the first screen is done on a slow machine too. */
const QUIET_MS = 3_000;

/** Not every browser reports idle time. */
const nextIdle = () =>
  new Promise<void>((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 100);
  });

/** Runs the work once the first screen is done and the browser is idle. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  let isCancelled = false;
  const timer = setTimeout(() => void nextIdle().then(() => isCancelled || work()), QUIET_MS);
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
}

/** On the leads list, paging and filtering come first. */
const LIST_PAUSE_MS = 4_000;

/** Loads the code of the screens in the shell one after another while the browser is idle; stops at a failure. */
export async function loadWhileIdle(
  all: readonly Pick<Screen, "audience" | "code">[],
  signal: AbortSignal,
): Promise<void> {
  if (window.location.pathname === "/leads") await new Promise((resolve) => setTimeout(resolve, LIST_PAUSE_MS));
  for (const screen of all.filter(isInShell)) {
    // oxlint-disable-next-line no-await-in-loop -- one at a time, so that a click waits for one file at most
    await nextIdle();
    if (signal.aborted || isSavingData()) return;
    // oxlint-disable-next-line no-await-in-loop -- the same
    if ((await screen.code.load()).status === "failed") return;
  }
}

const isSavingData = () =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
