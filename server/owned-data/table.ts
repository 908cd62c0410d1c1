/**
 * The type of an archive column. `id` and `ref` are UUIDs that the import replaces, `row` a number that only identifies rows of another
 * table, `texts` and `refs` JSON lists, `bytes` base64.
 */
export type CellType =
  | "id"
  | "ref"
  | "row"
  | "text"
  | "int"
  | "big"
  | "number"
  | "flag"
  | "time"
  | "json"
  | "texts"
  | "refs"
  | "bytes";

export type Column = {
  name: string;
  type: CellType;
  /** the table's column, if its name differs */
  of?: string;
  isNullable?: true;
  /** the maximum characters of a text */
  most?: number;
  oneOf?: readonly string[];
  /** older archives lack it */
  isNew?: true;
  /** not in the JSON export */
  isArchiveOnly?: true;
};

export type PartName =
  | "media"
  | "stages"
  | "followups"
  | "tags"
  | "fields"
  | "snippets"
  | "views"
  | "reminders"
  | "bulk_messages"
  | "exclusions"
  | "ledger"
  | "messages"
  | "leads"
  | "lead_tags"
  | "lead_fields"
  | "stage_history"
  | "lead_events"
  | "reminder_marks";

/** A row of a part: values by column name. */
export type Row = Record<string, string | null>;

/** Columns by the reason for leaving them out. */
type Reasons = Readonly<Record<string, readonly string[]>>;

/** A table with an owner's data. Each column is listed once; the JSON export and the archive read this list. */
export type OwnedTable = {
  table: string;
  /** the column with the owner's id, which is exported; null if the row belongs to the owner through its lead */
  owner: "id" | "owner_id" | "user_id" | null;
  /** sort key for pages of the JSON export */
  key: string;
  keyType: "uuid" | "bigint";
  /** in the archive, and in the JSON export unless `isArchiveOnly` */
  columns?: readonly Pick<Column, "name" | "of" | "isArchiveOnly">[];
  /** only in the JSON export */
  jsonOnly?: Reasons;
  /** in neither */
  leftOut?: Reasons;
};

/** A table of the archive: its file is `<name>.csv`. */
export type Part = Omit<OwnedTable, "columns"> & {
  name: PartName;
  columns: readonly Column[];
  /** sort order of the rows `p` */
  order: string;
  /** restricts the owner's rows `p` */
  where?: string;
};

/** The most common owner and key. */
export const OWNED = { owner: "owner_id", key: "id", keyType: "uuid" } as const;
export const NUMBERED = { ...OWNED, keyType: "bigint" } as const;

/** @param type followed by a question mark if the cell can be empty */
export function column(
  name: string,
  type: CellType | `${CellType}?`,
  rest: Omit<Column, "name" | "type"> = {},
): Column {
  const isNullable = type.endsWith("?");
  return { name, type: type.replace("?", "") as CellType, ...(isNullable ? { isNullable: true } : {}), ...rest };
}
export const at = (name: string) => column(name, "time");
export const atOrNull = (name: string) => column(name, "time?");
export const created = at("created_at");
