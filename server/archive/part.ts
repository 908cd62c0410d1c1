import type { CellType, Column } from "./cells.ts";

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

/** A table of the archive: its file is `<name>.csv`. */
export type Part = {
  name: PartName;
  table: string;
  columns: readonly Column[];
  /** what orders the rows `p` */
  order: string;
  /** what of the owner's rows `p` is in it */
  where?: string;
};

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
