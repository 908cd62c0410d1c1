import { Readable } from "node:stream";
import { type RawBuilder, sql } from "kysely";
import { nextTurn, systemClock } from "../core/clock.ts";
import { HOT_STATEMENT, type Db } from "../db/index.ts";

const UUID_CHARS = 36;
/** Rows with about 50 KB of JSON: under 1 ms of the event loop, 1 to 2 ms of the database. */
const ROWS_A_SLICE = 125;
/** After a slice the stream pauses for as long as the read took, to leave half of the time to other requests. */
const MOST_REST_MS = 100;
const IDS_A_SLICE = 5_000;

/**
 * Streams a page of any length as JSON, slice by slice, so that other requests run in between. The ids were read before; a lead deleted
 * since then is missing.
 * @param page.ids every id of the page in order, joined without a separator; `total` is the filter's
 * @param page.columns null for ids only
 */
export function streamLeads(
  db: Db,
  { ids, total, columns }: { ids: string; total: number; columns: RawBuilder<unknown> | null },
): Readable {
  return Readable.from(columns === null ? idSlices(ids, total) : rowSlices(db, ids, total, columns));
}

const slice = (ids: string, first: number, count: number): string[] => {
  const taken: string[] = [];
  for (let at = first * UUID_CHARS; taken.length < count && at < ids.length; at += UUID_CHARS)
    taken.push(ids.slice(at, at + UUID_CHARS));
  return taken;
};

async function* idSlices(ids: string, total: number): AsyncGenerator<string> {
  yield '{"leads":[';
  for (let first = 0; first * UUID_CHARS < ids.length; first += IDS_A_SLICE) {
    const objects = slice(ids, first, IDS_A_SLICE).map((id) => `{"id":"${id}"}`);
    yield `${first === 0 ? "" : ","}${objects.join(",")}`;
    await nextTurn();
  }
  yield `],"total":${total}}`;
}

async function* rowSlices(db: Db, ids: string, total: number, columns: RawBuilder<unknown>): AsyncGenerator<string> {
  yield '{"leads":[';
  let isFirst = true;
  for (let first = 0; first * UUID_CHARS < ids.length; first += ROWS_A_SLICE) {
    const wanted = slice(ids, first, ROWS_A_SLICE);
    const from = systemClock.monotonic();
    const { rows } = await sql<{ part: string | null }>`${sql.raw(HOT_STATEMENT)}
      select string_agg(row_to_json(t)::text, ',') as part from (
        select ${columns} from unnest(${wanted}::uuid[]) with ordinality o (lead, place)
        join leads on leads.id = o.lead order by o.place
      ) t`.execute(db);
    const part = rows[0]?.part ?? null;
    if (part === null) continue;
    const took = systemClock.monotonic() - from;
    yield isFirst ? part : `,${part}`;
    isFirst = false;
    await systemClock.sleep(Math.min(took, MOST_REST_MS));
  }
  yield `],"total":${total}}`;
}
