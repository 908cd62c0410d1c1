import { describe, expect, test } from "vitest";
import type { Stage } from "../../domain/stage.ts";
import { periodOf, searchOf, fillDays, rangeOf } from "../../src/machines/stats/stats.period.ts";
import {
  FALLBACK_PALETTE,
  cumulativePoints,
  stageFigures,
  stageSteps,
} from "../../src/machines/stats/stats.figures.ts";
import { type StatsParts, createStats } from "../../src/machines/stats/stats.machine.ts";
import {
  type ContextOf,
  refreshableLoadInvariants,
  isCalling,
  unchecked,
  walkEveryPath,
} from "../support/invariants.ts";
import { fakePage, openJourney, returnToPage, settle } from "../support/page.ts";
import { conversion, figures, stage, stages, statsModel } from "./stats.model.ts";

const NOW = Date.parse("2026-03-10T15:30:00Z");
type Figures = ContextOf<typeof statsModel>;

const isComplete = ({ period: { name, start, end } }: Figures) => name !== "custom" || (start !== "" && end !== "");
const noFigures = { volume: null, total: null, breakdown: null, funnel: null };
const choices = ["period.choose", "dates.choose"];

walkEveryPath(statsModel, {
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
  ...refreshableLoadInvariants("stages.", "listStages"),
  "stages.loaded": {
    after: {
      "done listStages": ({ context }) => expect([context.stages, context.conversionStageId]).toEqual([stages, "c"]),
      "done refreshStages": ({ before, context }) =>
        expect([context.stages, context.conversionStageId]).toEqual([stages, before.conversionStageId]),
    },
    accepts: ["reading.refresh"],
  },
  "stages.refreshing": { after: ["reading.refresh", "reading.retry"], holds: isCalling("refreshStages") },
  "stages.outdated": { after: ["error refreshStages"], accepts: ["reading.refresh", "reading.retry"] },
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
      ...unchecked("done listStages", "stages.renewed", "period.choose", "dates.choose", "reading.retry"),
      "conversionStage.choose": ({ context }) => expect(context.conversionStageId).toEqual("b"),
    },
    accepts: ["stages.renewed"],
    holds: ({ context, calls }) => {
      const { period, conversionStageId: stageId } = context;
      expect(isComplete(context)).toEqual(true);
      isCalling("fetchConversion", { period, stageId, stages })({ calls });
    },
  },
  "conversion.shown": {
    after: { "done fetchConversion": ({ context }) => expect(context.conversion).toEqual(conversion) },
    accepts: ["stages.renewed"],
  },
  "conversion.failed": {
    after: { "error fetchConversion": ({ context }) => expect(context.conversion).toEqual(null) },
    accepts: ["reading.retry", "stages.renewed"],
  },
});

type Service = NonNullable<StatsParts["stats"]>;

async function startStats(overrides: Partial<Service> = {}, search = "") {
  const page = fakePage();
  const requests: Record<"total" | "conversion", unknown[]> = { total: [], conversion: [] };
  const logic = createStats(page, {
    now: () => NOW,
    rememberPeriod: () => {},
    stats: {
      listStages: async () => stages,
      fetchVolume: async () => [{ day: "2026-03-09", lead_count: 3 }],
      fetchTotal: async (range) => requests.total.push(range),
      fetchBreakdown: async () => [{ stage_id: "b", count: 3 }],
      fetchFunnel: async () => [],
      fetchConversion: async (request) => (requests.conversion.push(request), conversion),
      ...overrides,
    },
  });
  const journey = await openJourney(logic, { input: { period: periodOf(search) } });
  return { ...journey, requests, logged: page.logged };
}

test("loads the last seven days and the conversion to the last stage by order", async () => {
  const { context, requests } = await startStats();
  const range = { start: "2026-03-04T00:00:00.000Z", end: "2026-03-10T23:59:59.999Z" };
  expect(requests).toEqual({ total: [range], conversion: [{ ...range, stageId: "c", stages }] });
  expect(context().figures.volume).toHaveLength(7);
});

