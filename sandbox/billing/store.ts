import fs from "node:fs";
import path from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { Kind, Kinds } from "./wire.ts";

const SCHEMA = `
  create table if not exists objects (
    seq integer primary key autoincrement,
    id text not null unique,
    kind text not null,
    customer text,
    email text,
    due_at integer,
    payment_fails integer not null default 0,
    body text not null
  );
  create index if not exists objects_customer on objects (kind, customer, seq);
  create index if not exists objects_email on objects (kind, email, seq);
  create index if not exists objects_due on objects (due_at) where due_at is not null;
  create table if not exists answers (
    idempotency_key text primary key,
    fingerprint text not null,
    status integer not null,
    body text not null,
    made_at integer not null
  );
  create table if not exists listener (id integer primary key check (id = 1), port integer not null);
  create table if not exists offers (session_id text primary key, body text not null);
  create table if not exists events (
    seq integer primary key autoincrement,
    id text not null unique,
    body text not null,
    made_at integer not null,
    attempts integer not null default 0,
    next_at integer not null,
    delivered_at integer
  );
  create index if not exists events_pending on events (next_at) where delivered_at is null;
  create index if not exists events_fresh on events (seq) where attempts = 0;
  create index if not exists events_made on events (made_at);
`;

/** Columns for lists and due times, stored with the object. */
export type Columns = {
  customer?: string | null;
  email?: string | null;
  due_at?: number | null;
  payment_fails?: boolean;
};

export type Store = {
  /** Runs `work` in a transaction, one at a time over all processes. */
  transact<T>(work: () => T): T;
  get<K extends Kind>(kind: K, id: string): Kinds[K] | null;
  /** Returns any object by id, for `expand`. */
  find(id: string): object | null;
  put<K extends Kind>(object: Kinds[K] & { id: string; object: K }, columns?: Columns): void;
  /** Lists objects, newest first. */
  list<K extends Kind>(kind: K, by?: { customer?: string; email?: string }): Kinds[K][];
  /** Returns the subscription that is due first, if any is due by `now`. */
  due(now: number): { subscription: Kinds["subscription"]; at: number } | null;
  nextDue(): number | null;
  paymentFails(id: string): boolean;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  run(sql: string, ...values: SQLInputValue[]): void;
  close(): void;
};

/** Opens the provider's database at `folder`/billing.sqlite; committed data survives a kill of the process. */
export function openStore(folder: string): Store {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(path.join(folder, "billing.sqlite"), { timeout: 5_000 });
  database.exec("pragma journal_mode = wal; pragma synchronous = off;");
  database.exec(SCHEMA);
  const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const prepare = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const all = <Row>(sql: string, ...values: SQLInputValue[]): Row[] => prepare(sql).all(...values) as Row[];
  const run = (sql: string, ...values: SQLInputValue[]): void => {
    prepare(sql).run(...values);
  };
  const read = <T>(rows: { body: string }[]): T[] => rows.map(({ body }) => JSON.parse(body) as T);
  return {
    all,
    run,
    transact(work) {
      database.exec("begin immediate");
      try {
        const result = work();
        database.exec("commit");
        return result;
      } catch (error) {
        database.exec("rollback");
        throw error;
      }
    },
    get: (kind, id) => read<never>(all("select body from objects where id = ? and kind = ?", id, kind))[0] ?? null,
    find: (id) => read<object>(all("select body from objects where id = ?", id))[0] ?? null,
    put(object, columns = {}) {
      const failsWith = columns.payment_fails === undefined ? null : Number(columns.payment_fails);
      run(
        `insert into objects (id, kind, customer, email, due_at, payment_fails, body) values (?, ?, ?, ?, ?, coalesce(?, 0), ?)
         on conflict (id) do update set customer = excluded.customer, email = excluded.email, due_at = excluded.due_at,
           payment_fails = coalesce(?, payment_fails), body = excluded.body`,
        object.id,
        object.object,
        columns.customer ?? null,
        columns.email ?? null,
        columns.due_at ?? null,
        failsWith,
        JSON.stringify(object),
        failsWith,
      );
    },
    list(kind, by = {}) {
      const [column, value] = by.customer === undefined ? ["email", by.email] : ["customer", by.customer];
      return value === undefined
        ? read<never>(all("select body from objects where kind = ? order by seq desc", kind))
        : read<never>(all(`select body from objects where kind = ? and ${column} = ? order by seq desc`, kind, value));
    },
    due(now) {
      const [row] = all<{ body: string; due_at: number }>(
        "select body, due_at from objects where due_at <= ? order by due_at, seq limit 1",
        now,
      );
      return row === undefined ? null : { subscription: JSON.parse(row.body) as Kinds["subscription"], at: row.due_at };
    },
    nextDue: () =>
      all<{ due: number | null }>("select min(due_at) as due from objects where due_at is not null")[0]?.due ?? null,
    paymentFails: (id) =>
      all<{ payment_fails: number }>("select payment_fails from objects where id = ?", id)[0]?.payment_fails === 1,
    close: () => database.close(),
  };
}
