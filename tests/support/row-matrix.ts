import { sql } from "kysely";
import type { Db, Pool, Tx } from "../../server/db/index.ts";
import { asUser, type Claims } from "./as-user.ts";

export const VERBS = ["select", "insert", "update", "delete"] as const;
type Verb = (typeof VERBS)[number];
/** A table, its owner column, and one row of the user under test. */
export type Subject = { table: string; owner: string | null; row: Record<string, unknown> };

class Undo extends Error {
  readonly outcome: string;
  constructor(outcome: string) {
    super("undone");
    this.outcome = outcome;
  }
}

/** Returns every table and view of the public schema with its owner column and the first row of `ownerId`. */
export async function subjectsOf(db: Db, ownerId: string): Promise<Subject[]> {
  const { rows: tables } = await sql<{ name: string; owner: string | null }>`
    select c.relname::text as name, (select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and (a.attname in ('owner_id', 'user_id') or (c.relname = 'users' and a.attname = 'id'))) as owner
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') order by 1`.execute(
    db,
  );
  const subjects: Subject[] = [];
  for (const { name, owner } of tables) {
    const ofOwner = owner === null ? sql`true` : sql`${sql.ref(owner)} = ${ownerId}`;
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) as row from ${sql.id("public", name)} t where ${ofOwner} limit 1`.execute(db);
    subjects.push({ table: name, owner, row: rows[0]?.row ?? {} });
  }
  return subjects;
}

function statement(verb: Verb, { table, owner, row }: Subject, ownerId: string) {
  const target = sql.id("public", table);
  const where = owner === null ? sql`true` : sql`${sql.ref(owner)} = ${ownerId}`;
  const column = sql.ref(owner ?? Object.keys(row)[0] ?? "id");
  return {
    select: sql`select 1 from ${target} where ${where}`,
    insert: sql`insert into ${target} (${column})
      select ${column} from json_populate_record(null::${target}, ${JSON.stringify(row)}::text::json)`,
    update: sql`update ${target} set ${column} = ${column} where ${where}`,
    delete: sql`delete from ${target} where ${where}`,
  }[verb];
}

/** Runs a statement on the rows of `ownerId` with `claims`, then rolls back. Returns the number of rows, or the error's code. */
export async function sqlOutcome(
  db: Db,
  claims: Claims,
  verb: Verb,
  subject: Subject,
  ownerId: string,
): Promise<string> {
  const attempt = async (tx: Tx) => {
    const { rows, numAffectedRows } = await statement(verb, subject, ownerId).execute(tx);
    throw new Undo(String(verb === "select" ? rows.length : (numAffectedRows ?? 0n)));
  };
  try {
    await asUser(db, claims, attempt);
    return "kept";
  } catch (error) {
    if (error instanceof Undo) return error.outcome;
    return (error as { code?: string }).code ?? String(error);
  }
}

/** Reads from the database catalogue what callers may do with tables, views and columns: one line per table and privilege. */
export async function grantsOf(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    select format('%s %s %s%s', grantee, lower(privilege_type), table_name, ' (' || string_agg(column_name, ', ' order by column_name) || ')') as line
    from (
      select grantee, privilege_type, table_name, column_name from information_schema.column_privileges where table_schema = 'public'
      union all select grantee, privilege_type, table_name, null from information_schema.table_privileges
        where table_schema = 'public' and privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES')
    ) g where grantee in ('anon', 'authenticated', 'PUBLIC') group by grantee, privilege_type, table_name order by 1`);
  return rows.map(({ line }) => line);
}
