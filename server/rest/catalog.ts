import { sql } from "kysely";
import type { Db } from "../db/index.ts";

/** A table's columns in order, each with its SQL type, and its key. */
export type Table = { name: string; columns: ReadonlyMap<string, string>; primaryKey: string[] };
/** The public tables that a browser may name. Row security and grants decide the rest. */
export type Catalog = ReadonlyMap<string, Table>;

/**
 * Reads which tables the roles of a browser have any right on, so that the migrations stay the only list of them. A table
 * without any grant is not told apart from one that does not exist.
 */
export async function readCatalog(db: Db): Promise<Catalog> {
  const { rows } = await sql<{ name: string; columns: [string, string][]; primary_key: string[] | null }>`
    select c.relname::text as name,
      (select json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod)) order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select json_agg(a.attname) from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary) as primary_key
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
      and has_any_column_privilege('authenticated', c.oid, 'select, insert, update')
  `.execute(db);
  return new Map(
    rows.map(({ name, columns, primary_key }) => [
      name,
      { name, columns: new Map(columns), primaryKey: primary_key ?? [] },
    ]),
  );
}
