import * as v from "valibot";
import { Lead } from "./lead.ts";

/** One stage's column as the API answers it: how many leads match, what their value field sums up to, and the first of them. */
export const BoardColumn = v.object({
  stage_id: v.pipe(
    v.nullable(v.union([v.string(), v.number()])),
    v.transform((id) => (id === null ? null : String(id))),
    v.nullable(v.string()),
  ),
  total: v.number(),
  /** null where no field is the value */
  value: v.optional(v.nullable(v.number()), null),
  leads: v.array(Lead),
});
export type BoardColumn = v.InferOutput<typeof BoardColumn>;

/** `GET /board`: a column a stage. */
export const Board = v.object({ columns: v.array(BoardColumn) });
export type Board = v.InferOutput<typeof Board>;
