import { sql, type RawBuilder } from "kysely";
import type { FieldType } from "../../domain/field.ts";
import { isDay } from "../../domain/schema-parts.ts";
import { fieldProblem } from "../../domain/schema-message.ts";
import { fieldFilters, type LeadFilter } from "../../domain/lead-filter.ts";
import { readProblem } from "../core/field-problem.ts";
import { ProblemError } from "../core/problem.ts";
import { havePassed } from "../lead-rows/step-places.ts";
import type { DbOrTx } from "../db/index.ts";
import { sortKey } from "./order.ts";
import { foundBy, searchText } from "./search.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Returns a `like` pattern for a text anywhere. Postgres makes it lower case, because JavaScript differs for some letters. */
const containsPattern = (text: string): RawBuilder<string> => sql`lower(${`%${text.replace(/[\\%_]/g, "\\$&")}%`})`;

/**
 * Matches the text anywhere in a lower-case column. Only the longest word uses the trigram index: reading the posting lists of all trigrams
 * of a long text costs more than checking the few rows with that word.
 */
function has(column: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  const [longest = text] = text
    .trim()
    .split(/\s+/)
    .toSorted((x, y) => y.length - x.length);
  const byIndex = sql`${column} like ${containsPattern(longest)}`;
  return longest === text ? byIndex : sql`${byIndex} and ${column} || '' like ${containsPattern(text)}`;
}

/**
 * Returns a list's filter as a condition over table `leads`, owner included. An unknown stage, tag or field, or one of another owner,
 * matches nothing.
 * @throws 422 when a field's filter is invalid, such as a word for a number
 */
export async function leadConditions(db: DbOrTx, ownerId: string, filter: LeadFilter): Promise<RawBuilder<unknown>> {
  if (isImpossibleStage(filter)) return sql`false`;
  const steps = filter.followup_order_sent;
  const added = [
    ...(steps === undefined ? [] : [await havePassed(db, ownerId, steps)]),
    ...(await markedLeads(db, ownerId, filter)).map((marked) =>
      marked === null ? sql`false` : sql`exists (select ${marked} and m.lead_id = leads.id)`,
    ),
  ];
  const q = searchText(filter.q);
  if (q !== "") added.push(sql`leads.id in (${(await foundBy(db, ownerId, q)).all})`);
  return sql.join([ownConditions(ownerId, filter), ...added], sql` and `);
}

/**
 * Returns, for the names, each tag and each field of a filter, the leads that have it: 'from' and 'where' over rows `m`, one per lead; null
 * if unknown or of another owner.
 * @throws 422 when a field's filter is invalid
 */
export const markedLeads = async (
  db: DbOrTx,
  ownerId: string,
  filter: LeadFilter,
): Promise<(RawBuilder<unknown> | null)[]> => [
  ...nameConditions(ownerId, filter),
  ...(await tagConditions(db, ownerId, filter)),
  ...(await fieldConditions(db, ownerId, filter)),
];

/** The conditions that need no lookup of the owner's steps, tags and fields. */
function ownConditions(ownerId: string, filter: LeadFilter): RawBuilder<unknown> {
  const parts = [inStage(ownerId, filter.stage_id)];
  if (filter.created_start !== undefined) parts.push(sql`leads.created_at >= ${filter.created_start}::timestamptz`);
  // An end in milliseconds includes the microseconds of that millisecond.
  if (filter.created_end !== undefined)
    parts.push(sql`leads.created_at < ${filter.created_end}::timestamptz + interval '1 millisecond'`);
  if (filter.awaiting_reply !== undefined) {
    const awaits = sql`(leads.last_message_at is not null
      and (leads.last_user_message_at is null or leads.last_message_at > leads.last_user_message_at))`;
    parts.push(filter.awaiting_reply ? awaits : sql`not ${awaits}`);
  }
  if (filter.opted_out !== undefined) parts.push(sql`leads.opted_out_at is ${isSet(filter.opted_out)}`);
  if (filter.unreachable !== undefined) parts.push(sql`leads.unreachable_reason is ${isSet(filter.unreachable)}`);
  return sql.join(parts, sql` and `);
}

