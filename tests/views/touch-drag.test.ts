import { beforeEach, expect, it, vi } from "vitest";
import { holdByTouch } from "../../src/views/board/touch-drag.ts";

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `<div data-board><div data-stage="new"><div id="card"></div></div><div data-stage="won"></div></div>`;
  // jsdom has no layout: the right half of the screen is the second stage.
  document.elementFromPoint = (x) => document.querySelector(`[data-stage=${x < 200 ? "new" : "won"}]`);
  return () => {
    // A drop cancels the next click for a moment: without this, one of another file in the same process.
    vi.runAllTimers();
    vi.useRealTimers();
    Reflect.deleteProperty(document, "elementFromPoint");
  };
});

/** Touches the card at 100, 100. Returns what the drag reported. */
function touch() {
  const calls: string[] = [];
  holdByTouch(
    document.querySelector<HTMLElement>("#card") as HTMLElement,
    { x: 100, y: 100, pointerId: 1 },
    {
      onLift: () => calls.push("lift"),
      onDrop: (stageId) => calls.push(`drop on ${stageId}`),
      onRelease: () => calls.push("release"),
    },
  );
  return calls;
}
const finger = (type: string, clientX: number, pointerId = 1) =>
  window.dispatchEvent(new PointerEvent(type, { clientX, clientY: 100, pointerId }));

it("lifts the card under a finger that stays within 10 px, and drops it on another stage", () => {
  const calls = touch();
  finger("pointermove", 110);
  finger("pointermove", 300, 2);
  vi.advanceTimersByTime(349);
  expect(calls).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(calls).toEqual(["lift"]);
  finger("pointermove", 300);
  finger("pointerup", 300);
  expect(calls).toEqual(["lift", "drop on won"]);
});

it("leaves the page to a finger that moves before the card is lifted", () => {
  const calls = touch();
  finger("pointermove", 111);
  finger("pointermove", 100);
  vi.advanceTimersByTime(1_000);
  finger("pointerup", 100);
  expect(calls).toEqual([]);
});

it("releases the card when the system takes the touch away", () => {
  const calls = touch();
  vi.advanceTimersByTime(350);
  finger("pointercancel", 300);
  finger("pointerup", 300);
  expect([calls, document.querySelectorAll("[data-ghost]").length]).toEqual([["lift", "release"], 0]);
});
