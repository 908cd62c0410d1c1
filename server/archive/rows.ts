import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../db/index.ts";
import { EXCERPT_CHARS } from "../outbox/fold.ts";
import { CHOICES, type Column, type Part, type PartName } from "../owned-data/index.ts";

const ROWS_A_PAGE = 1_000;

/** Selects a column of the row `p` as text; times are ISO 8601. */
function textOf({ name, type, of = name }: Column): RawBuilder<unknown> {
  // Ledger rows are numbered by their position in the archive.
  const value = sql.id("p", type === "row" ? name : of);
  switch (type) {
    case "time":
      return value;
    case "texts":
    case "refs":
      return sql`to_jsonb(${value})::text`;
    case "bytes":
      return sql`translate(encode(${value}, 'base64'), E'\n', '')`;
    default:
      return sql`${value}::text`;
  }
}

/**
 * Selects sends that were tried, from the outbox and the ledger, in the order of planning; `row` counts from 1. The state of a send that
 * may have arrived is `unknown`.
 */
const ledgerOf = (owner: RawBuilder<unknown>) => sql`(
  select row_number() over (order by id) as row, l.* from (
    select o.id, o.kind, case when o.settled_at is null then 'unknown' else o.state end as state, o.lead_id, o.followup_id, o.epoch,
      o.reminder_id, o.job_id, left(coalesce(o.body, j.message), ${sql.lit(EXCERPT_CHARS)}) as excerpt, o.random_id, o.account_user_id,
      o.message_id, o.reason, o.by_key, o.attempts, o.created_at as planned_at, o.claimed_at as tried_at,
      coalesce(o.settled_at, o.claimed_at, o.created_at) as settled_at
    from public.outbox o left join public.bulk_jobs j on j.id = o.job_id
    where o.owner_id = ${owner} and (o.settled_at is not null or o.state in ('sending', 'unknown') or o.is_uncertain)
    union all
    select id, kind, state, lead_id, followup_id, epoch, reminder_id, job_id, excerpt, random_id, account_user_id, message_id, reason, by_key, attempts,
      planned_at, tried_at, settled_at
    from public.ledger where owner_id = ${owner}
  ) l)`;

/** Sources of parts that are not just the owner's rows of a table. */
const SOURCES: Partial<Record<PartName, (owner: RawBuilder<unknown>) => RawBuilder<unknown>>> = {
  ledger: (owner) => sql`${ledgerOf(owner)} p`,
  messages: (owner) =>
    sql`(select m.*, k.row as ledger_row from public.messages m left join ${ledgerOf(owner)} k on k.id = m.outbox_id where m.owner_id = ${owner}) p`,
  reminder_marks: (owner) =>
    sql`(select m.* from public.reminder_marks m join public.leads l on l.id = m.lead_id where l.owner_id = ${owner}) p`,
};

/**
 * Reads an owner's rows of a part in pages, as text. Must be called within its own transaction with one snapshot.
 * @param ownerId from a verified token: it becomes part of the statement, because a cursor takes no parameters
 */
export async function* pagesOf(tx: Tx, part: Part, ownerId: string): AsyncGenerator<Record<string, string | null>[]> {
  const owner = sql`${sql.lit(ownerId)}::uuid`;
  const source =
    SOURCES[part.name]?.(owner) ?? sql`(select * from ${sql.id("public", part.table)} where owner_id = ${owner}) p`;
  const columns = part.columns.map((each) => sql`${textOf(each)} as ${sql.id(each.name)}`);
  await sql`declare part no scroll cursor for select ${sql.join(columns)} from ${source}
    where ${part.where === undefined ? sql`true` : sql.raw(part.where)} order by ${sql.raw(part.order)}`.execute(tx);
  for (;;) {
    const { rows } = await sql<Record<string, string | null>>`fetch ${sql.lit(ROWS_A_PAGE)} from part`.execute(tx);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_A_PAGE) break;
  }
  await sql`close part`.execute(tx);
}

/** Returns the user's settings. Those that are not set keep their defaults. */
export async function readChoices(tx: Tx, ownerId: string): Promise<object> {
  const row = await tx.selectFrom("user_settings").select(CHOICES).where("user_id", "=", ownerId).executeTakeFirst();
  return Object.fromEntries(Object.entries(row ?? {}).filter(([, choice]) => choice !== null));
}
