import * as v from "valibot";
import { fieldProblem } from "./schema-message.ts";

/** An id in a path, query or body. */
export const Id = v.pipe(v.string(), v.uuid(fieldProblem("id")));

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** True for a day of the calendar written as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** ISO times that JavaScript and Postgres parse as the same moment. */
const PORTABLE_TIME = /^(?!0000).{10}T.*(?:Z|[+-](?:0\d|1[0-5]):?\d\d)$/;

export const Timestamp = v.pipe(
  v.string(),
  v.isoTimestamp(fieldProblem("iso_time")),
  v.check((text) => PORTABLE_TIME.test(text) && isDay(text.slice(0, 10)), fieldProblem("iso_time")),
);

/** A whole number, 0 or more, that arrives as text in a query. */
export const WholeNumber = v.pipe(v.string(), v.regex(/^\d{1,9}$/, fieldProblem("whole_number")), v.transform(Number));
/** `limit` and its like: how many, from 1 to `most`; without one `standard`. */
export const pageSize = (most: number, standard: number) =>
  v.optional(v.pipe(WholeNumber, v.minValue(1), v.maxValue(most)), String(standard));
/** The number of a row or of a Telegram user, in a query. @param words the error for any other value */
export const rowNumber = (words: string) => v.pipe(v.string(), v.regex(/^\d{1,18}$/, words));

/** The answer of a call that has nothing else to say. */
export const Done = v.object({ success: v.literal(true) });

/** The response of a deletion; `leads` counts those that had the deleted item. */
export const Removed = v.object({ success: v.literal(true), leads: v.optional(v.number()) });

const code = v.optional(v.nullable(v.string()));
const params = v.optional(v.record(v.string(), v.unknown()));

/** The fields of an answer beside a reason in English: its code, null for one that an earlier version stored, and its parameters. */
export const reasonEntries = <const Name extends string>(name: Name) =>
  ({ [`${name}_code`]: code, [`${name}_params`]: params }) as { [Key in `${Name}_code`]: typeof code } & {
    [Key in `${Name}_params`]: typeof params;
  };
