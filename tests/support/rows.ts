import {
  sql,
  type Insertable,
  type Kysely,
  type QueryResult,
  type Selectable,
  type UnknownRow,
  type Updateable,
} from "kysely";
import type { Database, Db, DbOrTx } from "../../server/db/index.ts";

type Row<T extends keyof Database> = Selectable<Database[T]>;
type Where<T extends keyof Database> = Partial<Record<keyof Database[T], unknown>>;

/** The same database without its types; the signatures below give the types. */
const of = (db: DbOrTx) => db as unknown as Kysely<{ rows: Record<string, unknown> }>;

/** Adds a row. @returns the row, with the values that the database filled in */
export const addRow = <T extends keyof Database>(db: DbOrTx, table: T, values: Insertable<Database[T]>) =>
  of(db)
    .insertInto(table as "rows")
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow() as unknown as Promise<Row<T>>;

/** Adds several rows. @returns the rows, in the same order */
export const addRows = <T extends keyof Database>(db: DbOrTx, table: T, values: readonly Insertable<Database[T]>[]) =>
  of(db)
    .insertInto(table as "rows")
    .values(values)
    .returningAll()
    .execute() as unknown as Promise<Row<T>[]>;

/** Updates the rows with these values. */
export const changeRows = <T extends keyof Database>(
  db: DbOrTx,
  table: T,
  where: Where<T>,
  set: Updateable<Database[T]>,
) =>
  of(db)
    .updateTable(table as "rows")
    .set(set)
    .where((eb) => eb.and(where))
    .execute();

/** Deletes the rows with these values. */
export const removeRows = <T extends keyof Database>(db: DbOrTx, table: T, where: Where<T>) =>
  of(db)
    .deleteFrom(table as "rows")
    .where((eb) => eb.and(where))
    .execute();

/** Returns the rows with these values: the named columns, or all of them. */
export const rowsOf = <T extends keyof Database, C extends keyof Row<T> & string>(
  db: DbOrTx,
  table: T,
  where: Where<T>,
  columns?: readonly C[],
) => {
  const query = of(db)
    .selectFrom(table as "rows")
    .where((eb) => eb.and(where));
  return (columns === undefined ? query.selectAll() : query.select(columns)).execute() as unknown as Promise<
    Pick<Row<T>, C>[]
  >;
};

/** Returns the first row with these values. @throws when there is none */
export const rowOf = async <T extends keyof Database, C extends keyof Row<T> & string>(
  db: DbOrTx,
  table: T,
  where: Where<T>,
  columns?: readonly C[],
): Promise<Pick<Row<T>, C>> => {
  const [row] = await rowsOf(db, table, where, columns);
  if (row === undefined) throw new Error(`${table} has no such row.`);
  return row;
};

/** Returns the number of rows that name one of these texts, for each table of the product and its job queue that has one. */
export async function tracesOf(db: DbOrTx, marks: readonly string[]): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'auth', 'pgboss') and c.relkind in ('r', 'p') order by 1`.execute(db);
  const isNamed = sql.join(
    marks.map((mark) => sql`t::text like ${`%${mark}%`}`),
    sql` or `,
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.raw(name)} t where ${isNamed}`.execute(db);
    if (rows[0]?.n) found[name] = rows[0].n;
  }
  return found;
}

/** Returns the database, with `look` called on the result of each statement before its caller gets it. */
export const watchResults = (db: Db, look: (result: QueryResult<UnknownRow>) => unknown): Db =>
  db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await look(result);
      return result;
    },
  });

/**
 * Runs plpgsql statements at writes such as `before insert on leads for each row` until the returned function is called.
 * `nextval('public.writes')` numbers the writes, including those that are rolled back.
 */
export async function onWrites(db: DbOrTx, writes: string, statements: string): Promise<() => Promise<void>> {
  await sql`create sequence public.writes`.execute(db);
  await sql`create function public.on_write() returns trigger language plpgsql
    as $$ begin ${sql.raw(statements)} return new; end $$`.execute(db);
  await sql`create trigger on_write ${sql.raw(writes)} execute function public.on_write()`.execute(db);
  return async () => {
    await sql`drop function public.on_write cascade`.execute(db);
    await sql`drop sequence public.writes`.execute(db);
  };
}

/** Makes the database refuse these writes to a table until the returned function is called. */
export const refuseWrites = (db: DbOrTx, writes: "insert" | "delete" | "insert or update", table: keyof Database) =>
  onWrites(db, `before ${writes} on ${table} for each row`, "raise exception 'the disk is full';");
