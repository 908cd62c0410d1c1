import * as v from "valibot";
import { fieldProblem } from "./schema-message.ts";
import { Id, Timestamp, WholeNumber, pageSize } from "./schema-parts.ts";
import { NAME_MAX_CHARS, LEADS_PAGE_SIZE } from "./limits.ts";

/** A custom field, by id. */
export const FIELD_KEY = /^field\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SORTS = ["created_at", "last_message_at", "name", "stage_entered_at"];
const TAGS_AT_ONCE = 20;
const QUERY_MAX_CHARS = 4_000;

const truth = v.pipe(
  v.picklist(["true", "false"]),
  v.transform((value) => value === "true"),
);
const someText = v.pipe(v.string(), v.maxLength(NAME_MAX_CHARS));

/** All filters of a list of leads, as in an address; `field.<id>` filters by a custom field. */
const filters = {
  name: v.optional(someText),
  username: v.optional(someText),
  stage_id: v.optional(v.pipe(v.string(), v.maxLength(100))),
  followup_order_sent: v.optional(WholeNumber),
  created_start: v.optional(Timestamp),
  created_end: v.optional(Timestamp),
  awaiting_reply: v.optional(truth),
  /** found in names, usernames, notes and messages */
  q: v.optional(someText),
  /** all of them must hold */
  tag: v.optional(
    v.pipe(
      v.union([
        v.pipe(v.array(Id), v.maxLength(TAGS_AT_ONCE)),
        v.pipe(
          Id,
          v.transform((id) => [id]),
        ),
      ]),
      v.transform((ids) => [...new Set(ids)]),
    ),
  ),
  opted_out: v.optional(truth),
  unreachable: v.optional(truth),
};

/** The order of a list of leads; newest first by default. */
export const LeadSort = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (text) => {
        const key = text.replace(/^-/, "");
        return SORTS.includes(key) || FIELD_KEY.test(key);
      },
      fieldProblem("sort", { choices: [...SORTS, "field.<id>"] }),
    ),
  ),
);

type Entries = Record<string, v.GenericSchema>;

/** The filters, and `entries` besides; any other key is refused. */
/* @__NO_SIDE_EFFECTS__ */
export const withFilters = <const E extends Entries>(entries: E) =>
  v.pipe(
    v.looseObject({ ...filters, ...entries }),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const input: Record<string, unknown> = dataset.value;
      const { created_start: start, created_end: end } = input;
      if (typeof start === "string" && typeof end === "string" && Date.parse(start) > Date.parse(end))
        addIssue({
          message: fieldProblem("range_turned_round"),
          path: [{ type: "object", origin: "value", input, key: "created_end", value: end }],
        });
      for (const [key, value] of Object.entries(input)) {
        if (Object.hasOwn(filters, key) || Object.hasOwn(entries, key)) continue;
        const message = FIELD_KEY.test(key) ? filterValueProblem(value) : fieldProblem("filter_unknown");
        if (message !== null) addIssue({ message, path: [{ type: "object", origin: "value", input, key, value }] });
      }
    }),
  );

const filterValueProblem = (value: unknown): string | null => {
  if (typeof value !== "string") return fieldProblem("once");
  return value.length > NAME_MAX_CHARS
    ? fieldProblem("too_long", { limit: String(NAME_MAX_CHARS), unit: "characters" })
    : null;
};

/** Filters and order of a list of leads: stored in a view, and used by actions on all that match. */
export const LeadFilter = withFilters({ sort: LeadSort });
export type LeadFilter = v.InferOutput<typeof LeadFilter>;

/** A filter's values for custom fields, by field id. */
export const fieldFilters = (filter: LeadFilter): [id: string, value: string][] =>
  Object.entries(filter).flatMap(([key, value]) =>
    FIELD_KEY.test(key) && typeof value === "string" && value !== "" ? [[key.slice("field.".length), value]] : [],
  );

/** An address's query as keys and values; a repeated key holds a list. */
function queryOf(text: string): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>();
  for (const [key, value] of new URLSearchParams(text)) {
    const before = query.get(key);
    query.set(key, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(query);
}

/** The list's filters as one string, such as `q=price&tag=<id>`. */
export const LeadFilterText = v.pipe(
  v.string(),
  v.maxLength(QUERY_MAX_CHARS),
  // Validation happens in the next step.
  v.transform((text) => queryOf(text) as v.InferInput<typeof LeadFilter>),
  LeadFilter,
);

/** True when these are valid filters. */
export const isReadableFilter = (text: string): boolean => v.safeParse(LeadFilterText, text).success;

const PER_STAGE_MOST = 200;

/** `GET /board`: the list's filters and order, and the number of leads per column. */
export const BoardQuery = withFilters({
  per_stage: pageSize(PER_STAGE_MOST, LEADS_PAGE_SIZE),
  sort: LeadSort,
});
export type BoardQuery = v.InferOutput<typeof BoardQuery>;
