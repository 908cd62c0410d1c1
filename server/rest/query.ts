import { sql, type RawBuilder } from "kysely";
import type { Table } from "./catalog.ts";
import { badQuery, RestProblem } from "./problem.ts";

export type Sql = RawBuilder<unknown>;
export type ReadQuery = { columns: Sql; where: Sql; order: Sql; limit: number; offset: number };

/** As Supabase's own default: no single read gives more rows. */
export const MAX_ROWS = 1_000;

const OPERATORS: Record<string, string> = { eq: "=", neq: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" };
const RESERVED = new Set(["select", "order", "limit", "offset", "columns", "on_conflict"]);
const IS_VALUES: Record<string, Sql> = {
  null: sql`null`,
  not_null: sql`not null`,
  true: sql`true`,
  false: sql`false`,
  unknown: sql`unknown`,
};

function column(table: Table, name: string): Sql {
  if (table.columns.has(name)) return sql`t.${sql.id(name)}`;
  throw new RestProblem(400, "42703", `column ${table.name}.${name} does not exist`);
}

/** Splits at commas outside of double quotes and unquotes each part. */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let current = "";
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] ?? "";
    if (quoted && char === "\\") current += text[(index += 1)] ?? "";
    else if (char === '"') quoted = !quoted;
    else if (char === "," && !quoted) {
      parts.push(current);
      current = "";
    } else current += char;
  }
  if (quoted) throw badQuery("A quoted value has no end.");
  return [...parts, current];
}

function filter(table: Table, name: string, expression: string): Sql {
  const isNegated = expression.startsWith("not.");
  const rest = isNegated ? expression.slice(4) : expression;
  const dot = rest.indexOf(".");
  const operator = rest.slice(0, dot);
  const value = rest.slice(dot + 1);
  const condition = compare(table, name, operator, value);
  return isNegated ? sql`not (${condition})` : condition;
}

function compare(table: Table, name: string, operator: string, value: string): Sql {
  const target = column(table, name);
  const typed = (text: string) => sql`cast(${text}::text as ${sql.raw(table.columns.get(name) ?? "text")})`;
  const comparison = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (comparison !== undefined) return sql`${target} ${sql.raw(comparison)} ${typed(value)}`;
  if (operator === "is") {
    const wanted = Object.hasOwn(IS_VALUES, value) ? IS_VALUES[value] : undefined;
    if (wanted === undefined) throw badQuery(`"is" takes null, not_null, true, false or unknown, for ${name}.`);
    return sql`${target} is ${wanted}`;
  }
  if (operator === "in" && value.startsWith("(") && value.endsWith(")")) {
    const inner = value.slice(1, -1);
    return inner === "" ? sql`false` : sql`${target} in (${sql.join(splitList(inner).map(typed))})`;
  }
  throw badQuery(`The filter on ${name} is not understood here: use eq, neq, gt, gte, lt, lte, is or in.`);
}

/** The selected columns; `*` and nothing mean all. */
export function readColumns(table: Table, select: string | undefined): Sql {
  if (select === undefined || select === "" || select === "*") return sql`t.*`;
  return sql.join(splitList(select).map((name) => (name === "*" ? sql`t.*` : column(table, name.trim()))));
}

/** Every filter of the query string, all of them at once. */
export function readWhere(table: Table, query: URLSearchParams): Sql {
  const filters = [...query].filter(([name]) => !RESERVED.has(name));
  if (filters.length === 0) return sql`true`;
  return sql.join(
    filters.map(([name, expression]) => filter(table, name, expression)),
    sql` and `,
  );
}

function readOrder(table: Table, order: string | null): Sql {
  if (order === null || order === "") return sql``;
  const terms = splitList(order).map((term) => {
    const match = /^(.+?)(?:\.(asc|desc))?(?:\.(nullsfirst|nullslast))?$/.exec(term);
    const direction = match?.[2] === "desc" ? sql`desc` : sql`asc`;
    const nulls = { nullsfirst: sql`nulls first`, nullslast: sql`nulls last` }[match?.[3] ?? ""] ?? sql``;
    return sql`${column(table, match?.[1] ?? "")} ${direction} ${nulls}`;
  });
  return sql`order by ${sql.join(terms)}`;
}

function readCount(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw badQuery(`${name} must be a whole number.`);
  return Number(text);
}

/** Reads a whole select. */
export function readQuery(table: Table, query: URLSearchParams): ReadQuery {
  return {
    columns: readColumns(table, query.get("select") ?? undefined),
    where: readWhere(table, query),
    order: readOrder(table, query.get("order")),
    limit: Math.min(readCount(query, "limit", MAX_ROWS), MAX_ROWS),
    offset: readCount(query, "offset", 0),
  };
}

/** The columns an insert names: the `columns` parameter, else the keys of its rows. */
export function readInsertColumns(table: Table, query: URLSearchParams, rows: Record<string, unknown>[]): string[] {
  const named = query.get("columns");
  const names = named === null ? [...new Set(rows.flatMap((row) => Object.keys(row)))] : splitList(named);
  const unknown = names.find((name) => !table.columns.has(name));
  if (unknown === undefined) return names;
  throw new RestProblem(
    400,
    "PGRST204",
    `Could not find the '${unknown}' column of '${table.name}' in the schema cache`,
  );
}
