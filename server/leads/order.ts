import { sql, type RawBuilder } from "kysely";
import type { LeadsQuery } from "../../domain/lead.ts";
import type { DbOrTx } from "../db/index.ts";

/** A list's order: by `key`, leads without one last, ties newest first. */
export type LeadOrder = Key & { isDescending: boolean };
type Key = {
  key: RawBuilder<unknown>;
  /** where leads with the key are read from, and their condition */
  from: RawBuilder<unknown>;
  present: RawBuilder<unknown>;
  /** the condition of leads without the key; null when every lead has one */
  missing: RawBuilder<unknown> | null;
  /** the join that adds the key to a lead, if it has one */
  joined: RawBuilder<unknown>;
};

/** A text in sort form; an index has the same expression. */
export const sortKey = (text: RawBuilder<unknown>) => sql`lower(${text}) collate "C"`;

const always = (column: RawBuilder<unknown>): Key => ({
  key: column,
  from: sql`leads`,
  present: sql`true`,
  missing: null,
  joined: sql``,
});
const sometimes = (column: RawBuilder<unknown>, key = column): Key => ({
  key,
  from: sql`leads`,
  present: sql`${column} is not null`,
  missing: sql`${column} is null`,
  joined: sql``,
});
const OWN: Readonly<Record<string, Key>> = {
  created_at: always(sql`leads.created_at`),
  stage_entered_at: always(sql`leads.stage_entered_at`),
  last_message_at: sometimes(sql`leads.last_message_at`),
  name: sometimes(sql`leads.name`, sortKey(sql`leads.name`)),
};
const NEWEST: LeadOrder = { ...always(sql`leads.created_at`), isDescending: true };

/** Reads `sort` of a list's query. A field that is unknown or of another owner sorts newest first. */
export async function leadOrder(db: DbOrTx, ownerId: string, sort: LeadsQuery["sort"]): Promise<LeadOrder> {
  if (sort === undefined) return NEWEST;
  const isDescending = sort.startsWith("-");
  const name = isDescending ? sort.slice(1) : sort;
  const own = OWN[name];
  if (own !== undefined) return { ...own, isDescending };
  const field = await db
    .selectFrom("fields")
    .select(["id", "type"])
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .where("id", "=", name.slice("field.".length))
    .executeTakeFirst();
  if (field === undefined) return NEWEST;
  const id = sql`${field.id}::uuid`;
  return {
    key: field.type === "number" ? sql`v.number_value` : sortKey(sql`left(v.text_value, 100)`),
    from: sql`leads join lead_fields v on v.field_id = ${id} and v.lead_id = leads.id`,
    // Repeats the condition of the partial indexes; the planner needs it to use them.
    present: field.type === "number" ? sql`v.number_value is not null` : sql`v.text_value is not null`,
    missing: sql`not exists (select from lead_fields v where v.field_id = ${id} and v.lead_id = leads.id)`,
    joined: sql`left join lead_fields v on v.field_id = ${id} and v.lead_id = leads.id`,
    isDescending,
  };
}

/**
 * Returns the ids of a page in order, as an array, read from the nearer end. Leads with the key and leads without it are two scans; the
 * second begins when the first has ended.
 */
export function idsInOrder(
  where: RawBuilder<unknown>,
  { key, from, present, missing, isDescending }: LeadOrder,
  { total, limit, offset }: { total: number; limit: number; offset: number },
): RawBuilder<string[]> {
  const end = Math.min(total, offset + limit);
  const isFromEnd = offset > total / 2;
  const way = (isDown: boolean) => (isDown === isFromEnd ? sql`asc` : sql`desc`);
  const ties = sql`leads.created_at ${way(true)}, leads.id ${way(true)} limit ${isFromEnd ? total - offset : end}`;
  const having = sql`(select leads.id from ${from} where ${where} and ${present} order by ${key} ${way(isDescending)}, ${ties})`;
  const without = sql`(select leads.id from leads where ${where} and ${missing ?? sql`false`} order by ${ties})`;
  const parts = missing === null ? [having] : isFromEnd ? [without, having] : [having, without];
  return sql<string[]>`array(select id from (select id, row_number() over () as place from (
      select id from (${sql.join(parts, sql` union all `)}) every
      limit ${end - offset} offset ${isFromEnd ? total - end : offset}
    ) page) placed order by place ${isFromEnd ? sql`desc` : sql`asc`})`;
}
