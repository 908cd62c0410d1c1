import * as v from "valibot";
import { LOCALE_TAGS } from "./locales.ts";

/** What may be wrong with a field, by code: the end of a sentence about it. */
const FIELD_PROBLEMS = {
  missing: () => "is missing",
  object: () => "must be an object",
  text: () => "must be a text",
  flag: () => "must be true or false",
  list: () => "must be a list",
  null: () => "must be null",
  one_of: ({ choices }: { choices: string }) => `must be ${choices}`,
  at_least: ({ limit }: { limit: string }) => `must be at least ${limit}`,
  at_most: ({ limit }: { limit: string }) => `must be at most ${limit}`,
  too_long: ({ limit, unit }: { limit: string; unit: "characters" | "entries" }) => `may have ${limit} ${unit} at most`,
  whole_days: () => "must be whole days",
  whole_hour: () => "must be a whole hour",
  hour_of_day: () => "must be from 0 to 23",
  time_zone: () => "must be a time zone's name, such as Europe/Berlin, or null for UTC",
  language: () => `must be one of ${LOCALE_TAGS.join(", ")}, or null to follow the browser`,
  cursor: () => "must be the next of a page",
  not_empty: () => "must not be empty",
  request_key: () => "must have 1 to 255 letters, digits or signs, without spaces",
  tag_id: () => "must be a tag's id",
  colour: () => "must be a colour such as #1f8a4c",
  whole_hours: () => "must be whole hours",
  whole_number: () => "must be a whole number",
  number: () => "must be a number",
  id: () => "must be an id",
  iso_time: () => "must be an ISO time such as 2026-03-05T09:00:00Z",
  too_many_columns: () => "has too many columns",
  message_id: () => "must be a message's id",
  scope: () => "must be read, write or send",
  batch_action: () => "must be one of move, tag, untag, hold, resume, exclude",
  user_id: () => "must be a Telegram user's id",
  automation_action: () => "must be skip, hold or resume",
  delivery_id: () => "must be a delivery's id",
  item_id: () => "must be an item's id",
  view_query: () => "must be the list's filters and sort, such as q=price&sort=-created_at",
} as const satisfies Record<string, (params: never) => string>;

type FieldProblems = typeof FIELD_PROBLEMS;
export type FieldProblemCode = keyof FieldProblems;
const CODE_NAMES = Object.keys(FIELD_PROBLEMS) as FieldProblemCode[];
type ParamsOf<Code extends FieldProblemCode> = Parameters<FieldProblems[Code]>;

export const isFieldProblemCode = (code: string | null): code is FieldProblemCode =>
  code !== null && Object.hasOwn(FIELD_PROBLEMS, code);

/** Says what is wrong with a field, as the end of a sentence: 'must be at least 5'. */
export const fieldPredicate = <Code extends FieldProblemCode>(code: Code, ...params: ParamsOf<Code>): string =>
  (FIELD_PROBLEMS[code] as (...given: ParamsOf<Code>) => string)(...params);

/** Says what is wrong with a field, as the API's answer does: 'Must be at least 5.' */
export function fieldMessage<Code extends FieldProblemCode>(code: Code, ...params: ParamsOf<Code>): string {
  const predicate = fieldPredicate(code, ...params);
  return `${predicate.charAt(0).toUpperCase()}${predicate.slice(1)}.`;
}

const CODES = new Map(
  CODE_NAMES.filter((code) => FIELD_PROBLEMS[code].length === 0).map((code) => [fieldMessage(code as "missing"), code]),
);

/** Returns the code of a schema's own message, null when it is a whole sentence. */
export const fieldProblemCode = (message: string): FieldProblemCode | null => CODES.get(message) ?? null;

/**
 * An error answer about fields at fault. `field` is a path, such as `keywords.3`; without a code the field's message is a whole sentence.
 */
export const FieldRefusal = v.looseObject({
  fields: v.record(v.string(), v.string()),
  params: v.object({
    problems: v.pipe(
      v.array(
        v.object({
          field: v.string(),
          // Of FIELD_PROBLEMS or PROBLEM_MESSAGES; a newer server may know more.
          code: v.nullable(v.string()),
          params: v.record(v.string(), v.unknown()),
        }),
      ),
      v.minLength(1),
    ),
  }),
});
export type FieldProblem = v.InferOutput<typeof FieldRefusal>["params"]["problems"][number];
