import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { SimulatedClock } from "xstate";
import { Stats } from "../../src/machines/stats/stats.machine.ts";
import { selectLoadFailed } from "../../src/machines/kit/loading.ts";
import { StatsView } from "../../src/views/stats/StatsView.tsx";
import { figures, stages, statsModel } from "../machines/stats.model.ts";
import { english } from "../support/english.ts";
import { fill, over, press, seen } from "../support/screen.ts";
import { pendingServices } from "../support/walk-machine.ts";
import type { WalkedModel } from "../support/model.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const PERIODS: Record<string, string> = { "1d": "Today", "7d": "Last 7 Days", "30d": "Last 30 Days", custom: "Custom" };

function show() {
  const services = pendingServices();
  const logic = statsModel.provide(services);
  render(over(Stats, <StatsView />)(logic, { clock: new SimulatedClock(), input: statsModel.input as never }));
  const settle = (id: string, output: unknown) => act(async () => services.settle(id).resolve(output));
  const fail = (id: string, error: unknown) => act(async () => services.settle(id).reject(error));
  return { services, settle, fail };
}

const sentenceOf = (missing: ReturnType<typeof selectLoadFailed>) => {
  if (missing === null) return null;
  const what = missing.map(english).toSorted().join(" and ");
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} could not be read.`;
};

const screenModel: WalkedModel = {
  ...statsModel,
  // Choosing the current value is no event.
  allow: (snapshot, event) =>
    event.type === "dates.choose"
      ? event["end"] !== "" && snapshot.context.period.start === ""
      : (statsModel.allow?.(snapshot, event) ?? true),
};

walkEveryView({
  model: screenModel,
  show: over(Stats, <StatsView />, statsModel.input),
  gestures: {
    "period.choose": press(({ name }) => screen.queryByRole("button", { name: PERIODS[name] ?? "" })),
    "dates.choose": {
      control: () => screen.queryByLabelText("Start date"),
      act: (control, { start, end }) => {
        fireEvent.change(control, { target: { value: start } });
        fireEvent.change(screen.getByLabelText("End date"), { target: { value: end } });
      },
    },
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
    await settle("fetchConversion", { percentage: 33.333_333, count: 1, total: 3 });
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

  test("shows the total, the conversion to the last stage and between stages", async () => {
    await full();
    for (const text of ["1,234", "33.3%", "1 / 3 converted", "4 leads"])
      expect([text, seen(text)]).toEqual([text, true]);
    expect(screen.getByLabelText<HTMLSelectElement>("Conversion to").value).toBe("c");
    const steps = within(screen.getByRole("region", { name: "Stage-to-Stage Conversion" })).getAllByRole("listitem");
    expect(steps.map(({ textContent }) => textContent)).toEqual(["A → B25%", "B → C100%"]);
    expect(screen.getByRole("img").getAttribute("aria-label")).toBe(
      "Reached this stage or later: A 100%, 4 leads; B 75%, 3 leads; C 50%, 2 leads",
    );
    const note = () => screen.queryByText(/^UTC days, today included\./)?.textContent ?? null;
    expect(note()).toBe("UTC days, today included. Leads (7d) on the dashboard counts the last 168 hours.");
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Last 30 Days" })));
    expect(note()).toBe(null);
  });

  test("shows every chart as a table too", async () => {
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
    expect(cells("Leads per Stage, in Percent as a table").slice(1).flat()).toEqual(["A", "75%", "C", "25%"]);
    expect(cells("Leads per Stage as a table").slice(1).flat()).toEqual(["A", "3", "C", "1"]);
    // Arrow keys move through a chart's points, which screen readers announce.
    const cursor = screen.getByRole<HTMLInputElement>("slider", { name: "Lead Volume: Day" });
    act(() => cursor.focus());
    expect(cursor.getAttribute("aria-valuetext")).toMatch(/9.*: 1 lead$/);
    fireEvent.change(cursor, { target: { value: "1" } });
    expect(cursor.getAttribute("aria-valuetext")).toMatch(/10.*: 3 leads$/);
    expect(seen("3 leads")).toEqual(true);
    act(() => cursor.blur());
    expect(seen("3 leads")).toEqual(false);
  });

  test("shows '-' without data, and a text instead of a chart", async () => {
    const { settle } = show();
    await settle("listStages", []);
    await settle("fetchFigures", { ...figures, volume: [], total: 0, breakdown: [] });
    expect(screen.getAllByText("-")).toHaveLength(1);
    expect(screen.getAllByText("No data for this period.")).toHaveLength(3);
    expect(seen(/converted/)).toEqual(false);
  });

  test("says 'not read', never 'no data', when a figure failed to load", async () => {
    const { settle, fail } = show();
    await settle("listStages", stages);
    await fail("fetchConversion", new Error("offline"));
    await settle("fetchFigures", { volume: null, total: null, breakdown: null, funnel: null });
    expect(seen("No data for this period.")).toEqual(false);
    expect(screen.getAllByText("not read")).toHaveLength(6);
    expect(seen("Some of the figures and the conversion could not be read.")).toBe(true);
  });

  test("requests a custom range once its days are in order and within ten years", async () => {
    const { settle, services } = show();
    await settle("listStages", stages);
    fireEvent.click(screen.getByRole("button", { name: "Custom" }));
    const before = services.inputs()["fetchFigures"];
    const type = (label: string, value: string) =>
      act(async () => void fireEvent.change(screen.getByLabelText(label), { target: { value } }));
    await type("End date", "2026-03-05");
    for (const [start, refusal] of Object.entries({
      "2026-03-09": "The end lies before the start. Choose a later end.",
      "2015-03-09": "That range is longer than ten years. Choose a shorter one.",
    })) {
      await type("Start date", start);
      expect([start, seen(refusal)]).toEqual([start, true]);
      expect(services.inputs()["fetchFigures"]).toEqual(before);
    }
    await type("Start date", "2026-03-01");
    expect(services.inputs()["fetchFigures"]).toEqual({
      period: { name: "custom", start: "2026-03-01", end: "2026-03-05" },
    });
  });

  test("shows the server's message for a range that it refuses", async () => {
    const { settle, fail } = show();
    await settle("listStages", stages);
    const refusal = { status: 422, body: { message: "That is too long a range.", code: "invalid" } };
    await fail("fetchConversion", refusal);
    await fail("fetchFigures", refusal);
    expect([seen("That is too long a range."), seen(/could not be read/)]).toEqual([true, false]);
    fireEvent.click(screen.getByRole("button", { name: "Last 30 Days" }));
    expect(seen("That is too long a range.")).toEqual(false);
  });
});
