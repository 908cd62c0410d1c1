import * as v from "valibot";
import { fieldProblem } from "./schema-message.ts";

/** An id in a path, query or body. */
export const Id = v.pipe(v.string(), v.uuid(fieldProblem("id")));
export const Timestamp = v.pipe(v.string(), v.isoTimestamp(fieldProblem("iso_time")));

/** A whole number, 0 or more, that arrives as text in a query. */
export const WholeNumber = v.pipe(v.string(), v.regex(/^\d{1,9}$/, fieldProblem("whole_number")), v.transform(Number));
/** `limit` and its like: how many, from 1 to `most`; without one `standard`. */
export const pageSize = (most: number, standard: number) =>
  v.optional(v.pipe(WholeNumber, v.minValue(1), v.maxValue(most)), String(standard));
/** The number of a row or of somebody on Telegram, in a query. @param words what to say of anything else */
export const rowNumber = (words: string) => v.pipe(v.string(), v.regex(/^\d{1,18}$/, words));
