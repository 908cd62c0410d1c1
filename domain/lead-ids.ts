import * as v from "valibot";
import { Id } from "./ids.ts";

/** So many leads can be named one by one; more are named by the list's filters. */
const NAMED_LEADS_MAX = 5_000;

/** Leads named one by one, each once. */
export const LeadIds = v.pipe(
  v.array(Id),
  v.minLength(1, "Name at least one lead."),
  v.maxLength(
    NAMED_LEADS_MAX,
    `Name ${NAMED_LEADS_MAX} leads at most. For more, narrow the list by filters and send its query.`,
  ),
  v.transform((given) => [...new Set(given)]),
);

/** The same in a form, where the list is written as JSON. */
export const LeadIdsText = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      return JSON.parse(dataset.value) as unknown;
    } catch {
      addIssue({ message: 'Must be a list of ids such as ["<id>", "<id>"].' });
      return NEVER;
    }
  }),
  LeadIds,
);