test.each([
  [
    "the other figures when one fails",
    new Error("offline"),
    { figures: { volume: null, total: 1, breakdown: [{ stage_id: "b", count: 3 }], funnel: [] }, refusal: null },
    "the lead volume was not loaded",
  ],
  [
    "the server's reason for refusing a period",
    { status: 422, body: { message: "Choose a later end." } },
    { figures: noFigures, refusal: "Choose a later end." },
    "the figures were not loaded",
  ],
])("shows %s", async (_what, error, shown, log) => {
  const { context, logged } = await startStats({ fetchVolume: () => Promise.reject(error) });
  expect(context()).toMatchObject(shown);
  expect(logged).toEqual([log]);
});

test("shows stages added elsewhere when the page returns, and keeps the chosen one", async () => {
  let listed = stages;
  const { go, context, requests } = await startStats({ listStages: async () => listed });
  await go({ type: "conversionStage.choose", stageId: "b" });
  listed = [...stages, stage("d", 4)];
  await returnToPage();
  expect([context().stages, context().conversionStageId]).toEqual([listed, "b"]);
  expect(requests.conversion.at(-1)).toMatchObject({ stageId: "b", stages: listed });
});

test("reloads the conversion when the stages change, and requests none without stages", async () => {
  let listed = stages;
  const requested: string[] = [];
  const { context, snapshot } = await startStats({
    listStages: async () => listed,
    fetchConversion: ({ stageId }) => {
      requested.push(stageId);
      return stageId === "b" ? Promise.resolve(conversion) : new Promise(() => {});
    },
  });
  listed = stages.slice(0, 2);
  await returnToPage();
  expect(context()).toMatchObject({ conversionStageId: "b", conversion });
  listed = [];
  await returnToPage();
  expect([snapshot().value.conversion, context().conversion, requested]).toEqual(["absent", null, ["c", "b"]]);
});

test("requests nothing while the range is reversed", async () => {
  const { go, snapshot, requests } = await startStats({}, "?period=custom&start=2026-02-03&end=2026-02-01");
  expect([requests, snapshot().value.figures]).toEqual([{ total: [], conversion: [] }, "awaitingDates"]);
  await go({ type: "dates.choose", start: "2026-02-01", end: "2026-02-03" });
  expect(requests.total).toEqual([{ start: "2026-02-01T00:00:00.000Z", end: "2026-02-03T23:59:59.999Z" }]);
});

test("shows only the newest period, however late the older response is", async () => {
  const answers: ((total: number) => void)[] = [];
  const { go, context, logged } = await startStats({
    fetchTotal: (_range, signal) =>
      new Promise((resolve, reject) => {
        answers.push(resolve);
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      }),
  });
  await go({ type: "period.choose", name: "30d" }, { type: "period.choose", name: "1d" });
  for (const [place, total] of [1, 7, 30].entries()) answers.at(-1 - place)?.(total);
  await settle();
  expect([answers.length, context().figures.total, logged]).toEqual([3, 1, []]);
});

