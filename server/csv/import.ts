import { nextTurn } from "../core/clock.ts";
import { reasonFields } from "../core/languages.ts";
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type ImportMapping, type ImportResult, TAG_JOINER } from "../../domain/csv.ts";
import { publishEvents } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import { refuse } from "../core/problem.ts";
import { deleteInBatches, type DbOrTx, type Tx } from "../db/index.ts";
import { applyRows, countChanges, firstChanges, type Import } from "./apply.ts";
import { columnsOf, readCells, type OwnNames, type OwnField, type RowValues } from "./cells.ts";
import { readCsv } from "./records.ts";

const ROWS_A_BATCH = 1_000;
const SHOWN_CHANGES = 20;
const SHOWN_UNMATCHED = 1_000;

/**
 * Imports a file: first reads and checks all cells, then matches and applies all rows in one transaction. A dry run does not apply them.
 * @throws ProblemError 422 that names the first invalid row; nothing is changed then
 */
export async function importRows(
  deps: Pick<Deps, "db" | "bus" | "clock">,
  request: { ownerId: string; file: string; mapping: ImportMapping; isDryRun: boolean; byKey: string | null },
): Promise<ImportResult> {
  const { db, clock } = deps;
  const of: Import = { id: randomUUID(), ownerId: request.ownerId, at: clock.iso(), byKey: request.byKey };
  try {
    const fields = await stage(deps, of, request);
    return await db.transaction().execute(async (tx) => {
      await match(tx, of);
      // Leads are locked before fields everywhere.
      await requireSame(tx, of, fields);
      const { matched, changed } = await countChanges(tx, of);
      const changes = await firstChanges(tx, of, SHOWN_CHANGES);
      const unmatched = await readUnmatched(tx, of);
      if (!request.isDryRun && changed > 0) {
        await applyRows(tx, of);
        await publishEvents(
          deps.bus,
          of.ownerId,
          [{ type: "lead.changed" }, { type: "leads.changed" }, { type: "tags.changed" }, { type: "fields.changed" }],
          tx,
        );
      }
      return { matched, changed, ...unmatched, changes };
    });
  } finally {
    await db.deleteFrom("lead_import_rows").where("import_id", "=", of.id).execute();
  }
}

/** Reads the file in constant memory and stores its rows' values. @returns the fields used for the checks */
async function stage(
  { db }: Pick<Deps, "db">,
  of: Import,
  { file, mapping }: { file: string; mapping: ImportMapping },
): Promise<OwnField[]> {
  const fields = await readFields(db, of.ownerId);
  const names: OwnNames = {
    fields: new Map(fields.map((field) => [field.id, field])),
    tagsWithJoiner: await readTagsWithJoiner({ db }, of.ownerId),
  };
  let columns: ReturnType<typeof columnsOf> | null = null;
  let waiting: RowValues[] = [];
  const keep = async () => {
    if (waiting.length === 0) return;
    await sql`insert into lead_import_rows (import_id, row, owner_id, telegram_user_id, username, notes, tags, fields, at)
      select ${of.id}::uuid, r.row, ${of.ownerId}::uuid, r.telegram_user_id, r.username, r.notes, r.tags, r.fields, ${of.at}::timestamptz
      from json_to_recordset(${JSON.stringify(waiting)}::text::json) as r(row int, telegram_user_id bigint, username text, notes text,
        tags text[], fields jsonb)`.execute(db);
    waiting = [];
    await nextTurn();
  };
  for await (const row of readCsv(file)) {
    if (columns === null) columns = columnsOf(row, mapping, fields);
    else waiting.push(readCells(row, columns, names));
    if (waiting.length === ROWS_A_BATCH) await keep();
  }
  await keep();
  // Without statistics, Postgres would plan for an empty table.
  await sql`analyze lead_import_rows`.execute(db);
  return fields;
}

const readFields = (db: DbOrTx, ownerId: string, isHeld = false): Promise<OwnField[]> =>
  db
    .selectFrom("fields")
    .select(["id", "name", "type", "options"])
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .$if(isHeld, (query) => query.forNoKeyUpdate())
    .execute();

