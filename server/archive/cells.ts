import { fieldProblem } from "../../domain/schema-message.ts";
import { unescapeCell, escapeCell } from "../../domain/csv.ts";
import type { CellType, Column } from "../owned-data/index.ts";

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const WHOLE = /^-?\d{1,18}$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const INT_MOST = 2_147_483_647;
const GUARDED = new Set<CellType>(["text", "json", "texts", "bytes"]);

/** Writes a value as a cell. Guards text that spreadsheets would take for a formula. Null is an empty cell, an empty text is `""`. */
export const cellOf = ({ type }: Column, value: string | null): string | null =>
  value !== null && GUARDED.has(type) ? escapeCell(value) : value;

/** Reads a cell that `cellOf` wrote. `null` is an empty cell without quotation marks. */
export const valueOf = ({ type }: Column, cell: string | null): string | null =>
  cell !== null && GUARDED.has(type) ? unescapeCell(cell) : cell;

const isListOf = (text: string, isOne: (each: unknown) => boolean): boolean => {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every(isOne);
  } catch {
    return false;
  }
};
const isText = (value: unknown) => typeof value === "string" && !value.includes("\0");

/** An escaped NUL: the number of backslashes is odd. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    // Postgres rejects NUL characters in JSON, even escaped ones.
    return !NUL.test(text);
  } catch {
    return false;
  }
}

const isOfType: Record<CellType, (text: string) => boolean> = {
  id: (text) => UUID.test(text),
  ref: (text) => UUID.test(text),
  row: (text) => WHOLE.test(text) && Number(text) >= 1 && Number(text) <= INT_MOST,
  text: (text) => !text.includes("\0"),
  int: (text) => WHOLE.test(text) && Math.abs(Number(text)) <= INT_MOST,
  big: (text) => /^-?\d{1,19}$/.test(text) && BigInt(text) === BigInt.asIntN(64, BigInt(text)),
  number: (text) => NUMBER.test(text) && Number.isFinite(Number(text)),
  flag: (text) => text === "true" || text === "false",
  time: (text) => TIME.test(text) && !Number.isNaN(Date.parse(text)),
  json: isJson,
  texts: (text) => isListOf(text, isText),
  refs: (text) => isListOf(text, (each) => typeof each === "string" && UUID.test(each)),
  bytes: (text) => text.length % 4 === 0 && BASE64.test(text),
};

const WANTED: Record<CellType, string> = {
  id: "id",
  ref: "id",
  row: "whole_number",
  text: "text",
  int: "whole_number",
  big: "whole_number",
  number: "number",
  flag: "flag",
  time: "iso_time",
  json: "json",
  texts: "list",
  refs: "list",
  bytes: "base64",
};

/** Returns the problem of a value as a schema reports it, or null. */
export function cellProblem({ type, isNullable, most, oneOf }: Column, value: string | null): string | null {
  if (value === null) return isNullable ? null : "missing";
  if (!isOfType[type](value)) return WANTED[type];
  if (oneOf !== undefined && !oneOf.includes(value)) return fieldProblem("listed", { choices: oneOf });
  if (most !== undefined && value.length > most) return fieldProblem("too_long_value", { limit: String(most) });
  return null;
}
