import { act, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, test } from "vitest";
import { type AnyEventObject, type AnyMachineSnapshot, type AnyStateMachine, SimulatedClock } from "xstate";
import { StatsProvider, statsMachine } from "../../src/machines/stats/index.ts";
import { selectUnread } from "../../src/machines/kit/reading.ts";
import { StatsView } from "../../src/views/stats/StatsView.tsx";
import { conversion, figures, stages, statsModel } from "../machines/stats.model.ts";
import { missingEdges } from "../support/report-coverage.ts";
import { edgeCollector, pendingServices, play } from "../support/walk-machine.ts";
import { pathsOf } from "../support/walk-suite.ts";

const user = userEvent.setup();
const collector = edgeCollector(statsMachine);
const PERIODS: Record<string, string> = { "1d": "Today", "7d": "Last 7 Days", "30d": "Last 30 Days", custom: "Custom" };

function show() {
  const services = pendingServices();
  const clock = new SimulatedClock();
  render(
    <StatsProvider
      logic={statsModel.provide(services) as typeof statsMachine}
      options={{ clock, inspect: collector.inspect, input: statsModel.input as never }}
    >
      <StatsView />
    </StatsProvider>,
  );
  const settle = (id: string, output: unknown) => act(async () => services.settle(id).resolve(output));
  return { services, clock, settle };
}

const gestures: Record<string, (event: AnyEventObject) => unknown> = {
  "period.choose": (event) => user.click(screen.getByRole("button", { name: PERIODS[String(event["name"])] ?? "" })),
  "dates.choose": (event) => {
    fireEvent.change(screen.getByLabelText("Start date"), { target: { value: event["start"] } });
    fireEvent.change(screen.getByLabelText("End date"), { target: { value: event["end"] } });
  },
  "reading.retry": () => user.click(screen.getByRole("button", { name: "Try again" })),
  "conversionStage.choose": (event) =>
    user.selectOptions(screen.getByLabelText("Conversion to"), String(event["stageId"])),
};

/** A person gets at the dates in a custom period only, and at the stages once they are there. */
const allow = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  if (event.type === "dates.choose")
    return snapshot.context.period.name === "custom" && event["end"] !== "" && snapshot.context.period.start === "";
  if (event.type === "conversionStage.choose")
    return (
      snapshot.context.stages.length > 0 && event["stageId"] !== "" && !snapshot.matches({ figures: "awaitingDates" })
    );
  return true;
};

const sentenceOf = (what: string | null) =>
  what === null ? null : `${what.charAt(0).toUpperCase()}${what.slice(1)} could not be read.`;

describe("the stats screen follows the paths of the chart", () => {
  const project = ({ value, context }: AnyMachineSnapshot) => [value, context.period];
  const paths = pathsOf(statsMachine as AnyStateMachine, { ...statsModel, project, allow });

  it.each(paths)("%s", async (_name, steps) => {
    const { services, clock } = show();
    for (const { event, state } of steps) {
      const gesture = gestures[event.type];
      if (gesture) await gesture(event);
      else await act(() => play(event, { services, clock, delays: {}, user: () => {} }));
      const isAwaitingDates = state.matches({ figures: "awaitingDates" });
      expect({
        isLoading: screen.queryByText("Loading stats...") !== null,
        unread: screen.queryByText(/could not be read\.$/)?.textContent ?? null,
        canRetry: screen.queryByRole("button", { name: "Try again" }) !== null,
        isAwaitingDates: screen.queryByText("Choose both dates") !== null,
        pressed: screen.getByRole("button", { pressed: true }).textContent,
        hasTotal: screen.queryByText("Total Leads") !== null,
        converted: screen.queryByText("1 / 4 converted") !== null,
      }).toEqual({
        isLoading: state.matches({ figures: "loading" }),
        unread: sentenceOf(selectUnread(state)),
        canRetry: selectUnread(state) !== null,
        isAwaitingDates,
        pressed: PERIODS[state.context.period.name],
        hasTotal: !isAwaitingDates,
        converted: !isAwaitingDates && state.context.conversion !== null,
      });
    }
  });

  it("takes every transition of the chart", () => expect(missingEdges(statsMachine, collector)).toEqual([]));
});

