import { sql, type RawBuilder } from "kysely";
import { jsonColumnsOf, OWNED_TABLES, type OwnedTable } from "../owned-data/index.ts";
import type { Db } from "../db/index.ts";
import { orderOf, stepsPassed } from "../lead-rows/step-places.ts";

const PAGE_ROWS = 500;

/** Columns in user-readable form, of the row `p`. */
const SHOWN: Readonly<Record<string, Readonly<Record<string, RawBuilder<unknown>>>>> = {
  followups: { followup_order: orderOf("p") },
  leads: { followup_order_sent: stepsPassed("p") },
  // One file at a time is read; each has up to 10 MB.
  media: {
    content: sql`(select translate(encode(b.content, 'base64'), E'\n', '') from media_blobs b where b.media_id = p.id)`,
  },
};

type Page = { json: string | null; last: string | null };

/**
 * Returns all data of a user as one JSON text, in chunks of at most a page, so that memory does not grow with the account.
 * Times are ISO 8601, files base64.
 */
export async function* exportOf(db: Db, userId: string, at: string): AsyncGenerator<string> {
  yield `{"exported_at":${JSON.stringify(at)},"user_id":${JSON.stringify(userId)}`;
  for (const table of OWNED_TABLES) {
    if (table.owner === null) continue;
    yield `,\n${JSON.stringify(table.table)}:[`;
    yield* rowsOf((after) => readPage(db, table, userId, after));
    yield "]";
  }
  yield "}\n";
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

async function readPage(db: Db, table: OwnedTable, userId: string, after: string | null): Promise<Page> {
  const key = sql.id("p", table.key);
  const beyond = after === null ? sql`true` : sql`${key} > cast(${after}::text as ${sql.raw(table.keyType)})`;
  const shown = SHOWN[table.table] ?? {};
  const columns = [
    ...jsonColumnsOf(table).flatMap((column) => (column in shown ? [] : [sql.id("p", column)])),
    ...Object.entries(shown).map(([column, value]) => sql`${value} as ${sql.id(column)}`),
  ];
  const page = await sql<Page>`
    select string_agg(to_jsonb(r)::text, ',' order by r.${sql.id(table.key)}) as json,
      (array_agg(r.${sql.id(table.key)} order by r.${sql.id(table.key)} desc))[1]::text as last
    from (select ${sql.join(columns)} from ${sql.id("public", table.table)} p
      where ${sql.id("p", table.owner ?? table.key)} = ${userId} and ${beyond}
      order by ${key} limit ${table.table === "media" ? 1 : PAGE_ROWS}) r`.execute(db);
  return page.rows[0] ?? { json: null, last: null };
}
