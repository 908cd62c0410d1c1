import * as v from "valibot";
import { LeadSort, withFilters } from "./lead-filter.ts";
import { LEADS_PAGE_SIZE } from "./limits.ts";

const PER_STAGE_MOST = 200;

/** `GET /board`: the list's filters and sort, and how many leads each column begins with. */
export const BoardQuery = withFilters({
  per_stage: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,4}$/, "Must be a whole number."),
      v.transform(Number),
      v.minValue(1),
      v.maxValue(PER_STAGE_MOST),
    ),
    String(LEADS_PAGE_SIZE),
  ),
  sort: LeadSort,
});
export type BoardQuery = v.InferOutput<typeof BoardQuery>;
