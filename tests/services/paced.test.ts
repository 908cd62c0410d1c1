import { afterEach, expect, it, vi } from "vitest";
import { paced } from "../../src/app/paced.ts";

afterEach(() => vi.useRealTimers());

it("news that come close together are listened to at once and once more after the last, and no more after the end", () => {
  vi.useFakeTimers();
  let heard = 0;
  const { tell, end } = paced(() => (heard += 1), 2_000);
  for (let time = 0; time < 3; time++) tell();
  expect(heard).toEqual(1);
  vi.advanceTimersByTime(2_000);
  expect(heard).toEqual(2);
  vi.advanceTimersByTime(10_000);
  expect(heard).toEqual(2);
  tell();
  tell();
  end();
  vi.advanceTimersByTime(10_000);
  expect(heard).toEqual(3);
});