describe("the stats screen", () => {
  async function full() {
    const { settle } = show();
    await settle("listStages", stages);
    await settle("fetchConversion", conversion);
    await settle("fetchFigures", {
      volume: [
        { day: "2026-03-09", lead_count: 1 },
        { day: "2026-03-10", lead_count: 3 },
      ],
      total: 1234,
      breakdown: [
        { stage_id: "a", count: 3 },
        { stage_id: "c", count: 1 },
      ],
      funnel: stages.map(({ id, name, order }, index) => ({
        stage_id: id,
        name,
        order,
        current: 0,
        reached: 4 - index,
        next_rate: null,
        cumulative_rate: 100 - index * 25,
        median_hours_in_stage: null,
      })),
    });
    return settle;
  }

  test("tells the total, the conversion to the last stage and each step between stages", async () => {
    await full();
    expect(screen.getByText("1,234")).toBeTruthy();
    expect(screen.getByLabelText<HTMLSelectElement>("Conversion to").value).toBe("c");
    expect(screen.getByText("1 / 4 converted")).toBeTruthy();
    const steps = within(screen.getByRole("region", { name: "Stage-to-Stage Conversion" })).getAllByRole("listitem");
    expect(steps.map(({ textContent }) => textContent)).toEqual(["A → B25%", "B → C100%"]);
    expect(screen.getByRole("img").getAttribute("aria-label")).toBe(
      "Came at least this far: A 100%, 4 leads; B 75%, 3 leads; C 50%, 2 leads",
    );
  });

  test("gives every chart as a table too", async () => {
    await full();
    const cells = (name: string) =>
      within(screen.getByRole("table", { name, hidden: true }))
        .getAllByRole("row", { hidden: true })
        .map((row) => [...row.children].map(({ textContent }) => textContent));
    expect(cells("Lead Volume as a table")).toEqual([
      ["Day", "New leads"],
      [expect.stringMatching(/March/), "1"],
      [expect.stringMatching(/March/), "3"],
    ]);
    expect(cells("Leads per Stage, in Percent as a table")).toEqual([
      ["Stage", "Share"],
      ["A", "75%"],
      ["C", "25%"],
    ]);
    expect(cells("Leads per Stage as a table")).toEqual([
      ["Stage", "Leads"],
      ["A", "3"],
      ["C", "1"],
    ]);
  });

  test("walks a chart's points by keyboard and speaks them", async () => {
    await full();
    const cursor = screen.getByRole<HTMLInputElement>("slider", { name: "Lead Volume: day" });
    act(() => cursor.focus());
    expect(cursor.getAttribute("aria-valuetext")).toMatch(/9.*: 1 lead$/);
    fireEvent.change(cursor, { target: { value: "1" } });
    expect(cursor.getAttribute("aria-valuetext")).toMatch(/10.*: 3 leads$/);
    expect(screen.getByText("3 leads")).toBeTruthy();
    act(() => cursor.blur());
    expect(screen.queryByText("3 leads")).toBeNull();
  });

  test("shows '-' where there is no data, and says so in place of a chart", async () => {
    const { settle } = show();
    await settle("listStages", []);
    await settle("fetchFigures", { ...figures, volume: [], total: 0, breakdown: [] });
    expect(screen.getAllByText("-")).toHaveLength(1);
    expect(screen.getAllByText("No data for this period.")).toHaveLength(3);
    expect(screen.queryByText(/converted/)).toBeNull();
  });

  test("says 'not read' and never 'no data' of what could not be read", async () => {
    const { settle, services } = show();
    await settle("listStages", stages);
    await act(async () => services.settle("fetchConversion").reject(new Error("offline")));
    await settle("fetchFigures", { volume: null, total: null, breakdown: null, funnel: null });
    expect(screen.queryByText("No data for this period.")).toBeNull();
    expect(screen.getAllByText("not read")).toHaveLength(6);
    expect(screen.getByText("Some of the figures and the conversion could not be read.")).toBeTruthy();
  });

  test("rounds a percentage that arrives unrounded to one decimal", async () => {
    const { settle } = show();
    await settle("listStages", stages);
    await settle("fetchConversion", { percentage: 33.333_333, count: 1, total: 3 });
    expect(screen.getByText("33.3%")).toBeTruthy();
  });
});
