import { makeSchema, ownsSupabaseAuth, readMigrations } from "./migrate.ts";
import type { Pool, PoolClient } from "./pool.ts";

/** Reports the progress of a move. */
export type ReportProgress = (words: string) => void;
export type Moved = { tables: number; rows: number };

/** Schemas whose tables are moved. The job queue creates its own again at startup; the tables say what is due. */
const SCHEMAS = ["auth", "public"];
const BATCH_BYTES = 4_194_304;
/** Search words depend on the database's collation, so they are rebuilt in the target. */
const REBUILT = ["public.lead_words", "public.lead_names"];
const LEADS_A_BATCH = 1_000;

type Table = { name: string; columns: string[]; fetch: number };

/**
 * Copies an embedded database into an empty Postgres in one transaction, so the target gets all or nothing. Rows, ids and sequences stay
 * the same; counts and checksums of every table are compared.
 * @param source the pool of an embedded database that no server uses
 * @throws with a message for the operator; the target is still empty then
 */
export async function moveStore(source: Pool, target: Pool, report: ReportProgress): Promise<Moved> {
  const from = await source.connect();
  const to = await target.connect();
  try {
    await requireNewest(from);
    await requireEmpty(to);
    await from.query("begin");
    await to.query("begin");
    try {
      const moved = await moveWithin(from, to, report);
      await to.query("commit");
      return moved;
    } catch (error) {
      await to.query("rollback").catch(() => {});
      throw error;
    } finally {
      await from.query("rollback").catch(() => {});
    }
  } finally {
    from.release();
    to.release();
  }
}

async function moveWithin(from: PoolClient, to: PoolClient, report: ReportProgress): Promise<Moved> {
  report("creating the schema");
  await makeSchema(to);
  await to.query("set local time zone 'UTC'");
  const tables = await tablesOf(from);
  await requireSame(tables, await tablesOf(to));
  for (const { name } of tables) await to.query(`alter table ${name} disable trigger user`);
  // Migrations insert rows, such as an installation's keys. Those of the source replace them.
  for (const { name } of tables.toReversed()) await to.query(`delete from ${name}`);
  let rows = 0;
  for (const table of tables) {
    const count = await copyTable(from, to, table);
    if (count > 0) report(`${table.name}: ${count.toLocaleString("en")} ${count === 1 ? "row" : "rows"}`);
    rows += count;
  }
  await copySequences(from, to);
  report("comparing counts and checksums");
  for (const table of tables) await requireEqual(from, to, table);
  // Deferred constraints must be checked before the tables are altered again.
  await to.query("set constraints all immediate");
  for (const { name } of tables) await to.query(`alter table ${name} enable trigger user`);
  await makeWords(from, to, report);
  return { tables: tables.length, rows };
}

async function requireNewest(from: PoolClient): Promise<void> {
  const { rows } = await from.query<{ version: string; checksum: string | null }>(
    "select version, checksum from supabase_migrations.schema_migrations order by version",
  );
  const known = readMigrations();
  const applied = new Map(rows.map((row) => [row.version, row.checksum]));
  const missing = known.filter(({ version }) => !applied.has(version));
  if (missing.length > 0)
    throw new Error(
      `The embedded store lacks ${missing.length} of this release's migrations. Start this release on it once (npm start), stop it, and move then.`,
    );
  if (
    rows.length > known.length ||
    known.some(({ version, checksum }) => (applied.get(version) ?? checksum) !== checksum)
  )
    throw new Error(
      "The embedded store is of another release than this one. Move it with the release that it last ran on.",
    );
}