/** An owner's leads, of one stage if given. */
export const inStage = (ownerId: string, stageId: string | undefined): RawBuilder<unknown> =>
  stageId
    ? sql`leads.owner_id = ${ownerId}::uuid and leads.stage_id = ${stageId}::uuid`
    : sql`leads.owner_id = ${ownerId}::uuid`;

/** True for a stage id that cannot exist. */
export const isImpossibleStage = ({ stage_id: id }: LeadFilter): boolean =>
  id !== undefined && id !== "" && !uuid.test(id);

const isSet = (wanted: boolean) => (wanted ? sql`not null` : sql`null`);

function nameConditions(ownerId: string, { name, username }: LeadFilter): RawBuilder<unknown>[] {
  if (!name && !username) return [];
  const parts = [sql`m.owner_id = ${ownerId}::uuid`];
  if (name) parts.push(has(sql`m.name`, name));
  // Users may type a username as @name.
  if (username) parts.push(has(sql`m.username`, username.replace(/^@/, "")));
  return [sql`from lead_names m where ${sql.join(parts, sql` and `)}`];
}

async function tagConditions(
  db: DbOrTx,
  ownerId: string,
  { tag }: LeadFilter,
): Promise<(RawBuilder<unknown> | null)[]> {
  if (tag === undefined || tag.length === 0) return [];
  const ids = [...new Set(tag.map((id) => id.toLowerCase()))];
  const known = await db
    .selectFrom("tags")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .where("id", "in", ids)
    .execute();
  return known.length < ids.length ? [null] : known.map(({ id }) => sql`from lead_tags m where m.tag_id = ${id}::uuid`);
}

async function fieldConditions(
  db: DbOrTx,
  ownerId: string,
  filter: LeadFilter,
): Promise<(RawBuilder<unknown> | null)[]> {
  const filters = fieldFilters(filter);
  if (filters.length === 0) return [];
  const fields = await db
    .selectFrom("fields")
    .select(["id", "name", "type"])
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .where(
      "id",
      "in",
      filters.map(([id]) => id),
    )
    .execute();
  return filters.map(([id, value]) => {
    const field = fields.find((one) => one.id === id.toLowerCase());
    if (field === undefined) return null;
    const holds = valueCondition(field.type, value.trim());
    if ("problem" in holds) {
      const key = `field.${id}`;
      const { message, code, params } = readProblem(holds.problem);
      throw new ProblemError(422, "invalid_input", `${key}: the filter of '${field.name}' cannot be read. ${message}`, {
        fields: { [key]: message },
        params: { problems: [{ field: key, code, params: { ...params, name: field.name } }] },
      });
    }
    return sql`from lead_fields m where m.field_id = ${field.id}::uuid and ${holds.condition}`;
  });
}

/** A condition, or the problem with the value, in the form of a schema message. */
type Reading = { condition: RawBuilder<unknown> } | { problem: string };

function valueCondition(type: FieldType, value: string): Reading {
  if (type === "text" || type === "link") return { condition: sql`lower(m.text_value) like ${containsPattern(value)}` };
  const text = sortKey(sql`left(m.text_value, 100)`);
  // `is true` keeps the planner from treating the second condition as a further reduction of rows.
  if (type === "choice")
    return { condition: sql`${text} = lower(left(${value}, 100)) and (m.text_value = ${value}) is true` };
  const isNumber = type === "number";
  const column = isNumber ? sql`m.number_value` : text;
  const [from = "", to = from, more] = value.split("..").map((side) => side.trim());
  const isReadable = (side: string) => side === "" || (isNumber ? NUMBER.test(side) : isDay(side));
  if (more !== undefined || (from === "" && to === "") || ![from, to].every(isReadable))
    return { problem: fieldProblem(isNumber ? "number_range" : "day_range") };
  const isReversed = from !== "" && to !== "" && (isNumber ? Number(from) > Number(to) : from > to);
  if (isReversed) return { problem: fieldProblem("range_reversed", { from, to }) };
  const side = (day: string) => (isNumber ? sql`${day}::double precision` : sql`${day}::text`);
  if (from === to) return { condition: sql`${column} = ${side(from)}` };
  const sides = [
    ...(from === "" ? [] : [sql`${column} >= ${side(from)}`]),
    ...(to === "" ? [] : [sql`${column} <= ${side(to)}`]),
  ];
  return { condition: sql.join(sides, sql` and `) };
}
