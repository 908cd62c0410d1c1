import { sql } from "kysely";
import type { Tx } from "../db/index.ts";
import type { ReadQuery, Sql } from "./query.ts";

/** Rows as the JSON text that Postgres itself writes, so that times keep their microseconds, and how many they are. */
export type Result = { json: string; count: number };

const table = (name: string) => sql.id("public", name);
const asJson = (rows: Sql) => sql<Result>`
  with r as (${rows}) select coalesce(json_agg(r), '[]')::text as json, count(*)::int as count from r`;

/** Runs a select. */
export async function select(tx: Tx, name: string, query: ReadQuery): Promise<Result> {
  const rows = sql`select ${query.columns} from ${table(name)} t where ${query.where} ${query.order}
    limit ${query.limit} offset ${query.offset}`;
  return first(await asJson(rows).execute(tx));
}

/** Counts all rows that match, whatever the limit; which columns were asked for does not matter to a count. */
export async function countRows(tx: Tx, name: string, where: Sql): Promise<number> {
  const counted = sql<{ total: number }>`select count(*)::int as total from ${table(name)} t where ${where}`;
  return first(await counted.execute(tx)).total;
}

export type Write = { name: string; columns: string[]; rows: Record<string, unknown>[]; returning: Sql | null };
export type Conflict = { keys: string[]; resolution: "merge" | "ignore" };

/** Inserts rows, typed by the table itself; with `conflict` as an upsert. */
export async function insert(
  tx: Tx,
  { name, columns, rows, returning }: Write,
  conflict: Conflict | null,
): Promise<Result> {
  const names = sql.join(columns.map((column) => sql.id(column)));
  const target =
    columns.length === 0
      ? sql`insert into ${table(name)} as t default values`
      : sql`insert into ${table(name)} as t (${names})
          select ${names} from json_populate_recordset(null::${table(name)}, ${JSON.stringify(rows)}::text::json)`;
  return run(tx, sql`${target} ${onConflict(columns, conflict)}`, returning);
}

function onConflict(columns: string[], conflict: Conflict | null): Sql {
  if (conflict === null) return sql``;
  const keys = sql.join(conflict.keys.map((key) => sql.id(key)));
  if (conflict.resolution === "ignore" || columns.length === 0) return sql`on conflict (${keys}) do nothing`;
  const set = columns.map((column) => sql`${sql.id(column)} = excluded.${sql.id(column)}`);
  return sql`on conflict (${keys}) do update set ${sql.join(set)}`;
}

/** Updates every row that matches and that the caller may see and change. */
export async function update(tx: Tx, { name, columns, rows, returning }: Write, where: Sql): Promise<Result> {
  const names = sql.join(columns.map((column) => sql.id(column)));
  const values = sql`select ${names} from json_populate_record(null::${table(name)}, ${JSON.stringify(rows[0])}::text::json)`;
  const set = sql`update ${table(name)} as t set (${names}) = (${values}) where ${where}`;
  return run(tx, set, returning);
}

/** Deletes every row that matches and that the caller may delete. */
export const remove = (tx: Tx, name: string, where: Sql, returning: Sql | null): Promise<Result> =>
  run(tx, sql`delete from ${table(name)} as t where ${where}`, returning);

async function run(tx: Tx, statement: Sql, returning: Sql | null): Promise<Result> {
  if (returning !== null) return first(await asJson(sql`${statement} returning ${returning}`).execute(tx));
  const { numAffectedRows } = await statement.execute(tx);
  return { json: "", count: Number(numAffectedRows ?? 0n) };
}

const first = <Row>({ rows }: { rows: Row[] }): Row => {
  const row = rows[0];
  if (row === undefined) throw new Error("A query that always gives one row gave none.");
  return row;
};
