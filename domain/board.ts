import * as v from "valibot";
import { Lead } from "./lead.ts";

/** A stage's column: how many leads match, the sum of their value field, and the first leads. */
export const BoardColumn = v.object({
  stage_id: v.pipe(
    v.nullable(v.union([v.string(), v.number()])),
    v.transform((id) => (id === null ? null : String(id))),
    v.nullable(v.string()),
  ),
  total: v.number(),
  /** null if no field is the value field */
  value: v.optional(v.nullable(v.number()), null),
  leads: v.array(Lead),
});
export type BoardColumn = v.InferOutput<typeof BoardColumn>;

/** `GET /board`: one column per stage. */
export const Board = v.object({ columns: v.array(BoardColumn) });
export type Board = v.InferOutput<typeof Board>;
