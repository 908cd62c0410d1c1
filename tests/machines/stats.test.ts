import { describe, expect, test, vi } from "vitest";
import { type ContextFrom, createActor } from "xstate";
import {
  FALLBACK_PALETTE,
  type StatsGateway,
  createStats,
  cumulativePoints,
  fillDays,
  periodOf,
  rangeOf,
  searchOf,
  selectConversion,
  selectFigures,
  selectIsAwaitingDates,
  selectRefusal,
  stageFigures,
  stageSteps,
  statsMachine,
} from "../../src/machines/stats/index.ts";
import type { Invariants } from "../support/invariants.ts";
import { firstReadingInvariants, isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { conversion, figures, stage, stages, statsModel } from "./stats.model.ts";

const NOW = Date.parse("2026-03-10T15:30:00Z");
type Figures = ContextFrom<typeof statsMachine>;

const isComplete = ({ period: { name, start, end } }: Figures) => name !== "custom" || (start !== "" && end !== "");
const noFigures = { volume: null, total: null, breakdown: null, funnel: null };
const choices = ["period.choose", "dates.choose"];

const invariants: Invariants<typeof statsMachine> = {
  "*": {
    accepts: (context) => [
      "period.choose",
      ...(context.period.name === "custom" ? ["dates.choose"] : []),
      ...(isComplete(context) && context.stages.length > 0 ? ["conversionStage.choose"] : []),
    ],
    holds: ({ cause, event, before, context, effects }) => {
      const { period } = context;
      const isChosen = cause === "period.choose" || (cause === "dates.choose" && before.period.name === "custom");
      expect(effects["rememberPeriod"]).toEqual(isChosen ? { period } : undefined);
      if (cause === "period.choose") expect(period).toEqual({ ...before.period, name: event.name });
      else if (isChosen) expect(period).toEqual({ name: "custom", start: event.start, end: event.end });
      else expect(period).toEqual(before.period);
    },
  },
  ...firstReadingInvariants("stages.", "listStages"),
  "stages.loaded": {
    after: {
      "done listStages": ({ context }) => expect([context.stages, context.conversionStageId]).toEqual([stages, "c"]),
    },
  },
  "figures.checking": { after: [] },
  "figures.awaitingDates": {
    after: choices,
    holds: ({ context, calls }) =>
      expect([isComplete(context), context.figures, "fetchFigures" in calls]).toEqual([false, noFigures, false]),
  },
  "figures.loading": {
    after: ["start", ...choices, "reading.refresh", "reading.retry"],
    holds: ({ context, calls }) => {
      expect(isComplete(context)).toEqual(true);
      isCalling("fetchFigures", { period: context.period })({ calls });
    },
  },
  "figures.shown": {
    after: { "done fetchFigures": ({ context }) => expect(context.figures).toEqual(figures) },
    accepts: ["reading.refresh"],
  },
  "figures.incomplete": {
    after: {
      "done fetchFigures": ({ context }) => expect(context.figures).toEqual({ ...figures, volume: null }),
      "error fetchFigures": ({ context }) => expect(context.figures).toEqual(noFigures),
    },
    accepts: ["reading.refresh", "reading.retry"],
  },
  "conversion.checking": { after: [] },
  "conversion.absent": {
    after: ["start", ...choices],
    holds: ({ context, calls }) => {
      expect(isComplete(context) && context.stages.length > 0).toEqual(false);
      expect([context.conversion, "fetchConversion" in calls]).toEqual([null, false]);
    },
  },
  "conversion.loading": {
    after: {
      "done listStages": null,
      "period.choose": null,
      "dates.choose": null,
      "conversionStage.choose": ({ context }) => expect(context.conversionStageId).toEqual("b"),
      "reading.refresh": null,
      "reading.retry": null,
    },
    holds: ({ context, calls }) => {
      const { period, conversionStageId: stageId } = context;
      expect(isComplete(context)).toEqual(true);
      isCalling("fetchConversion", { period, stageId, stages })({ calls });
    },
  },
  "conversion.shown": {
    after: { "done fetchConversion": ({ context }) => expect(context.conversion).toEqual(conversion) },
    accepts: ["reading.refresh"],
  },
  "conversion.failed": {
    after: { "error fetchConversion": ({ context }) => expect(context.conversion).toEqual(null) },
    accepts: ["reading.refresh", "reading.retry"],
  },
};

walkEveryPath(statsMachine, statsModel, invariants);

function statistics(overrides: Partial<StatsGateway> = {}, search = "") {
  const remembered: string[] = [];
  const gateway = {
    listStages: vi.fn<StatsGateway["listStages"]>(async () => stages.toReversed()),
    fetchVolume: vi.fn<StatsGateway["fetchVolume"]>(async () => [{ day: "2026-03-09", lead_count: 3 }]),
    fetchTotal: vi.fn<StatsGateway["fetchTotal"]>(async () => 3),
    fetchBreakdown: vi.fn<StatsGateway["fetchBreakdown"]>(async () => [{ stage_id: "b", count: 3 }]),
    fetchFunnel: vi.fn<StatsGateway["fetchFunnel"]>(async () => []),
    fetchConversion: vi.fn<StatsGateway["fetchConversion"]>(async () => conversion),
  };
  for (const [call, behaviour] of Object.entries(overrides))
    gateway[call as keyof StatsGateway].mockImplementation(behaviour as never);
  const warnings: string[] = [];
  const actor = createActor(
    createStats({
      stats: gateway,
      now: () => NOW,
      onReturn: () => () => {},
      rememberPeriod: (period) => remembered.push(searchOf(period)),
      logger: { warn: (what) => warnings.push(what) },
    }),
    { input: { period: periodOf(search) } },
  ).start();
  const until = (assertion: () => void) => vi.waitFor(assertion, { interval: 1 });
  const settled = () =>
    until(() => {
      const value = actor.getSnapshot().value;
      expect(Object.values(value)).not.toContain("loading");
    });
  return { actor, gateway, warnings, remembered, until, settled };
}

describe("the statistics", () => {
  test("load the last seven days and the conversion to the last stage by order", async () => {
    const { actor, gateway, settled } = statistics();
    await settled();
    const range = { start: "2026-03-04T00:00:00.000Z", end: "2026-03-10T23:59:59.999Z" };
    expect(gateway.fetchVolume.mock.calls.map(([asked]) => asked)).toEqual([range]);
    expect(gateway.fetchConversion.mock.calls.map(([asked]) => asked)).toEqual([{ ...range, stageId: "c", stages }]);
    expect(selectConversion(actor.getSnapshot())).toEqual(conversion);
    expect(selectFigures(actor.getSnapshot()).volume).toHaveLength(7);
    expect(gateway.listStages).toHaveBeenCalledTimes(1);
  });

  test("show what can be had when a call fails, and log what failed", async () => {
    const { actor, settled, warnings } = statistics({
      fetchVolume: () => Promise.reject(new Error("offline")),
      fetchConversion: () => Promise.reject(new Error("offline")),
    });
    await settled();
    expect(selectFigures(actor.getSnapshot())).toEqual({
      volume: null,
      total: 3,
      breakdown: [{ stage_id: "b", count: 3 }],
      funnel: [],
    });
    expect(selectConversion(actor.getSnapshot())).toBeNull();
    expect(warnings.toSorted()).toEqual(["the conversion was not loaded", "the lead volume was not loaded"]);
  });

  test("ask for nothing while the address holds a range that runs backwards", async () => {
    const { actor, gateway, settled } = statistics({}, "?period=custom&start=2026-02-03&end=2026-02-01");
    await settled();
    expect([gateway.fetchTotal.mock.calls, gateway.fetchConversion.mock.calls]).toEqual([[], []]);
    expect(selectIsAwaitingDates(actor.getSnapshot())).toBe(true);
    actor.send({ type: "dates.choose", start: "2026-02-01", end: "2026-02-03" });
    await settled();
    expect(gateway.fetchTotal).toHaveBeenCalledTimes(1);
  });

  test("tell why the server refuses a range", async () => {
    const { actor, settled, warnings } = statistics(
      { fetchVolume: () => Promise.reject({ status: 422, body: { message: "Choose a later end." } }) },
      "?period=custom&start=2026-02-01&end=2026-02-03",
    );
    await settled();
    expect(selectRefusal(actor.getSnapshot())).toEqual("Choose a later end.");
    expect(warnings).toEqual(["the figures were not loaded"]);
    actor.send({ type: "period.choose", name: "1d" });
    expect(selectRefusal(actor.getSnapshot())).toBeNull();
  });

  test("begin with the period of the address and keep each choice there", async () => {
    const { actor, gateway, remembered, settled } = statistics({}, "?period=custom&start=2026-02-01&end=2026-02-03");
    await settled();
    expect(gateway.fetchTotal.mock.calls.map(([asked]) => asked)).toEqual([
      { start: "2026-02-01T00:00:00.000Z", end: "2026-02-03T23:59:59.999Z" },
    ]);
    expect(remembered).toEqual([]);
    actor.send({ type: "dates.choose", start: "2026-02-02", end: "2026-02-03" });
    actor.send({ type: "period.choose", name: "30d" });
    actor.send({ type: "period.choose", name: "7d" });
    expect(remembered).toEqual(["?period=custom&start=2026-02-02&end=2026-02-03", "?period=30d", ""]);
    expect(remembered.map(periodOf)).toEqual([
      { name: "custom", start: "2026-02-02", end: "2026-02-03" },
      { name: "30d", start: "", end: "" },
      { name: "7d", start: "", end: "" },
    ]);
    expect(periodOf("?period=custom&start=soon&end=2026-13-45")).toEqual({ name: "custom", start: "", end: "" });
  });

  test("show the newest period only, however slowly the older answers", async () => {
    const answers: ((total: number) => void)[] = [];
    const { actor, until, warnings } = statistics({
      fetchTotal: (_range, signal) =>
        new Promise((resolve, reject) => {
          answers.push(resolve);
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    });
    actor.send({ type: "period.choose", name: "30d" });
    actor.send({ type: "period.choose", name: "1d" });
    await until(() => expect(answers).toHaveLength(3));
    answers[2]?.(1);
    answers[0]?.(7);
    answers[1]?.(30);
    await until(() => expect(selectFigures(actor.getSnapshot()).total).toBe(1));
    expect(warnings).toEqual([]);
  });
});

describe("periods", () => {
  test.each([
    ["1d", "2026-03-10T00:00:00.000Z"],
    ["7d", "2026-03-04T00:00:00.000Z"],
    ["30d", "2026-02-09T00:00:00.000Z"],
  ] as const)("%s begins at %s and includes today", (name, start) => {
    expect(rangeOf({ name, start: "", end: "" }, NOW)).toEqual({ start, end: "2026-03-10T23:59:59.999Z" });
  });

  test("a custom date with a time is taken as it is", () => {
    const period = { name: "custom", start: "2026-03-01T08:00:00.000Z", end: "2026-03-02T08:00:00.000Z" } as const;
    expect(rangeOf(period, NOW)).toEqual({ start: period.start, end: period.end });
  });

  test("days without leads count as zero, and a day that comes twice adds up", () => {
    const range = { start: "2026-02-27T00:00:00.000Z", end: "2026-03-02T23:59:59.999Z" };
    const volume = [
      { day: "2026-02-28", lead_count: 2 },
      { day: "2026-02-28T00:00:00Z", lead_count: 1 },
    ];
    expect(fillDays(volume, range)).toEqual([
      { day: "2026-02-27", lead_count: 0 },
      { day: "2026-02-28", lead_count: 3 },
      { day: "2026-03-01", lead_count: 0 },
      { day: "2026-03-02", lead_count: 0 },
    ]);
    expect(fillDays(volume, { start: range.end, end: range.start })).toEqual([]);
  });
});

describe("figures by stage", () => {
  const breakdown = [
    { stage_id: "c", count: 1 },
    { stage_id: "gone", count: 1 },
    { stage_id: "a", count: 4 },
  ];

  test("stand in the stages' order with their share to one decimal, the unknown last and grey", () => {
    expect(stageFigures(breakdown, stages)).toEqual([
      { id: "a", name: "A", count: 4, share: 66.7, color: FALLBACK_PALETTE[0] },
      { id: "c", name: "C", count: 1, share: 16.7, color: FALLBACK_PALETTE[1] },
      { id: "gone", name: "Unknown", count: 1, share: 16.7, color: "#999999" },
    ]);
    expect(stageFigures([{ stage_id: "b", count: 1 }], stages)[0]?.color).toBe("#ff0000");
  });

  test("leave a palette colour to the stage that chose it", () => {
    const chosen = [stage("a", 1), stage("b", 2, FALLBACK_PALETTE[0])];
    const colors = stageFigures(
      chosen.map(({ id }) => ({ stage_id: id, count: 1 })),
      chosen,
    ).map(({ color }) => color);
    expect(colors).toEqual([FALLBACK_PALETTE[1], FALLBACK_PALETTE[0]]);
  });

  test("go from stage to stage by all who are at least that far", () => {
    expect(stageSteps(breakdown, stages)).toEqual([
      { from: "A", to: "B", rate: 20, color: "#ff0000" },
      { from: "B", to: "C", rate: 100, color: FALLBACK_PALETTE[1] },
    ]);
    expect(stageSteps([], stages).map(({ rate }) => rate)).toEqual([null, null]);
    expect(stageSteps([], [])).toEqual([]);
  });

  test("follow the funnel in its order", () => {
    const step = { current: 1, next_rate: null, median_hours_in_stage: null };
    expect(
      cumulativePoints([
        { ...step, stage_id: "b", name: "B", order: 2, reached: 1, cumulative_rate: 25 },
        { ...step, stage_id: "a", name: "A", order: 1, reached: 4, cumulative_rate: 100 },
      ]),
    ).toEqual([
      { name: "A", reached: 4, rate: 100 },
      { name: "B", reached: 1, rate: 25 },
    ]);
  });

  test("the palette has seven colours, all different", () => {
    expect(new Set(FALLBACK_PALETTE).size).toBe(7);
  });
});
