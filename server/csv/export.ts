import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { sql } from "kysely";
import { EXPORT_COLUMNS, escapeCell, TAG_JOINER } from "../../domain/csv.ts";
import type { LeadFilter } from "../../domain/lead-filter.ts";
import { nextTurn } from "../core/clock.ts";
import type { Db } from "../db/index.ts";
import { readIds } from "../leads/list.ts";

const UUID_CHARS = 36;
const ROWS_A_SLICE = 500;
/** Without it, spreadsheets read the file in another encoding. */
const BOM = "\uFEFF";

type Row = Record<(typeof EXPORT_COLUMNS)[number], string | null> & { values: Record<string, string | number> | null };
type OwnField = { id: string; name: string };

/**
 * Exports the leads of a filter in its order as CSV (RFC 4180, UTF-8 with a byte order mark, commas). The set of leads is read at the
 * start; then they are read and written slice by slice. Text that spreadsheets would take for a formula gets an apostrophe; numbers of
 * custom fields stay numbers.
 */
export async function exportLeads(db: Db, ownerId: string, filter: LeadFilter): Promise<Readable> {
  const fields = await db
    .selectFrom("fields")
    .select(["id", "name"])
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .orderBy(sql`lower(name)`)
    .orderBy("id")
    .execute();
  const { ids } = await readIds(db, ownerId, { ...filter, limit: Number.MAX_SAFE_INTEGER, offset: 0 });
  return Readable.from(linesOf(db, ownerId, ids, fields));
}

const csv = (rows: (string | number | null)[][]): string =>
  // Also quotes what other programs could take for the end of a row or cell.
  stringify(rows, { record_delimiter: "windows", quoted_match: /[\r\n\t;]/ });

async function* linesOf(db: Db, ownerId: string, ids: string, fields: readonly OwnField[]): AsyncGenerator<string> {
  yield BOM + csv([[...EXPORT_COLUMNS, ...fields.map(({ name }) => escapeCell(name))]]);
  for (let at = 0; at < ids.length; at += ROWS_A_SLICE * UUID_CHARS) {
    const slice: string[] = [];
    for (let each = at; each < Math.min(ids.length, at + ROWS_A_SLICE * UUID_CHARS); each += UUID_CHARS)
      slice.push(ids.slice(each, each + UUID_CHARS));
    const rows = await readRows(db, ownerId, slice);
    if (rows.length > 0) yield csv(rows.map((row) => cellsOf(row, fields)));
    await nextTurn();
  }
}

function cellsOf({ values, ...row }: Row, fields: readonly OwnField[]): (string | number | null)[] {
  const own = fields.map(({ id }) => values?.[id] ?? null);
  return [...EXPORT_COLUMNS.map((column) => row[column]), ...own].map((cell) =>
    typeof cell === "string" ? escapeCell(cell) : cell,
  );
}

async function readRows(db: Db, ownerId: string, ids: readonly string[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select l.id, l.telegram_user_id::text as telegram_user_id, l.name, l.username, s.name as stage, l.notes, l.created_at, l.last_message_at,
      (select string_agg(g.name, ${TAG_JOINER} order by lower(g.name), g.id) from lead_tags t join tags g on g.id = t.tag_id
        where t.lead_id = l.id and g.deleted_at is null) as tags,
      (select jsonb_object_agg(v.field_id, coalesce(to_jsonb(v.text_value), to_jsonb(v.number_value))) from lead_fields v where v.lead_id = l.id) as values
    from unnest(${ids}::uuid[]) with ordinality i(id, place) join leads l on l.id = i.id and l.owner_id = ${ownerId}::uuid
    left join stages s on s.id = l.stage_id order by i.place`.execute(db);
  return rows;
}
