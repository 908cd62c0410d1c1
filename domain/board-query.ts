import type * as v from "valibot";
import { pageSize } from "./ids.ts";
import { LeadSort, withFilters } from "./lead-filter.ts";
import { LEADS_PAGE_SIZE } from "./limits.ts";

const PER_STAGE_MOST = 200;

/** `GET /board`: the list's filters and sort, and how many leads each column begins with. */
export const BoardQuery = withFilters({
  per_stage: pageSize(PER_STAGE_MOST, LEADS_PAGE_SIZE),
  sort: LeadSort,
});
export type BoardQuery = v.InferOutput<typeof BoardQuery>;
