import * as v from "valibot";
import { fieldProblem } from "./schema-message.ts";
import { Id } from "./schema-parts.ts";

/** Maximum number of leads that can be listed by id; more are chosen by filters. */
const NAMED_LEADS_MAX = 5_000;

/** Lead ids without duplicates. */
export const LeadIds = v.pipe(
  v.array(Id),
  v.minLength(1, fieldProblem("lead_missing")),
  v.maxLength(NAMED_LEADS_MAX, fieldProblem("too_many_leads", { limit: NAMED_LEADS_MAX })),
  v.transform((given) => [...new Set(given)]),
);

/** The same in a form, where the list is written as JSON. */
export const LeadIdsText = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      return JSON.parse(dataset.value) as unknown;
    } catch {
      addIssue({ message: fieldProblem("ids", { example: '["<id>", "<id>"]' }) });
      return NEVER;
    }
  }),
  LeadIds,
);
