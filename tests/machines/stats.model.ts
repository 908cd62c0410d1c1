import type { AnyEventObject } from "xstate";
import type { Stage } from "../../domain/stage.ts";
import { createStats } from "../../src/machines/stats/stats.machine.ts";
import { done, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const stage = (id: string, order: number, color = "#999999"): Stage => ({
  id,
  name: id.toUpperCase(),
  color,
  order,
  keywords: ["x"],
});
export const stages = [stage("a", 1), stage("b", 2, "#ff0000"), stage("c", 3)];
export const figures = {
  volume: [{ day: "2026-03-10", lead_count: 4 }],
  total: 4,
  breakdown: [{ stage_id: "a", count: 4 }],
  funnel: [],
};
export const conversion = { percentage: 25, count: 1, total: 4 };

const statsMachine = createStats(fakePage(), { now: () => 0, rememberPeriod: () => {} });

const events: AnyEventObject[] = [
  ...done("listStages", stages),
  ...done("fetchFigures", figures, { ...figures, volume: null }),
  ...done("fetchConversion", conversion),
  ...done("refreshStages", stages),
  { type: "period.choose", name: "1d" },
  { type: "period.choose", name: "custom" },
  { type: "dates.choose", start: "2026-03-01", end: "2026-03-02" },
  { type: "dates.choose", start: "2026-03-01", end: "" },
  { type: "conversionStage.choose", stageId: "b" },
  { type: "conversionStage.choose", stageId: "" },
];

const input = { period: { name: "7d", start: "", end: "" } };

export const statsModel = modelOf(statsMachine, {
  input,
  events,
  // Refreshes are sent only while nothing is loading, and choices only while the stages are current. The chart itself raises `stages.renewed`.
  allow: (snapshot, { type }) =>
    type !== "stages.renewed" &&
    (!type.endsWith(".choose") || !["refreshing", "outdated"].includes(String(snapshot.value.stages))) &&
    (type !== "reading.refresh" ||
      (snapshot.context.period.name === "7d" &&
        ["shown", "incomplete"].includes(String(snapshot.value.figures)) &&
        ["shown", "failed", "absent"].includes(String(snapshot.value.conversion)))),
  project: ({ value, context }) => [value, context.period, context.conversionStageId === ""],
});
