import type { Engine } from "../../server/db/index.ts";

/** Returns the row count and checksum of every table, as the database computes them. */
export async function tableChecksums({ pool }: Engine): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'auth') and c.relkind = 'r' and c.relpersistence = 'p' order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ print: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text collate "C")), '') as print from ${name} t`,
    );
    found[name] = rows[0]?.print ?? "";
  }
  return found;
}
