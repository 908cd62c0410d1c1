import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { SimulatedClock } from "xstate";
import { Stats, createStats } from "../../src/machines/stats/stats.machine.ts";
import { selectLoadFailed } from "../../src/machines/kit/loading.ts";
import { StatsView } from "../../src/views/stats/StatsView.tsx";
import { conversion, figures, stages, statsMachine, statsModel } from "../machines/stats.model.ts";
import { english } from "../support/english.ts";
import { fill, press, toChart } from "../support/gestures.ts";
import { fakePage } from "../support/page.ts";
import { pendingServices } from "../support/walk-machine.ts";
import type { WalkedModel } from "../support/walk-model.ts";
import { seen } from "../support/screen.ts";
import { over, walkEveryView } from "../support/walk-view.tsx";

const PERIODS: Record<string, string> = { "1d": "Today", "7d": "Last 7 Days", "30d": "Last 30 Days", custom: "Custom" };

function show() {
  const services = pendingServices();
  const clock = new SimulatedClock();
  render(
    <Stats.Provider
      logic={statsModel.provide(services) as typeof statsMachine}
      options={{ clock, input: statsModel.input as never }}
    >
      <StatsView />
    </Stats.Provider>,
  );
  const settle = (id: string, output: unknown) => act(async () => services.settle(id).resolve(output));
  return { services, clock, settle };
}

