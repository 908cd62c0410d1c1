import * as v from "valibot";
import { Timestamp } from "./schema-parts.ts";
import type { RANGE_PROBLEMS } from "./time-range.ts";

export const DailyVolume = v.object({ day: v.string(), lead_count: v.number() });
export type DailyVolume = v.InferOutput<typeof DailyVolume>;
export const StatsTotal = v.object({ total: v.number() });
export const StageShare = v.object({
  stage_id: v.nullable(v.union([v.string(), v.number()])),
  count: v.number(),
  /** the sum of the leads' value field; absent if no field is the value field */
  value: v.optional(v.number()),
});
export type StageShare = v.InferOutput<typeof StageShare>;

export const FunnelStep = v.object({
  stage_id: v.string(),
  name: v.string(),
  order: v.number(),
  /** leads of the range now in this stage */
  current: v.number(),
  /** leads of the range whose furthest stage is this one or beyond */
  reached: v.number(),
  /** percent of this stage's `reached` that reached the next; null for the last or when none */
  next_rate: v.nullable(v.number()),
  /** percent of the first stage's `reached`; null when none */
  cumulative_rate: v.nullable(v.number()),
  median_hours_in_stage: v.nullable(v.number()),
});
export type FunnelStep = v.InferOutput<typeof FunnelStep>;

export const Conversion = v.object({ percentage: v.nullable(v.number()), count: v.number(), total: v.number() });
export type Conversion = v.InferOutput<typeof Conversion>;

export const StatsRange = v.strictObject({ start: Timestamp, end: Timestamp });

/** Ten years of days: more points than a chart can show, and a limit to the cost of one request. */
const MAX_RANGE_MS = 3_660 * 86_400_000;

/** Returns the code of what is wrong with a range; null if it is valid. */
export function rangeProblem({ start, end }: { start: string; end: string }): keyof typeof RANGE_PROBLEMS | null {
  const length = Date.parse(end) - Date.parse(start);
  if (length < 0) return "end_before_start";
  return length > MAX_RANGE_MS ? "range_too_long" : null;
}

const stageRef = v.union([
  v.pipe(v.string(), v.maxLength(100)),
  v.pipe(
    v.looseObject({ id: v.pipe(v.string(), v.maxLength(100)), order: v.nullable(v.number()) }),
    v.transform(({ id, order }) => ({ id, order })),
  ),
]);
export const ConversionRequest = v.strictObject({
  stage_id: v.pipe(v.string(), v.maxLength(100)),
  start: Timestamp,
  end: Timestamp,
  stages: v.pipe(v.array(stageRef), v.maxLength(1000)),
});
export type ConversionRequest = v.InferOutput<typeof ConversionRequest>;

/** A percentage rounded to one decimal, null when there is nothing to divide by. */
export function percentage(part: number, whole: number): number | null {
  return whole > 0 ? Math.round((part / whole) * 1000) / 10 : null;
}
