import { act, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DayRange, type Days } from "../../src/ui/DayRange.tsx";
import { setPartialDate } from "../support/screen.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const field = (name: "From" | "To") => screen.getByLabelText<HTMLInputElement>(name);
const pick = (name: "From" | "To", value: string) => fireEvent.change(field(name), { target: { value } });

/** Simulates a keystroke after which the input's value is this day. */
function type(name: "From" | "To", value: string) {
  fireEvent.keyDown(field(name), { key: value.slice(-1) });
  pick(name, value);
}
const pause = () => act(() => void vi.advanceTimersByTime(600));

function show(initial: Days): Days[] {
  const applied: Days[] = [];
  function Filters() {
    const [days, setDays] = useState(initial);
    const apply = (next: Days) => {
      applied.push(next);
      setDays(next);
    };
    return (
      <>
        <DayRange
          labels={{ start: "From", end: "To" }}
          days={days}
          onDays={apply}
          problemOf={({ start, end }) => (end < start ? "The end lies before the start." : null)}
        />
        <button onClick={() => apply({ start: "", end: "" })}>Clear</button>
      </>
    );
  }
  render(<Filters />);
  return applied;
}

it("applies a picked day at once and a typed one after a pause", () => {
  const applied = show({ start: "", end: "" });
  pick("From", "2026-03-01");
  expect(applied).toEqual([{ start: "2026-03-01", end: "" }]);
  for (const day of ["2026-01-05", "2026-12-05"]) type("To", day);
  expect(applied).toHaveLength(1);
  pause();
  expect(applied.slice(1)).toEqual([{ start: "2026-03-01", end: "2026-12-05" }]);
});

it.each([
  ["Enter", () => fireEvent.keyDown(field("To"), { key: "Enter" })],
  ["leaving the field", () => fireEvent.blur(field("To"))],
])("applies a typed day on %s, once", (_, settle) => {
  const applied = show({ start: "2026-03-01", end: "" });
  type("To", "2026-03-05");
  settle();
  pause();
  expect(applied).toEqual([{ start: "2026-03-01", end: "2026-03-05" }]);
});

it("waits for the whole year, and says so when the field is left too early", () => {
  const applied = show({ start: "", end: "2026-03-05" });
  for (const day of ["0002-03-01", "0020-03-01", "0202-03-01"]) {
    type("From", day);
    pause();
  }
  expect([applied, field("From").value]).toEqual([[], "0202-03-01"]);
  fireEvent.blur(field("From"));
  expect(screen.getByText("Enter a year from 2000 on.")).not.toBe(null);
  type("From", "2026-03-01");
  expect(screen.queryByText("Enter a year from 2000 on.")).toBe(null);
  pause();
  expect(applied).toEqual([{ start: "2026-03-01", end: "2026-03-05" }]);
});

it("keeps the applied range while a day is half typed", () => {
  const applied = show({ start: "2026-03-01", end: "2026-03-05" });
  setPartialDate(field("From"), true);
  type("From", "");
  fireEvent.blur(field("From"));
  expect([applied, screen.getByText("Enter the whole date.").id]).toEqual([
    [],
    field("From").getAttribute("aria-describedby"),
  ]);
  type("To", "2026-03-08");
  pause();
  expect(applied).toEqual([]);
  setPartialDate(field("From"), false);
  type("From", "2026-03-02");
  pause();
  expect(applied).toEqual([{ start: "2026-03-02", end: "2026-03-08" }]);
});

it("says why a range is invalid, and applies it once either day is corrected", () => {
  const applied = show({ start: "2026-03-01", end: "2026-03-05" });
  pick("From", "2026-04-01");
  expect([applied, field("From").value, field("To").getAttribute("aria-invalid")]).toEqual([[], "2026-04-01", "true"]);
  expect(screen.getByText("The end lies before the start.")).not.toBe(null);
  pick("To", "2026-04-02");
  expect([applied, screen.queryByText("The end lies before the start.")]).toEqual([
    [{ start: "2026-04-01", end: "2026-04-02" }],
    null,
  ]);
});

it("validates its initial range, and follows days that change elsewhere", () => {
  const applied = show({ start: "2026-03-05", end: "2026-03-01" });
  expect(screen.getByText("The end lies before the start.")).not.toBe(null);
  fireEvent.click(screen.getByRole("button", { name: "Clear" }));
  expect([field("From").value, field("To").value, screen.queryByText("The end lies before the start.")]).toEqual([
    "",
    "",
    null,
  ]);
  pick("To", "2026-03-01");
  pick("To", "");
  expect(applied.slice(1)).toEqual([
    { start: "", end: "2026-03-01" },
    { start: "", end: "" },
  ]);
});
