import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Http } from "../../src/services/http.ts";
import { watchWaitingCount } from "../../src/services/waiting.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(answers: (() => Promise<unknown>)[]) {
  const requests: string[] = [];
  const counts: (number | null)[] = [];
  const logged: string[] = [];
  let changed = (_data: unknown) => {};
  let isLeft = false;
  const http = ((path: string) => {
    requests.push(path);
    return answers.shift()?.();
  }) as unknown as Http;
  const stop = watchWaitingCount(
    {
      http,
      events: {
        subscribe: (_type, listener) => {
          changed = listener;
          return () => void (isLeft = true);
        },
      },
      logger: { warn: (what) => logged.push(what) },
    },
    (waiting) => counts.push(waiting),
  );
  return { requests, counts, logged, change: () => changed({}), stop, isLeft: () => isLeft };
}
const counts = (waiting: number) => async () => ({ waiting, unread: 0 });

it("counts waiting leads at once, and once more per burst of changes", async () => {
  const page = start([counts(1), counts(4)]);
  await vi.advanceTimersByTimeAsync(0);
  expect(page.counts).toEqual([1]);
  for (let times = 0; times < 20; times += 1) page.change();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(page.counts).toEqual([1, 4]);
  expect(page.requests).toEqual(["/inbox/counts", "/inbox/counts"]);
});

it("shows no number when it failed to load or is invalid", async () => {
  const page = start([() => Promise.reject(new Error("offline")), async () => [], counts(2)]);
  await vi.advanceTimersByTimeAsync(0);
  page.change();
  await vi.advanceTimersByTimeAsync(1_000);
  page.change();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(page.counts).toEqual([null, null, 2]);
  expect(page.logged).toEqual(Array(2).fill("the people waiting were not counted"));
});

it("counts nothing for a page that was closed", async () => {
  const page = start([counts(1), counts(2)]);
  page.stop();
  page.change();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([page.counts, page.requests.length, page.isLeft()]).toEqual([[], 1, true]);
});
