import { sql } from "kysely";
import type { Db } from "../db/index.ts";
import { EXPORTED, type Exported } from "./tables.ts";

const PAGE_ROWS = 500;

type Page = { json: string | null; last: string | null };

/**
 * Everything of a user as one JSON text, in pieces of at most a page, so that memory does not grow with the account.
 * Times are ISO 8601, files base64.
 */
export async function* exportOf(db: Db, userId: string, at: string): AsyncGenerator<string> {
  yield `{"exported_at":${JSON.stringify(at)},"user_id":${JSON.stringify(userId)}`;
  for (const part of EXPORTED) {
    yield `,\n${JSON.stringify(part.table)}:[`;
    yield* rowsOf((after) => readPage(db, part, userId, after));
    yield "]";
  }
  yield `,\n"media":[`;
  yield* rowsOf((after) => readFile(db, userId, after));
  yield "]}\n";
}

async function* rowsOf(read: (after: string | null) => Promise<Page>): AsyncGenerator<string> {
  let after: string | null = null;
  for (;;) {
    const { json, last }: Page = await read(after);
    if (json === null || last === null) return;
    yield `${after === null ? "" : ","}${json}`;
    after = last;
  }
}

const firstOf = ({ rows }: { rows: Page[] }): Page => rows[0] ?? { json: null, last: null };

async function readPage(db: Db, part: Exported, userId: string, after: string | null): Promise<Page> {
  const key = sql.ref(part.key);
  const beyond = after === null ? sql`true` : sql`${key} > cast(${after}::text as ${sql.raw(part.keyType)})`;
  const whole = (part.omit ?? []).reduce((json, column) => sql`${json} - ${column}::text`, sql`to_jsonb(p)`);
  const row = Object.entries(part.shown ?? {}).reduce(
    (json, [column, value]) => sql`${json} || jsonb_build_object(${column}::text, ${value})`,
    whole,
  );
  const page = await sql<Page>`
    select string_agg((${row})::text, ',' order by p.${key}) as json, (array_agg(p.${key} order by p.${key} desc))[1]::text as last
    from (select * from ${sql.id("public", part.table)} where ${sql.ref(part.owner)} = ${userId} and ${beyond}
      order by ${key} limit ${PAGE_ROWS}) p`.execute(db);
  return firstOf(page);
}

/** One file at a time: each may have 10 MB. */
async function readFile(db: Db, userId: string, after: string | null): Promise<Page> {
  const beyond = after === null ? sql`true` : sql`m.id > cast(${after}::text as uuid)`;
  const file = await sql<Page>`
    select (to_jsonb(m) || jsonb_build_object('content', translate(encode(b.content, 'base64'), E'\n', '')))::text as json,
      m.id::text as last
    from media m join media_blobs b on b.media_id = m.id
    where m.owner_id = ${userId} and ${beyond} order by m.id limit 1`.execute(db);
  return firstOf(file);
}
