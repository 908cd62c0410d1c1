import * as v from "valibot";
import { StepRef } from "./story.ts";
import { fieldProblem } from "./schema-message.ts";

export const FORECAST_DEFAULT_HOURS = 24;
export const FORECAST_MAX_HOURS = 168;
/** Number of listed items, soonest first; `by_hour` and `total` count all. */
export const FORECAST_LISTED = 500;

export const FORECAST_KINDS = ["reply", "manual", "followup", "reminder", "bulk"] as const;
export type ForecastKind = (typeof FORECAST_KINDS)[number];

/**
 * A message that will be sent automatically if no lead writes. `at` is ISO; `lead` is null for a digest; `step` is null for what
 * is not a follow-up; `preview` is the beginning of the message, with its placeholders filled.
 */
export const ForecastItem = v.object({
  at: v.string(),
  kind: v.picklist(FORECAST_KINDS),
  lead: v.nullable(v.object({ id: v.string(), name: v.nullable(v.string()) })),
  step: v.nullable(StepRef),
  preview: v.string(),
});
export type ForecastItem = v.InferOutput<typeof ForecastItem>;

/**
 * `GET /forecast`: what will be sent from `now` until `until`, soonest first, and how many leads are waiting in each state.
 * `by_hour` has each UTC hour in that time, by its start.
 */
export const Forecast = v.object({
  now: v.string(),
  until: v.string(),
  items: v.array(ForecastItem),
  waiting: v.array(v.object({ state: v.string(), count: v.number() })),
  by_hour: v.array(v.object({ hour: v.string(), count: v.number() })),
  total: v.optional(v.number(), 0),
});
export type Forecast = v.InferOutput<typeof Forecast>;

const hoursProblem = fieldProblem("forecast_hours", { limit: FORECAST_MAX_HOURS });

export const ForecastQuery = v.strictObject({
  hours: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, hoursProblem),
      v.transform(Number),
      v.minValue(1, hoursProblem),
      v.maxValue(FORECAST_MAX_HOURS, hoursProblem),
    ),
    String(FORECAST_DEFAULT_HOURS),
  ),
});
export type ForecastQuery = v.InferOutput<typeof ForecastQuery>;
