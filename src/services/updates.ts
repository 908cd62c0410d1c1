import { msg } from "@lingui/core/runtime-macro";
import type { UiText } from "../../domain/ui-text.ts";
import type { Logger } from "./logger.ts";

/**
 * The outcome when code did not load: the page reloads, it waits for the user to reload, a reload has not helped, or the server is
 * unreachable.
 */
export type Verdict = "reloading" | "waiting" | "gone" | "unreachable";

export type Updates = {
  /** Finds out why code did not load; reloads the page once if that can help: after a deploy, or when the file is back. */
  recover: (error: unknown) => Promise<Verdict>;
  /** The same for code that no user waits for: it never interrupts the user. */
  recoverQuietly: (error: unknown) => Promise<Verdict>;
  /** Announces such a reload once. */
  announceReload: () => void;
};

export type UpdatesDeps = {
  /** The tab's own storage; naming it may throw. */
  area: () => Storage;
  notifier: { toast: (message: UiText) => void; warn: (message: UiText) => void };
  /** Whether the user is in the middle of something. */
  isBusy: () => boolean;
  /** Settles when no write is in flight, or after a time limit. */
  writesSettled: () => Promise<unknown>;
  logger: Logger;
  now: () => number;
  reload: () => void;
  fetch?: typeof fetch;
};

const KEY = "leadloom.updated";
/** After a reload, the page does not reload itself again for this long: another reload would not bring what is missing. */
const REST_MS = 60_000;
export const UPDATED_TEXT = msg`Leadloom was updated, so the page was reloaded. What you typed was kept.`;
export const WAITING_TEXT = msg`Leadloom was updated. Reload the page when you are done here.`;
const MISSED_TEXT = msg`A part of the page did not load. Reload the page when you are done here.`;

/** Recovers a page that is outdated by a deploy. Being offline is not a deploy. Cannot loop. */
export function createUpdates({
  area,
  notifier,
  isBusy,
  writesSettled,
  logger,
  now,
  reload,
  fetch: ask = (...call) => fetch(...call),
}: UpdatesDeps): Updates {
  let judging: Promise<Verdict> | null = null;
  let hasWarnedToWait = false;
  const lastReload = (): { at: number; isAnnounced: boolean } | null => {
    try {
      const stored: unknown = JSON.parse(area().getItem(KEY) ?? "null");
      return typeof stored === "object" && stored !== null && "at" in stored && typeof stored.at === "number"
        ? { at: stored.at, isAnnounced: "isAnnounced" in stored && stored.isAnnounced === true }
        : null;
    } catch {
      return null;
    }
  };
  /** False if storage does not survive a reload: the page must not reload itself then, because it could not detect a loop. */
  const keep = (reloaded: { at: number; isAnnounced: boolean }): boolean => {
    try {
      area().setItem(KEY, JSON.stringify(reloaded));
      return lastReload() !== null;
    } catch {
      return false;
    }
  };
  const judge = async (error: unknown, isQuiet: boolean): Promise<Verdict> => {
    const page = await pageOf(ask);
    if (page === null) return "unreachable";
    const isOld = ownScripts().some((script) => !page.includes(script));
    const statuses = isOld ? [] : await statusesOf(missingFiles(error), ask);
    const isUpdated = isOld || statuses.some((status) => status === 404 || status === 410);
    // The file exists but was unreachable a while ago, and browsers remember a failed import until a reload.
    if (!isUpdated && statuses.some((status) => status !== 200)) return "unreachable";
    if (isQuiet && isBusy()) {
      if (!hasWarnedToWait) notifier.warn(isUpdated ? WAITING_TEXT : MISSED_TEXT);
      hasWarnedToWait = true;
      return "waiting";
    }
    await writesSettled();
    const last = lastReload();
    const isCoolingDown = last !== null && Math.abs(now() - last.at) < REST_MS;
    if (isCoolingDown || !keep({ at: now(), isAnnounced: !isUpdated })) return "gone";
    logger.warn("code did not load, the page is reloaded", error);
    reload();
    return "reloading";
  };
  const recover = async (error: unknown, isQuiet: boolean): Promise<Verdict> => {
    judging ??= judge(error, isQuiet);
    try {
      return await judging;
    } finally {
      judging = null;
    }
  };
  return {
    async recover(error) {
      const verdict = await recover(error, false);
      // Callers from the same time do not wait.
      return verdict === "waiting" ? recover(error, false) : verdict;
    },
    recoverQuietly: (error) => recover(error, true),
    announceReload() {
      const last = lastReload();
      if (last === null || last.isAnnounced) return;
      keep({ ...last, isAnnounced: true });
      notifier.toast(UPDATED_TEXT);
    },
  };
}

/** The server's current page; null if it does not respond. */
const pageOf = (ask: typeof fetch): Promise<string | null> =>
  ask("/", { cache: "no-store", headers: { Accept: "text/html" } }).then(
    (answer) => (answer.ok ? answer.text() : null),
    () => null,
  );

const ownScripts = () =>
  [...document.querySelectorAll("script[type=module][src]")].map((script) => script.getAttribute("src") ?? "");

/** The addresses of a failed import: the browser names one in the error, or records 404 responses. */
function missingFiles(error: unknown): string[] {
  const named = error instanceof Error ? (/https?:\/\/\S+/.exec(error.message)?.[0] ?? null) : null;
  const noted = (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
    .filter(({ responseStatus, name }) => responseStatus === 404 && new URL(name).pathname.startsWith("/assets/"))
    .map(({ name }) => name);
  return [...new Set(named === null ? noted : [named, ...noted])];
}

/** The server's current status for each file; null without a response. */
const statusesOf = (files: readonly string[], ask: typeof fetch): Promise<(number | null)[]> =>
  Promise.all(
    files.map((file) =>
      ask(file, { method: "HEAD", cache: "no-store" }).then(
        ({ status }) => status,
        () => null,
      ),
    ),
  );
