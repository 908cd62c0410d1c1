import { storedReason } from "../../domain/stored-reasons.ts";
import { sql, type RawBuilder } from "kysely";
import type { Db, Tx } from "../db/index.ts";
import type { Column, Part, PartName, Row } from "../owned-data/index.ts";
import { mapColumn, mapQuery, mapWithin } from "./ids.ts";

/** The owner and the time of an import, and how ids and ledger rows are mapped. */
export type ImportContext = {
  ownerId: string;
  at: string;
  mapped: (id: string) => string;
  /** the new ids of ledger rows; row `n` of the archive (from 1) has the id at `n - 1` */
  ledgerIds: BigInt64Array;
};

const TYPES: Record<Column["type"], string> = {
  id: "uuid",
  ref: "uuid",
  row: "bigint",
  text: "text",
  int: "integer",
  big: "bigint",
  number: "double precision",
  flag: "boolean",
  time: "timestamptz",
  json: "jsonb",
  texts: "text[]",
  refs: "uuid[]",
  bytes: "text",
};

/** Replaces values of the archive, as expressions over the row `r`, so that the import sends nothing and leaves nothing in progress. */
const INSTEAD: Partial<Record<PartName, Record<string, (context: ImportContext) => RawBuilder<unknown>>>> = {
  // Unused files are deleted some time after `created_at`.
  media: { created_at: ({ at }) => sql`${at}::timestamptz` },
  reminders: { is_enabled: () => sql`false` },
  bulk_messages: {
    status: () => sql`case r.status when 'in_progress' then 'cancelled' else r.status end`,
    finished_at: ({ at }) => sql`case r.status when 'in_progress' then ${at}::timestamptz else r.finished_at end`,
  },
  // A reply that was not sent yet is not sent after the import either.
  messages: {
    state: () => sql`case r.state when 'pending' then 'failed' when 'sending' then 'unknown' else r.state end`,
    reason: () => sql`case r.state when 'pending' then coalesce(r.reason, 'CANCELLED') else r.reason end`,
  },
};

/** Columns that the archive does not have. */
const BESIDES: Partial<Record<PartName, Record<string, (context: ImportContext) => RawBuilder<unknown>>>> = {
  reminders: {
    disabled_reason: () => sql`case when r.is_enabled then ${storedReason("rule_imported")}::text end`,
  },
  // Steps that are already due wait for the user's confirmation.
  leads: { imported_at: ({ at }) => sql`${at}::timestamptz` },
};

/** Returns a value as JSON for the statement, with mapped ids. */
function givenOf(
  { name, type }: Column,
  value: string | null,
  part: PartName,
  { mapped, ledgerIds }: ImportContext,
): unknown {
  if (value === null) return null;
  if (type === "id" || type === "ref") return mapped(value);
  if (type === "refs") return (JSON.parse(value) as string[]).map(mapped);
  if (type === "texts") return JSON.parse(value) as unknown;
  if (type === "row") return String(ledgerIds[Number(value) - 1]);
  if (part === "views" && name === "query") return mapQuery(value, mapped);
  if (type !== "json") return value;
  const content: unknown = JSON.parse(value);
  if (part === "views" && Array.isArray(content)) return content.map((each) => mapColumn(each, mapped));
  return mapWithin(content, mapped);
}

/** Inserts rows of a part in order. Throws Postgres's error if it refuses a row. */
export async function insertRows(tx: Tx, part: Part, rows: readonly Row[], context: ImportContext): Promise<void> {
  const given = rows.map((row) =>
    Object.fromEntries(
      part.columns.map((each) => [each.name, givenOf(each, row[each.name] ?? null, part.name, context)]),
    ),
  );
  const instead = INSTEAD[part.name] ?? {};
  const columns = part.columns.map((each) => ({
    to: each.of ?? each.name,
    from:
      instead[each.name]?.(context) ??
      (each.type === "bytes" ? sql`decode(${sql.ref(`r.${each.name}`)}, 'base64')` : sql.ref(`r.${each.name}`)),
  }));
  const besides = Object.entries(BESIDES[part.name] ?? {}).map(([to, from]) => ({ to, from: from(context) }));
  const all = [
    ...columns,
    ...besides,
    ...(part.owner === null ? [] : [{ to: "owner_id", from: sql`${context.ownerId}::uuid` }]),
  ];
  const shape = sql.join(part.columns.map(({ name, type }) => sql`${sql.id(name)} ${sql.raw(TYPES[type])}`));
  if (part.name === "stage_history")
    await requireLeads(
      tx,
      given.map((row) => String(row["lead_id"])),
      context,
    );
  await sql`insert into ${sql.id("public", part.table)} (${sql.join(all.map(({ to }) => sql.id(to)))})
    select ${sql.join(all.map(({ from }) => from))} from rows from (json_to_recordset(${JSON.stringify(given)}::text::json) as (${shape}))
      with ordinality as r(${sql.join([...part.columns.map(({ name }) => sql.id(name)), sql.id("n_")])}) order by r.n_`.execute(
    tx,
  );
}

/** Locks the leads that rows refer to, because `stage_history` has no foreign key. Throws like one if a lead is missing. */
async function requireLeads(tx: Tx, ids: readonly string[], { ownerId }: ImportContext): Promise<void> {
  const wanted = [...new Set(ids)];
  const { rows } = await sql`select id from leads where owner_id = ${ownerId}::uuid and id = any(${wanted}::uuid[])
    order by id for key share`.execute(tx);
  if (rows.length < wanted.length) throw Object.assign(new Error("A lead is missing."), { code: "23503" });
}

/** Inserts a picture or video with its bytes. */
export async function insertMedium(
  tx: Tx,
  row: Row,
  { content, type }: { content: Uint8Array; type: { kind: "image" | "video"; extension: string; mime: string } },
  { ownerId, at, mapped }: ImportContext,
): Promise<void> {
  const id = mapped(String(row["id"]));
  await tx
    .insertInto("media")
    .values({ id, owner_id: ownerId, sha256: String(row["sha256"]), ...type, size: content.length, created_at: at })
    .execute();
  await tx.insertInto("media_blobs").values({ media_id: id, content }).execute();
}

/** Reserves ids for ledger rows in order, from the sequence that the ledger shares with the outbox. */
export async function takeLedgerIds(db: Db, count: number): Promise<BigInt64Array> {
  const ids = new BigInt64Array(count);
  const most = 10_000;
  for (let from = 0; from < count; from += most) {
    const { rows } = await sql<{ id: string }>`select nextval(pg_get_serial_sequence('public.outbox', 'id'))::text as id
      from generate_series(1, ${Math.min(most, count - from)})`.execute(db);
    for (const [place, { id }] of rows.entries()) ids[from + place] = BigInt(id);
  }
  return ids;
}
