import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Loaded } from "../../src/app/loading/loadable.tsx";
import { loadWhileIdle, whenIdle } from "../../src/app/loading/prefetch.ts";
import type { Services } from "../../src/app/services.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const AUDIENCES = ["anyone", "subscribed", "signedOut", "signedIn"] as const;

/** Starts loading one screen for each audience; the test settles the loading of its code. */
async function startLoading(connection?: { saveData: boolean }) {
  vi.stubGlobal("navigator", { connection });
  const loaded: string[] = [];
  const pending: ((status: "ready" | "failed") => void)[] = [];
  const screens = AUDIENCES.map((audience) => ({
    audience,
    code: {
      load: () =>
        new Promise<Loaded<{ services: Services }>>((resolve) => {
          loaded.push(audience);
          pending.push((status) => resolve({ status } as Loaded<{ services: Services }>));
        }),
      get: () => ({ status: "absent" }) as const,
      subscribe: () => () => {},
    },
  }));
  const leaving = new AbortController();
  const end = loadWhileIdle(screens, leaving.signal);
  await vi.advanceTimersByTimeAsync(100);
  const settle = async (status: "ready" | "failed") => {
    pending.shift()?.(status);
    await vi.advanceTimersByTimeAsync(100);
  };
  return { loaded, leaving, end, settle };
}

it("loads the screens of the shell one after another", async () => {
  const { loaded, settle, end } = await startLoading({ saveData: false });
  expect(loaded).toEqual(["subscribed"]);
  await settle("ready");
  expect(loaded).toEqual(["subscribed", "signedIn"]);
  await settle("ready");
  await end;
  expect(loaded).toEqual(["subscribed", "signedIn"]);
});

it("waits four seconds longer on the leads list", async () => {
  window.history.replaceState(null, "", "/leads");
  const { loaded } = await startLoading();
  await vi.advanceTimersByTimeAsync(3_800);
  expect(loaded).toEqual([]);
  await vi.advanceTimersByTimeAsync(300);
  expect(loaded).toEqual(["subscribed"]);
  window.history.replaceState(null, "", "/");
});

it("loads none when saving data; stops on a failure and outside of the shell", async () => {
  expect((await startLoading({ saveData: true })).loaded).toEqual([]);
  const failing = await startLoading();
  await failing.settle("failed");
  await failing.end;
  expect(failing.loaded).toEqual(["subscribed"]);
  const left = await startLoading();
  left.leaving.abort();
  await left.settle("ready");
  await left.end;
  expect(left.loaded).toEqual(["subscribed"]);
});

it("runs idle work three seconds later, unless it is cancelled", async () => {
  const done: string[] = [];
  whenIdle(() => done.push("work"));
  const cancelEarly = whenIdle(() => done.push("cancelled before"));
  const cancelLate = whenIdle(() => done.push("cancelled while waiting for idle"));
  cancelEarly();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(done).toEqual([]);
  cancelLate();
  await vi.advanceTimersByTimeAsync(100);
  expect(done).toEqual(["work"]);
});