async function requireEmpty(to: PoolClient): Promise<void> {
  const { rows: versions } = await to.query<{ n: number }>("select current_setting('server_version_num')::int as n");
  if ((versions[0]?.n ?? 0) < 150_000) throw new Error("The target is older than Postgres 15.");
  if (await ownsSupabaseAuth(to))
    throw new Error(
      "The target is a Supabase project, which keeps its own accounts: those of the embedded store cannot be moved there. Use a plain Postgres.",
    );
  const { rows } = await to.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1 limit 5`);
  if (rows.length > 0)
    throw new Error(
      `The target is not empty: it has ${rows.map(({ name }) => name).join(", ")}. Make a new database (createdb leadloom) and name that one.`,
    );
}

/** Returns the permanent tables, referenced ones first. */
async function tablesOf(client: PoolClient): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; is_wide: boolean; refers_to: string[] }>(
    `select format('%I.%I', n.nspname, c.relname) as name,
      (select json_agg(quote_ident(a.attname) order by a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.atttypid = 'bytea'::regtype and a.attstorage = 'e') as is_wide,
      coalesce((select json_agg(distinct format('%I.%I', fn.nspname, f.relname)) from pg_constraint k join pg_class f on f.oid = k.confrelid
        join pg_namespace fn on fn.oid = f.relnamespace where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid), '[]') as refers_to
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(array['${SCHEMAS.join("', '")}']) and c.relkind = 'r' and c.relpersistence = 'p' order by 1`,
  );
  const ordered: Table[] = [];
  const placed = new Set<string>();
  for (let left = rows; left.length > 0;) {
    const next = left.filter(({ refers_to }) =>
      refers_to.every((name) => placed.has(name) || !SCHEMAS.some((schema) => name.startsWith(`${schema}.`))),
    );
    if (next.length === 0) throw new Error(`Tables refer to each other: ${left.map(({ name }) => name).join(", ")}.`);
    for (const { name, columns, is_wide: isWide } of next) {
      placed.add(name);
      if (!REBUILT.includes(name)) ordered.push({ name, columns, fetch: isWide ? 1 : 500 });
    }
    left = left.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}

async function requireSame(from: readonly Table[], to: readonly Table[]): Promise<void> {
  const shape = (tables: readonly Table[]) =>
    tables.map(({ name, columns }) => `${name} (${columns.join(", ")})`).toSorted();
  const [here, there] = [shape(from), shape(to)];
  const other = here.find((table) => !there.includes(table)) ?? there.find((table) => !here.includes(table));
  if (other !== undefined) throw new Error(`The embedded store and this release differ in ${other}.`);
}

/** Copies rows as JSON in the databases' own notation, so that no value passes through a number or date of this process. */
async function copyTable(from: PoolClient, to: PoolClient, { name, columns, fetch }: Table): Promise<number> {
  const list = columns.join(", ");
  let count = 0;
  let waiting: string[] = [];
  let bytes = 0;
  const write = async () => {
    if (waiting.length === 0) return;
    await to.query(
      `insert into ${name} (${list}) overriding system value select ${list} from json_populate_recordset(null::${name}, $1::text::json)`,
      [`[${waiting.join(",")}]`],
    );
    [waiting, bytes] = [[], 0];
  };
  await from.query(
    `declare moved no scroll cursor for select row_to_json(t)::text as row from (select ${list} from ${name}) t`,
  );
  for (;;) {
    const { rows } = await from.query<{ row: string }>(`fetch ${fetch} from moved`);
    for (const { row } of rows) {
      waiting.push(row);
      bytes += row.length;
      if (bytes >= BATCH_BYTES) await write();
    }
    count += rows.length;
    if (rows.length < fetch) break;
  }
  await write();
  await from.query("close moved");
  return count;
}

/** Copies the sequences, so that ids continue from the same number. */
async function copySequences(from: PoolClient, to: PoolClient): Promise<void> {
  const { rows } = await from.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences where schemaname in ('${SCHEMAS.join("', '")}') order by 1`,
  );
  for (const { name } of rows) {
    const { rows: state } = await from.query<{ last_value: string; is_called: boolean }>(
      `select last_value::text as last_value, is_called from ${name}`,
    );
    const { last_value: last, is_called: isCalled } = state[0] ?? { last_value: "1", is_called: false };
    await to.query("select setval($1::text::regclass, $2::text::bigint, $3::text::boolean)", [
      name,
      last,
      String(isCalled),
    ]);
  }
}

async function requireEqual(from: PoolClient, to: PoolClient, { name, columns }: Table): Promise<void> {
  // A sum, because the order of the rows may differ.
  const sum = `select count(*)::text as count, coalesce(sum(('x' || left(md5(row_to_json(t)::text), 15))::bit(60)::bigint::numeric), 0)::text as sum
    from (select ${columns.join(", ")} from ${name}) t`;
  const here = (await from.query<{ count: string; sum: string }>(sum)).rows[0];
  const there = (await to.query<{ count: string; sum: string }>(sum)).rows[0];
  if (here?.count !== there?.count)
    throw new Error(
      `${name} has ${here?.count} rows here and ${there?.count} in the target. The target was left empty.`,
    );
  if (here?.sum !== there?.sum)
    throw new Error(
      `${name} has the same number of rows but another checksum in the target. The target was left empty.`,
    );
}

async function makeWords(from: PoolClient, to: PoolClient, report: ReportProgress): Promise<void> {
  report("building the search index");
  for (let after = "00000000-0000-0000-0000-000000000000"; ;) {
    const { rows } = await to.query<{ ids: string[] | null }>(
      `select json_agg(id) as ids from (select id from public.leads where id > $1::text::uuid order by id limit ${LEADS_A_BATCH}) l`,
      [after],
    );
    const ids = rows[0]?.ids ?? [];
    if (ids.length === 0) break;
    await to.query(
      `select public.refresh_lead_words(i.ids), public.refresh_lead_names(i.ids)
      from (select array(select json_array_elements_text($1::text::json)::uuid) as ids) i`,
      [JSON.stringify(ids)],
    );
    after = ids.at(-1) as string;
  }
  for (const name of REBUILT) {
    const count = `select count(*)::text as n from ${name}`;
    const [here, there] = [await from.query<{ n: string }>(count), await to.query<{ n: string }>(count)];
    if (here.rows[0]?.n !== there.rows[0]?.n)
      throw new Error(`${name} could not be rebuilt. The target was left empty.`);
  }
}
