import type { Insertable, Kysely, Selectable, Updateable } from "kysely";
import type { Database, DbOrTx } from "../../server/db/index.ts";

type Row<T extends keyof Database> = Selectable<Database[T]>;
type Where<T extends keyof Database> = Partial<Record<keyof Database[T], unknown>>;

/** The same database without its types, which the signatures below give. */
const of = (db: DbOrTx) => db as unknown as Kysely<{ rows: Record<string, unknown> }>;

/** Adds a row. @returns it, with what the database filled in */
export const addRow = <T extends keyof Database>(db: DbOrTx, table: T, values: Insertable<Database[T]>) =>
  of(db)
    .insertInto(table as "rows")
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow() as unknown as Promise<Row<T>>;

/** Adds several rows. @returns them, in the same order */
export const addRows = <T extends keyof Database>(db: DbOrTx, table: T, values: readonly Insertable<Database[T]>[]) =>
  of(db)
    .insertInto(table as "rows")
    .values(values)
    .returningAll()
    .execute() as unknown as Promise<Row<T>[]>;

/** Changes the rows that hold these values. */
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

/** Removes the rows that hold these values. */
export const removeRows = <T extends keyof Database>(db: DbOrTx, table: T, where: Where<T>) =>
  of(db)
    .deleteFrom(table as "rows")
    .where((eb) => eb.and(where))
    .execute();

/** The rows that hold these values: those columns of them that are named, or all. */
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

/** The first row that holds these values. @throws when there is none */
export const rowOf = async <T extends keyof Database, C extends keyof Row<T> & string>(
  db: DbOrTx,
  table: T,
  where: Where<T>,
  columns?: readonly C[],
): Promise<Pick<Row<T>, C>> => {
  const [row] = await rowsOf(db, table, where, columns);
  if (row === undefined) throw new Error(`${table} holds no such row.`);
  return row;
};
