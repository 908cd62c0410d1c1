import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AUDIENCES, type ScreenPath } from "../../src/app/routing.ts";
import { loadInTurn } from "../../src/app/screens-inside.ts";

const INSIDE = Object.entries(AUDIENCES)
  .filter(([, audience]) => audience === "subscribed" || audience === "signedIn")
  .map(([path]) => path);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  window.history.replaceState(null, "", "/");
});

/** Loaders of every screen, each of which settles when it is told to; what was asked for, in its order. */
function fakeScreens() {
  const asked: string[] = [];
  const pending: ((status: string) => void)[] = [];
  const screens = Object.fromEntries(
    Object.keys(AUDIENCES).map((path) => {
      let status = "absent";
      const loadAhead = () =>
        new Promise<void>((resolve) => {
          asked.push(path);
          pending.push((next) => {
            status = next;
            resolve();
          });
        });
      return [path, { loadAhead, get: () => ({ status }) }];
    }),
  ) as unknown as Record<ScreenPath, { loadAhead: () => Promise<void>; get: () => { status: string } }>;
  const settle = async (status: string) => {
    pending.shift()?.(status);
    await vi.advanceTimersByTimeAsync(100);
  };
  return { asked, screens, settle };
}

const started = async (line: object = {}) => {
  vi.stubGlobal("navigator", { onLine: true, ...line });
  const leaving = new AbortController();
  const fake = fakeScreens();
  const end = loadInTurn(fake.screens, leaving.signal);
  await vi.advanceTimersByTimeAsync(100);
  return { ...fake, leaving, end };
};

it("every screen of the menu is loaded ahead, one after another", async () => {
  const { asked, settle, end } = await started({ connection: { saveData: false, effectiveType: "4g" } });
  for (let count = 1; count < INSIDE.length; count++) {
    expect(asked).toHaveLength(count);
    await settle("ready");
  }
  await settle("ready");
  await end;
  expect(asked.toSorted()).toEqual(INSIDE.toSorted());
});

it("nothing is loaded ahead for somebody who spares bytes, whose line is slow or who is offline", async () => {
  const lines = [
    { connection: { saveData: true, effectiveType: "4g" } },
    { connection: { saveData: false, effectiveType: "3g" } },
    { onLine: false },
  ];
  for (const line of lines) expect((await started(line)).asked).toEqual([]);
});

it("a screen that does not load is the last one tried, and whoever leaves the shell has no more loaded", async () => {
  const failing = await started();
  await failing.settle("failed");
  await failing.end;
  expect(failing.asked).toHaveLength(1);
  const left = await started();
  left.leaving.abort();
  await left.settle("ready");
  await left.end;
  expect(left.asked).toHaveLength(1);
});

it("on the leads list, what is done there comes first", async () => {
  window.history.replaceState(null, "", "/leads");
  const { asked } = await started();
  await vi.advanceTimersByTimeAsync(3_800);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toHaveLength(1);
});

it("nothing is loaded until what a gesture asked for has had its time", async () => {
  const { asked, settle } = await started();
  window.dispatchEvent(new Event("keydown"));
  await settle("ready");
  await vi.advanceTimersByTimeAsync(1_000);
  window.dispatchEvent(new Event("input"));
  await vi.advanceTimersByTimeAsync(1_900);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(300);
  expect(asked).toHaveLength(2);
});