describe("periods", () => {
  test.each([
    ["1d", "2026-03-10T00:00:00.000Z"],
    ["7d", "2026-03-04T00:00:00.000Z"],
    ["30d", "2026-02-09T00:00:00.000Z"],
  ] as const)("%s begins at %s and includes today", (name, start) => {
    expect(rangeOf({ name, start: "", end: "" }, NOW)).toEqual({ start, end: "2026-03-10T23:59:59.999Z" });
  });

  test.each([
    ["?period=custom&start=2026-02-02&end=2026-02-03", { name: "custom", start: "2026-02-02", end: "2026-02-03" }],
    ["?period=30d", { name: "30d", start: "", end: "" }],
    ["", { name: "7d", start: "", end: "" }],
  ] as const)("are restored from the address %j", (search, period) => {
    expect([periodOf(search), searchOf(period)]).toEqual([period, search]);
  });

  test("have no dates when the address has none", () => {
    expect(periodOf("?period=custom&start=soon&end=2026-13-45")).toEqual({ name: "custom", start: "", end: "" });
  });

  test("keep a custom date that has a time", () => {
    const period = { name: "custom", start: "2026-03-01T08:00:00.000Z", end: "2026-03-02T08:00:00.000Z" } as const;
    expect(rangeOf(period, NOW)).toEqual({ start: period.start, end: period.end });
  });

  test("count days without leads as zero, and add up repeated days", () => {
    const range = { start: "2026-02-27T00:00:00.000Z", end: "2026-03-02T23:59:59.999Z" };
    const volume = [
      { day: "2026-02-28", lead_count: 2 },
      { day: "2026-02-28T00:00:00Z", lead_count: 1 },
    ];
    const days = fillDays(volume, range).map(({ day, lead_count }) => `${day.slice(5)}: ${lead_count}`);
    expect(days).toEqual(["02-27: 0", "02-28: 3", "03-01: 0", "03-02: 0"]);
    expect(fillDays(volume, { start: range.end, end: range.start })).toEqual([]);
  });
});

describe("figures by stage", () => {
  const breakdown = [
    { stage_id: "c", count: 1 },
    { stage_id: "gone", count: 1 },
    { stage_id: "a", count: 4 },
  ];

  test("follow the stages' order with their share to one decimal, the unknown last and grey", () => {
    expect(stageFigures(breakdown, stages, "Unknown")).toEqual([
      { id: "a", name: "A", count: 4, share: 66.7, color: "#999999" },
      { id: "c", name: "C", count: 1, share: 16.7, color: FALLBACK_PALETTE[0] },
      { id: "gone", name: "Unknown", count: 1, share: 16.7, color: "#999999" },
    ]);
    expect(stageFigures([{ stage_id: "b", count: 1 }], stages, "Unknown")[0]?.color).toBe("#ff0000");
  });

  test("have a palette of seven colours", () => expect(new Set(FALLBACK_PALETTE).size).toEqual(7));

  const colorsOf = (chosen: Stage[]) => {
    const one = chosen.map(({ id }) => ({ stage_id: id, count: 1 }));
    return stageFigures(one, chosen, "Unknown").map(({ color }) => color);
  };

  test("draw the first grey stage grey, and the next ones in unused colours", () => {
    const chosen = [stage("a", 1), stage("b", 2, FALLBACK_PALETTE[0]), stage("c", 3)];
    expect(colorsOf(chosen)).toEqual(["#999999", FALLBACK_PALETTE[0], FALLBACK_PALETTE[1]]);
  });

  test.each([1, 2])("keep each stage's own colour with %i unused palette colours", (left) => {
    const own = FALLBACK_PALETTE.slice(left);
    const chosen = [...own.map((color, at) => stage(`own ${at}`, at, color)), stage("grey", 8), stage("also grey", 9)];
    expect(colorsOf(chosen)).toEqual([...own, "#999999", FALLBACK_PALETTE[0]]);
  });

  test("compute each conversion from leads that came at least that far", () => {
    expect(stageSteps(breakdown, stages, "Unknown")).toEqual([
      { from: "A", to: "B", rate: 20, color: "#ff0000" },
      { from: "B", to: "C", rate: 100, color: FALLBACK_PALETTE[0] },
    ]);
    expect(stageSteps([], stages, "Unknown").map(({ rate }) => rate)).toEqual([null, null]);
    expect(stageSteps([], [], "Unknown")).toEqual([]);
  });

  test("keep the funnel's order", () => {
    const step = { current: 1, next_rate: null, median_hours_in_stage: null };
    const points = cumulativePoints([
      { ...step, stage_id: "b", name: "B", order: 2, reached: 1, cumulative_rate: 25 },
      { ...step, stage_id: "a", name: "A", order: 1, reached: 4, cumulative_rate: 100 },
    ]);
    expect(points.map(({ name, reached, rate }) => [name, reached, rate].join())).toEqual(["A,4,100", "B,1,25"]);
  });
});
