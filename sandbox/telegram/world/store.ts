import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/**
 * The network's data. A box contains numbered messages: a user's own (owner_id = user id), or a channel's (owner_id = -channel id). An
 * event is one step of a box's pts.
 */
const TABLES = `
create table if not exists meta (key text primary key, value text not null);
create table if not exists people (
  user_id integer primary key, first_name text not null, last_name text, username text unique collate nocase, phone text unique,
  is_bot integer not null default 0, is_deleted integer not null default 0, privacy text);
create table if not exists accounts (
  user_id integer primary key, dc_id integer not null, srp_salt1 blob, srp_salt2 blob, srp_verifier blob, hint text,
  created_at integer not null);
create table if not exists contacts (user_id integer, contact_id integer, primary key (user_id, contact_id)) without rowid;
create table if not exists blocks (blocker_id integer, blocked_id integer, primary key (blocker_id, blocked_id)) without rowid;
create table if not exists chats (chat_id integer primary key autoincrement, title text not null, created_at integer not null);
create table if not exists chat_members (chat_id integer, user_id integer, primary key (chat_id, user_id)) without rowid;
create table if not exists channels (
  channel_id integer primary key, username text unique collate nocase, title text not null, kind text not null, writers text not null,
  created_at integer not null);
create table if not exists channel_members (channel_id integer, user_id integer, role text not null, primary key (channel_id, user_id)) without rowid;
create table if not exists auth_keys (
  id text primary key, key blob not null, dc_id integer not null, first_salt blob not null, created_at integer not null,
  expires_at integer, permanent_id text, user_id integer, password_user_id integer, ended text, layer integer not null default 0,
  device_model text, system_version text, app_version text, api_id integer, session_hash text, signed_in_at integer, active_at integer);
create index if not exists auth_keys_of_user on auth_keys (user_id);
create table if not exists login_codes (phone text primary key, code text not null, hash text not null, expires_at integer not null);
create table if not exists login_tokens (
  token text primary key, key_id text not null, dc_id integer not null, expires_at integer not null, user_id integer);
create table if not exists exported_authorizations (id integer primary key, bytes blob not null, user_id integer not null, dc_id integer not null, expires_at integer not null);
create table if not exists boxes (owner_id integer primary key, pts integer not null default 1, last_message_id integer not null default 0);
create table if not exists messages (
  sequence integer primary key autoincrement, owner_id integer not null, id integer not null, peer_type text not null, peer_id integer not null,
  from_id integer, is_out integer not null, date integer not null, edit_date integer, text text not null, entities blob, file_id integer,
  reply_to integer, random_id text, is_deleted integer not null default 0, twin_owner_id integer, twin_id integer, unique (owner_id, id));
create index if not exists messages_of_peer on messages (owner_id, peer_type, peer_id, id);
create table if not exists dialogs (
  owner_id integer, peer_type text, peer_id integer, read_inbox integer not null default 0, read_outbox integer not null default 0,
  primary key (owner_id, peer_type, peer_id)) without rowid;
create table if not exists pinned_dialogs (owner_id integer, peer_type text, peer_id integer, primary key (owner_id, peer_type, peer_id)) without rowid;
create table if not exists events (
  owner_id integer, pts integer, pts_count integer not null, kind text not null, detail text not null, primary key (owner_id, pts)) without rowid;
create table if not exists random_ids (
  user_id integer, peer text, random_id text, owner_id integer not null, message_id integer not null,
  primary key (user_id, peer, random_id)) without rowid;
create table if not exists file_parts (user_id integer, file_id text, part integer, bytes blob not null, saved_at integer not null, primary key (user_id, file_id, part)) without rowid;
create table if not exists files (
  file_id integer primary key autoincrement, kind text not null, mime_type text not null, name text, size integer not null, width integer,
  height integer, attributes blob, dc_id integer not null, created_at integer not null, bytes blob not null);
create table if not exists faults (
  id integer primary key autoincrement, user_id integer not null, method text not null, error text not null, to_user_id integer,
  times integer not null, after_delivery integer not null);
create table if not exists flood_waits (user_id integer, method text, peer text, error text not null, until integer not null, primary key (user_id, method, peer)) without rowid;
`;

/** The network's state in one SQLite file; a committed transaction survives kill -9. */
export class Store {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #afterCommit: (() => void)[] | null = null;

  constructor(dir: string) {
    mkdirSync(dir, { recursive: true });
    this.#db = new DatabaseSync(join(dir, "telegram.sqlite"));
    this.#db.exec("pragma journal_mode = wal; pragma synchronous = off; pragma busy_timeout = 5000");
    this.#db.exec(TABLES);
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Returns the first row; the caller's SQL determines its type. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- SQL carries no types: the caller names the row
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    const [row] = this.all<Row>(sql, ...values);
    return row;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** Runs a statement; returns the number of changed rows and the last row's id. */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(...values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  /** Runs `work` in a transaction; a nested transaction joins the outer one. */
  transaction<Result>(work: () => Result): Result {
    if (this.#afterCommit !== null) return work();
    const afterCommit: (() => void)[] = [];
    this.#afterCommit = afterCommit;
    this.#db.exec("begin immediate");
    try {
      const result = work();
      this.#db.exec("commit");
      this.#afterCommit = null;
      for (const task of afterCommit) task();
      return result;
    } catch (error) {
      if (this.#afterCommit !== null) {
        this.#afterCommit = null;
        this.#db.exec("rollback");
      }
      throw error;
    }
  }

  /** Runs the task after the transaction has committed, so that everything sent to clients is durable. */
  afterCommit(task: () => void): void {
    if (this.#afterCommit === null) task();
    else this.#afterCommit.push(task);
  }

  meta(key: string): string | undefined {
    return this.get<{ value: string }>("select value from meta where key = ?", key)?.value;
  }

  setMeta(key: string, value: string): void {
    this.run(
      "insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value",
      key,
      value,
    );
  }

  /** Returns a stored value; creates it on the first call. */
  keep(key: string, make: () => string): string {
    const known = this.meta(key);
    if (known !== undefined) return known;
    const made = make();
    this.setMeta(key, made);
    return made;
  }

  close(): void {
    this.#db.close();
  }
}
