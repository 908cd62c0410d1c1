import * as v from "valibot";
import { isReadableFilter } from "./lead-filter.ts";
import { fieldProblem } from "./schema-message.ts";

export const VIEWS_MAX = 50;
const VIEW_NAME_MAX_CHARS = 60;
const COLUMNS_MAX = 50;

const kind = v.picklist(["list", "board"]);
const name = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, fieldProblem("view_name_missing")),
  v.maxLength(VIEW_NAME_MAX_CHARS),
);
const query = v.pipe(v.string(), v.check(isReadableFilter, fieldProblem("view_query")));
const columns = v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(60))), v.maxLength(COLUMNS_MAX));

/** A saved view: filters and order as in the list's address, and its columns; none for the default columns. */
export const View = v.object({
  id: v.string(),
  name: v.string(),
  kind,
  query: v.optional(v.string(), ""),
  columns: v.optional(v.array(v.string()), []),
});
export type View = v.InferOutput<typeof View>;
export const ViewList = v.array(View);

export const ViewCreate = v.strictObject({
  name,
  kind: v.optional(kind, "list"),
  query: v.optional(query, ""),
  columns: v.optional(columns, []),
});
export type ViewCreate = v.InferOutput<typeof ViewCreate>;

export const ViewPatch = v.strictObject({
  name: v.optional(name),
  kind: v.optional(kind),
  query: v.optional(query),
  columns: v.optional(columns),
});
export type ViewPatch = v.InferOutput<typeof ViewPatch>;
