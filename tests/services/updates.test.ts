import { beforeEach, describe, expect, it, vi } from "vitest";
import type { UiText } from "../../domain/ui-text.ts";
import { UPDATED_TEXT, WAITING_TEXT, createUpdates, type UpdatesDeps } from "../../src/services/updates.ts";

const FILE = "http://localhost/assets/stats-1.js";
const failed = new TypeError(`Failed to fetch dynamically imported module: ${FILE}`);
const OLD = '<script type="module" src="/assets/index-1.js"></script>';

/** A page of version 1. `served` is the page that the server has now; null when there is none. */
function setUp({
  served = OLD,
  fileStatus = 200,
  ...deps
}: { served?: string | null; fileStatus?: number } & Partial<UpdatesDeps> = {}) {
  const notices: UiText[] = [];
  const reload = vi.fn<() => void>();
  const requests: string[] = [];
  let time = 1_000_000;
  const updates = createUpdates({
    area: () => sessionStorage,
    notifier: { toast: (message) => void notices.push(message), warn: (message) => void notices.push(message) },
    isBusy: () => false,
    writesSettled: async () => {},
    logger: { warn: () => {} },
    now: () => time,
    reload,
    fetch: async (address) => {
      if (address !== "/") requests.push(address as string);
      if (served === null) throw new TypeError("Failed to fetch");
      return address === "/" ? new Response(served) : new Response(null, { status: fileStatus });
    },
    ...deps,
  });
  return { updates, notices, reload, requests, pass: (milliseconds: number) => (time += milliseconds) };
}

beforeEach(() => {
  document.head.innerHTML = OLD.replace("<script", '<script data-test="1"');
  return () => (document.head.innerHTML = "");
});

describe("a page whose code does not load", () => {
  it("reloads itself when the server has a newer page, or no longer has the file", async () => {
    const newer = setUp({ served: OLD.replace("-1", "-2") });
    expect(await newer.updates.recover(new TypeError("Importing a module script failed."))).toEqual("reloading");
    expect(newer.reload).toHaveBeenCalledOnce();
    sessionStorage.clear();
    const gone = setUp({ fileStatus: 404 });
    const outcomes = await Promise.all([gone.updates.recover(failed), gone.updates.recover(failed)]);
    expect(outcomes).toEqual(["reloading", "reloading"]);
    expect(gone.reload).toHaveBeenCalledOnce();
  });

  it("asks only for the files that the browser recorded as missing when the error names none", async () => {
    const resources = [
      { name: FILE, responseStatus: 404 },
      { name: "http://localhost/assets/board-1.js", responseStatus: 200 },
      { name: "http://localhost/api/leads/1", responseStatus: 404 },
    ];
    vi.spyOn(performance, "getEntriesByType").mockReturnValue(resources as PerformanceResourceTiming[]);
    const { updates, requests } = setUp({ fileStatus: 404 });
    expect(await updates.recover(new TypeError("Importing a module script failed."))).toEqual("reloading");
    expect(requests).toEqual([FILE]);
  });

  it("is not reloaded for optional code while the user is busy, and says so once", async () => {
    let isBusy = true;
    const { updates, reload, notices } = setUp({ fileStatus: 404, isBusy: () => isBusy });
    expect(await updates.recoverQuietly(failed)).toEqual("waiting");
    expect(await updates.recoverQuietly(failed)).toEqual("waiting");
    expect([notices, reload.mock.calls]).toEqual([[WAITING_TEXT], []]);
    isBusy = false;
    expect(await updates.recoverQuietly(failed)).toEqual("reloading");
  });

  it("reloads itself for a screen once writes in flight have settled", async () => {
    const writing = Promise.withResolvers<void>();
    const { updates, reload } = setUp({ fileStatus: 404, isBusy: () => true, writesSettled: () => writing.promise });
    const quiet = updates.recoverQuietly(failed);
    const wanted = updates.recover(failed);
    expect(await quiet).toEqual("waiting");
    await new Promise((resolve) => setTimeout(resolve));
    expect(reload.mock.calls).toEqual([]);
    writing.resolve();
    expect([await wanted, reload.mock.calls.length]).toEqual(["reloading", 1]);
  });

  it("does not reload when offline, or when the server fails", async () => {
    const offline = setUp({ served: null });
    expect(await offline.updates.recover(failed)).toEqual("unreachable");
    const trouble = setUp({ fileStatus: 503 });
    expect(await trouble.updates.recover(failed)).toEqual("unreachable");
    expect([offline.reload.mock.calls, trouble.reload.mock.calls]).toEqual([[], []]);
  });

  it("reloads itself without an update notice when the file is back", async () => {
    const { updates, reload, notices } = setUp();
    expect(await updates.recover(failed)).toEqual("reloading");
    expect(reload).toHaveBeenCalledOnce();
    updates.announceReload();
    expect(notices).toEqual([]);
  });

  it("reloads itself once, and again only after a minute", async () => {
    const { updates, reload, pass } = setUp({ fileStatus: 404 });
    expect(await updates.recover(failed)).toEqual("reloading");
    pass(59_000);
    expect(await updates.recover(failed)).toEqual("gone");
    pass(2_000);
    expect(await updates.recover(failed)).toEqual("reloading");
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it("never reloads itself when storage is unavailable", async () => {
    const { updates, reload, notices } = setUp({
      fileStatus: 404,
      area: () => {
        throw new DOMException("Forbidden", "SecurityError");
      },
    });
    expect(await updates.recover(failed)).toEqual("gone");
    updates.announceReload();
    expect([reload.mock.calls, notices]).toEqual([[], []]);
  });

  it("announces the reload once", async () => {
    await setUp({ fileStatus: 404 }).updates.recover(failed);
    const { updates, notices } = setUp();
    updates.announceReload();
    updates.announceReload();
    expect(notices).toEqual([UPDATED_TEXT]);
  });
});
