import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { FollowupResult } from "../../domain/followup.ts";
import { StepFigures, StepFiguresMark, StepResultsProvider } from "../../src/views/followups/StepResults.tsx";
import { type ResultRow, ResultsTable } from "../../src/views/stats/ResultsTable.tsx";

const result: FollowupResult = {
  followup_id: "f1",
  sent: 1200,
  answered_24h: 300,
  answered_72h: 400,
  moved_on: 90,
  opted_out: 3,
  median_answer_minutes: 190,
};
const known = { byId: new Map([["f1", result]]), hasFailed: false, retry: () => {} };

it("shows each step's results, nothing on an older server, a mark on a failure", () => {
  const { rerender, container } = render(
    <StepResultsProvider value={known}>
      <StepFigures id="f1" />
      <StepFigures id="f2" />
    </StepResultsProvider>,
  );
  expect([...container.querySelectorAll("p")].map(({ textContent }) => textContent)).toEqual([
    "Sent 1,200 · answered within a day 300 · moved on 90",
    "Not sent in the last 90 days",
  ]);
  rerender(
    <StepResultsProvider value={{ ...known, byId: null }}>
      <StepFigures id="f1" />
    </StepResultsProvider>,
  );
  expect(container.textContent).toEqual("");
  rerender(
    <StepResultsProvider value={{ ...known, byId: null, hasFailed: true }}>
      <StepFiguresMark />
    </StepResultsProvider>,
  );
  expect(screen.getByText("What each step did could not be read.")).not.toBe(null);
});

const show = (value: ResultRow[] | null | undefined, status: "loading" | "shown" | "loadFailed" = "shown") => (
  <ResultsTable results={{ status, value, retry: () => {}, refresh: () => {} }} />
);

it("shows shares and reply times in the period's table, and names deleted steps", () => {
  const { rerender, container } = render(
    show([
      { ...result, step: { stage: "New", position: 1, message: "Hello" } },
      { ...result, followup_id: "f9", sent: 1, answered_24h: 0, median_answer_minutes: null, step: null },
    ]),
  );
  const cells = [...container.querySelectorAll("tbody tr")].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );
  expect(cells[0]).toEqual(["New · 1Hello", "1,200", "300 25%", "400 33.3%", "90 7.5%", "3 0.3%", "3 h 10 min"]);
  expect(cells[1]?.slice(0, 3)).toEqual(["A follow-up that is gone", "1", "0 0%"]);
  rerender(show([]));
  expect(screen.getByText(/No follow-up went out in this period/)).not.toBe(null);
  rerender(show(undefined, "loadFailed"));
  expect(screen.getByText("The follow-ups' results could not be read.")).not.toBe(null);
  rerender(show(null));
  expect(container.textContent).toEqual("");
});
