/**
 * What a column of an archive's table holds. `id` and `ref` are uuids that get others on the way in, `row` a number that only counts
 * rows of another table, `texts` and `refs` JSON lists, `bytes` base64.
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
  /** the column of the table, where its name is another */
  of?: string;
  isNullable?: true;
  /** the most characters of a text */
  most?: number;
  oneOf?: readonly string[];
  /** exports made before it lack it */
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

/** A row of a part: its values by the columns' names. */
export type Row = Record<string, string | null>;

/** Columns by the reason that keeps them out. */
type Reasons = Readonly<Record<string, readonly string[]>>;

/** A table with an owner's data. Each of its columns is named once: the JSON export and the archive read what is listed here. */
export type OwnedTable = {
  table: string;
  /** the column with the owner's id, which is exported; null where a row is the owner's through its lead */
  owner: "id" | "owner_id" | "user_id" | null;
  /** pages of the JSON export are ordered by it */
  key: string;
  keyType: "uuid" | "bigint";
  /** in the archive, and in the JSON export too unless `isArchiveOnly` */
  columns?: readonly Pick<Column, "name" | "of" | "isArchiveOnly">[];
  /** in the JSON export alone */
  jsonOnly?: Reasons;
  /** in neither */
  leftOut?: Reasons;
};

/** A table of the archive: its file is `<name>.csv`. */
export type Part = Omit<OwnedTable, "columns"> & {
  name: PartName;
  columns: readonly Column[];
  /** what orders the rows `p` */
  order: string;
  /** what of the owner's rows `p` is in it */
  where?: string;
};

/** The most common owner and key. */
export const OWNED = { owner: "owner_id", key: "id", keyType: "uuid" } as const;
export const NUMBERED = { ...OWNED, keyType: "bigint" } as const;

/** @param type followed by a question mark where the cell may be empty */
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
