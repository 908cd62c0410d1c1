import { afterEach, describe, expect, it, vi } from "vitest";
import { createPagePrefetch } from "../../src/services/page-prefetch.ts";

type PageRequest = {
  request: unknown;
  signal: AbortSignal;
  answer: (page: string) => void;
  fail: (error: Error) => void;
};

function start() {
  vi.useFakeTimers();
  const requests: PageRequest[] = [];
  const listeners = new Set<() => void>();
  const pages = createPagePrefetch<string>(
    (request, signal) =>
      new Promise((answer, fail) => {
        requests.push({ request, signal, answer, fail });
      }),
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  );
  return { pages, requests, listeners, change: () => listeners.forEach((listener) => listener()) };
}

const second = { limit: 50, offset: 50 };
const never = new AbortController().signal;

afterEach(() => vi.useRealTimers());

describe("a prefetched page", () => {
  it("serves the next caller once", async () => {
    const { pages, requests, listeners } = start();
    pages.ask(second);
    pages.ask({ ...second });
    vi.advanceTimersByTime(2_999);
    const page = pages.list(second, never);
    requests[0]?.answer("page 2");
    expect(await page).toEqual("page 2");
    expect(requests.map(({ request }) => request)).toEqual([second]);
    expect(listeners.size).toEqual(0);
    void pages.list(second, never);
    expect(requests).toHaveLength(2);
  });

  it("is dropped by a lead event, after three seconds, and by another page's read", () => {
    const { pages, requests, listeners, change } = start();
    const reasons = [
      change,
      () => vi.advanceTimersByTime(3_000),
      () => void pages.list({ limit: 50, offset: 0 }, never),
    ];
    for (const happen of reasons) {
      pages.ask(second);
      const reading = requests.at(-1);
      happen();
      expect([reading?.signal.aborted, listeners.size]).toEqual([true, 0]);
      const before = requests.length;
      void pages.list(second, never);
      expect(requests).toHaveLength(before + 1);
    }
  });

  it("is requested again after a failure, which a waiting caller receives", async () => {
    const { pages, requests, listeners } = start();
    pages.ask(second);
    requests[0]?.fail(new Error("offline"));
    await vi.advanceTimersByTimeAsync(0);
    expect(listeners.size).toEqual(0);
    const anew = pages.list(second, never);
    requests[1]?.answer("page 2");
    expect(await anew).toEqual("page 2");
    pages.ask(second);
    const taken = pages.list(second, never);
    requests[2]?.fail(new Error("offline"));
    await expect(taken).rejects.toThrow("offline");
  });

  it("is aborted by its caller's signal only", () => {
    const { pages, requests } = start();
    pages.ask(second);
    const leaving = new AbortController();
    void pages.list(second, leaving.signal);
    expect(requests[0]?.signal.aborted).toEqual(false);
    leaving.abort();
    expect(requests[0]?.signal.aborted).toEqual(true);
  });
});