/** Requires the fields to be those of the check. @throws ProblemError 409 if one has changed */
async function requireSame(tx: Tx, { ownerId }: Import, checked: readonly OwnField[]): Promise<void> {
  if (JSON.stringify(await readFields(tx, ownerId, true)) !== JSON.stringify(checked))
    throw refuse(409, "fields_changed");
}

async function readTagsWithJoiner({ db }: Pick<Deps, "db">, ownerId: string): Promise<Set<string>> {
  const tags = await db
    .selectFrom("tags")
    .select("name")
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .where("name", "like", `%${TAG_JOINER}%`)
    .execute();
  return new Set(tags.map(({ name }) => name.toLowerCase()));
}

/**
 * Finds the leads of the rows, by id before username, and locks them until the transaction ends. Rows get a reason if they match no lead,
 * if their username belongs to several people, or if an earlier row has the same lead.
 */
async function match(tx: Tx, { id, ownerId }: Import): Promise<void> {
  await sql`update lead_import_rows r set lead_id = l.id from leads l
    where r.import_id = ${id}::uuid and l.owner_id = ${ownerId}::uuid and l.telegram_user_id = r.telegram_user_id`.execute(
    tx,
  );
  await sql`
    with named as (
      select r.row, count(*) as n, (array_agg(l.lead_id))[1] as lead_id from lead_import_rows r
      join lead_names l on l.owner_id = ${ownerId}::uuid and l.username = r.username
      where r.import_id = ${id}::uuid and r.lead_id is null and r.username is not null group by r.row
    )
    update lead_import_rows r set lead_id = case when n.n = 1 then n.lead_id end,
      words = case when n.n > 1 then 'username_of_several ' || jsonb_build_object('username', r.username)::text end
    from named n where r.import_id = ${id}::uuid and r.row = n.row and r.telegram_user_id is null`.execute(tx);
  await sql`select from leads where id in (select lead_id from lead_import_rows where import_id = ${id}::uuid)
    order by id for no key update`.execute(tx);
  // The person was excluded in the meantime.
  await sql`update lead_import_rows r set lead_id = null
    where import_id = ${id}::uuid and lead_id is not null and not exists (select from leads l where l.id = r.lead_id)`.execute(
    tx,
  );
  await sql`update lead_import_rows r set words = case
      when telegram_user_id is not null then 'number_unknown ' || jsonb_build_object('number', telegram_user_id::text)::text
      when username is not null then 'username_unknown ' || jsonb_build_object('username', username)::text
      else 'row_names_nobody' end
    where import_id = ${id}::uuid and lead_id is null and words is null`.execute(tx);
  await sql`
    with seen as (
      select row, min(row) over (partition by lead_id) as first from lead_import_rows where import_id = ${id}::uuid and lead_id is not null
    )
    update lead_import_rows r set lead_id = null, words = 'row_repeats ' || jsonb_build_object('row', s.first)::text
    from seen s where r.import_id = ${id}::uuid and r.row = s.row and s.first < s.row`.execute(tx);
}

async function readUnmatched(tx: Tx, { id }: Import): Promise<Pick<ImportResult, "unmatched" | "unmatched_total">> {
  const { rows } = await sql<{ row: number; words: string; total: number }>`
    select row, words, count(*) over ()::int as total from lead_import_rows
    where import_id = ${id}::uuid and words is not null order by row limit ${SHOWN_UNMATCHED}`.execute(tx);
  return {
    unmatched: rows.map(({ row, words }) => ({ row, ...reasonFields("words", words) })),
    unmatched_total: rows[0]?.total ?? 0,
  };
}

/** Deletes the rows of imports whose process was stopped. */
export async function forgetImports({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> {
  const before = new Date(clock.now() - 86_400_000).toISOString();
  await deleteInBatches(db, "lead_import_rows", sql`at < ${before}::timestamptz`);
}