const sentenceOf = (missing: ReturnType<typeof selectLoadFailed>) => {
  if (missing === null) return null;
  const what = missing.map(english).toSorted().join(" and ");
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} could not be read.`;
};

const screenModel: WalkedModel = {
  ...statsModel,
  project: ({ value, context }) => [value, context.period],
  // Choosing what stands there already is no event, and what a person cannot do is not played.
  allow: (snapshot, event) =>
    event.type.startsWith("xstate.") ||
    (event.type === "reading.refresh" && (statsModel.allow?.(snapshot, event) ?? true)) ||
    (event.type !== "reading.refresh" &&
      snapshot.can(event) &&
      (event.type !== "dates.choose" || (event["end"] !== "" && snapshot.context.period.start === ""))),
};

walkEveryView({
  machine: statsMachine,
  model: screenModel,
  show: over(Stats, statsModel, <StatsView />, statsModel.input),
  gestures: {
    "reading.refresh": toChart,
    "period.choose": press(({ name }) => screen.queryByRole("button", { name: PERIODS[name] ?? "" })),
    "dates.choose": {
      control: () => screen.queryByLabelText("Start date"),
      act: (control, { start, end }) => {
        fireEvent.change(control, { target: { value: start } });
        fireEvent.change(screen.getByLabelText("End date"), { target: { value: end } });
      },
    },
    "reading.retry": press(() => screen.queryByRole("button", { name: "Try again" })),
    "conversionStage.choose": fill(
      ({ stageId }) => {
        const select = screen.queryByLabelText<HTMLSelectElement>("Conversion to");
        return [...(select?.options ?? [])].some(({ value }) => value === stageId) ? select : null;
      },
      ({ stageId }) => stageId,
    ),
  },
  see(state) {
    const isAwaitingDates = state.matches({ figures: "awaitingDates" });
    expect({
      isLoading: seen("Loading stats..."),
      unread: screen.queryByText(/could not be read\.$/)?.textContent ?? null,
      isAwaitingDates: seen("Choose both dates"),
      pressed: screen.getByRole("button", { pressed: true }).textContent,
      hasTotal: seen("Total Leads"),
      converted: seen("1 / 4 converted"),
    }).toEqual({
      isLoading: state.matches({ figures: "loading" }),
      unread: sentenceOf(selectLoadFailed(state as never)),
      isAwaitingDates,
      pressed: PERIODS[state.context.period.name],
      hasTotal: !isAwaitingDates,
      converted: !isAwaitingDates && state.context.conversion !== null,
    });
  },
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
    expect(screen.getByText("4 leads")).toBeTruthy();
    const steps = within(screen.getByRole("region", { name: "Stage-to-Stage Conversion" })).getAllByRole("listitem");
    expect(steps.map(({ textContent }) => textContent)).toEqual(["A → B25%", "B → C100%"]);
    expect(screen.getByRole("img").getAttribute("aria-label")).toBe(
      "Came at least this far: A 100%, 4 leads; B 75%, 3 leads; C 50%, 2 leads",
    );
  });

  test("says how its last 7 days differ from the dashboard's", async () => {
    await full();
    const note = () => screen.queryByText(/^UTC days, today included\./)?.textContent ?? null;
    const before = note();
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Last 30 Days" })));
    expect([before, note()]).toEqual([
      "UTC days, today included. Leads (7d) on the dashboard counts the last 168 hours.",
      null,
    ]);
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
    const cursor = screen.getByRole<HTMLInputElement>("slider", { name: "Lead Volume: Day" });
    act(() => cursor.focus());
    expect(cursor.getAttribute("aria-valuetext")).toMatch(/9.*: 1 lead$/);
    fireEvent.change(cursor, { target: { value: "1" } });
    expect(cursor.getAttribute("aria-valuetext")).toMatch(/10.*: 3 leads$/);
    expect(screen.getByText("3 leads")).toBeTruthy();
    act(() => cursor.blur());
    expect(seen("3 leads")).toEqual(false);
  });

  test("shows '-' where there is no data, and says so in place of a chart", async () => {
    const { settle } = show();
    await settle("listStages", []);
    await settle("fetchFigures", { ...figures, volume: [], total: 0, breakdown: [] });
    expect(screen.getAllByText("-")).toHaveLength(1);
    expect(screen.getAllByText("No data for this period.")).toHaveLength(3);
    expect(seen(/converted/)).toEqual(false);
  });

  test("says 'not read' and never 'no data' of what could not be read", async () => {
    const { settle, services } = show();
    await settle("listStages", stages);
    await act(async () => services.settle("fetchConversion").reject(new Error("offline")));
    await settle("fetchFigures", { volume: null, total: null, breakdown: null, funnel: null });
    expect(seen("No data for this period.")).toEqual(false);
    expect(screen.getAllByText("not read")).toHaveLength(6);
    expect(screen.getByText("Some of the figures and the conversion could not be read.")).toBeTruthy();
  });

  test("asks for a custom range once, when both days are whole and in their order", async () => {
    const asked: string[] = [];
    const logic = createStats(fakePage(), {
      stats: {
        listStages: async () => stages,
        fetchVolume: async () => [],
        fetchTotal: async ({ start }) => asked.push(start),
        fetchBreakdown: async () => [],
        fetchFunnel: async () => [],
        fetchConversion: async () => conversion,
      },
      now: () => Date.parse("2026-03-10T15:30:00Z"),
      onReturn: () => () => {},
      rememberPeriod: () => {},
    });
    await act(async () => {
      render(
        <Stats.Provider logic={logic} options={{ input: statsModel.input as never }}>
          <StatsView />
        </Stats.Provider>,
      );
    });
    fireEvent.click(screen.getByRole("button", { name: "Custom" }));
    const type = (label: string, value: string) =>
      act(async () => void fireEvent.change(screen.getByLabelText(label), { target: { value } }));
    await type("End date", "2026-03-05");
    for (const year of ["0002", "0020", "0202"]) await type("Start date", `${year}-03-09`);
    expect(asked).toHaveLength(1);
    await type("Start date", "2026-03-09");
    expect(screen.getByText("The end lies before the start. Choose a later end.")).toBeTruthy();
    await type("Start date", "2015-03-09");
    expect(screen.getByText("That range is longer than ten years. Choose a shorter one.")).toBeTruthy();
    expect(asked).toHaveLength(1);
    await type("Start date", "2026-03-01");
    expect(asked.slice(1)).toEqual(["2026-03-01T00:00:00.000Z"]);
  });

  test("shows the server's sentence for a range that it refuses", async () => {
    const { services, settle } = show();
    await settle("listStages", stages);
    const refusal = { status: 422, body: { message: "That is too long a range.", code: "invalid" } };
    await act(async () => services.settle("fetchConversion").reject(refusal));
    await act(async () => services.settle("fetchFigures").reject(refusal));
    expect(screen.getByText("That is too long a range.")).toBeTruthy();
    expect(seen(/could not be read/)).toEqual(false);
    fireEvent.click(screen.getByRole("button", { name: "Last 30 Days" }));
    expect(seen("That is too long a range.")).toEqual(false);
    await settle("fetchFigures", figures);
    await act(async () => services.settle("fetchConversion").reject(new Error("offline")));
    expect(screen.getByText("The conversion could not be read.")).toBeTruthy();
  });

  test("rounds a percentage that arrives unrounded to one decimal", async () => {
    const { settle } = show();
    await settle("listStages", stages);
    await settle("fetchConversion", { percentage: 33.333_333, count: 1, total: 3 });
    expect(screen.getByText("33.3%")).toBeTruthy();
  });
});
