import { afterEach, expect, it, vi } from "vitest";
import { throttled } from "../../src/machines/kit/refreshing.ts";

afterEach(() => vi.useRealTimers());

it("handles the first event at once and the last after a pause; none once stopped", () => {
  vi.useFakeTimers();
  const received: number[] = [];
  const { call, end } = throttled((news: number) => received.push(news), 2_000);
  for (const news of [1, 2, 3]) call(news);
  expect(received).toEqual([1]);
  vi.advanceTimersByTime(2_000);
  expect(received).toEqual([1, 3]);
  vi.advanceTimersByTime(10_000);
  expect(received).toEqual([1, 3]);
  call(4);
  call(5);
  end();
  vi.advanceTimersByTime(10_000);
  expect(received).toEqual([1, 3, 4]);
});
