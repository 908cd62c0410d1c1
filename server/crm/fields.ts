import { sql, type RawBuilder } from "kysely";
import { type Field, type FieldCreate, type FieldPatch } from "../../domain/field.ts";
import { notFound, refuse, refuseInput } from "../core/problem.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import type { AuditStamp, Kind, OwnedRef } from "./soft-delete.ts";

export const FIELDS: Kind = { table: "fields", noun: "field" };

const select = (db: DbOrTx, ownerId: string) =>
  db
    .selectFrom("fields")
    .select(["id", "name", "type", "options", "is_value", "leads"])
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null);

/** Returns an owner's custom fields in order of creation. */
export const listFields = (db: DbOrTx, ownerId: string): Promise<Field[]> =>
  select(db, ownerId).orderBy("created_at").orderBy("id").execute();

export async function readField(db: DbOrTx, { ownerId, id }: OwnedRef): Promise<Field> {
  const field = await select(db, ownerId).where("id", "=", id).executeTakeFirst();
  if (field === undefined) throw notFound();
  return field;
}

/** At most one field is the value field: the last one chosen. */
async function takeValue(tx: Tx, ownerId: string): Promise<void> {
  await tx
    .updateTable("fields")
    .set({ is_value: false })
    .where("owner_id", "=", ownerId)
    .where("is_value", "=", true)
    .where("deleted_at", "is", null)
    .execute();
}

const stored = (options: readonly string[] | null) => (options === null ? null : JSON.stringify(options));

export async function addField(tx: Tx, ownerId: string, field: FieldCreate, at: string): Promise<string> {
  if (field.is_value) await takeValue(tx, ownerId);
  const { id } = await tx
    .insertInto("fields")
    .values({ ...field, options: stored(field.options), owner_id: ownerId, created_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Changes a field. Options that leads have can only be removed with a new option for those leads; a renamed option is moved.
 * @returns whether leads were changed
 * @throws ProblemError 404, 409 with the number of leads that have a removed option, 422 for what the field's type does not support
 */
export async function changeField(
  tx: Tx,
  ref: OwnedRef,
  { move_to: moveTo, ...patch }: FieldPatch,
  stamp: AuditStamp,
): Promise<boolean> {
  const before = await readField(tx, ref);
  if (before.type !== "choice" && (patch.options !== undefined || moveTo !== undefined))
    throw refuseInput("options", "options_of_other_type", null, "Not for this field.");
  if (before.type !== "number" && patch.is_value === true)
    throw refuseInput("is_value", "value_not_a_number", null, "Only a number can be the value.");
  const after = {
    name: patch.name ?? before.name,
    options: patch.options ?? before.options,
    is_value: patch.is_value ?? before.is_value,
  };
  if (typeof moveTo === "string" && !(after.options ?? []).includes(moveTo))
    throw refuseInput("move_to", "option_unknown", { option: moveTo }, "Unknown option.");
  const removed = removedOf(before, after.options);
  const hasMoved = removed.length > 0 && (await clearOptions(tx, ref, { removed, moveTo, ...stamp }));
  if (after.is_value && !before.is_value) await takeValue(tx, ref.ownerId);
  await tx
    .updateTable("fields")
    .set({ ...after, options: stored(after.options) })
    .where("id", "=", ref.id)
    .execute();
  return hasMoved;
}

const removedOf = ({ options }: Pick<Field, "options">, after: readonly string[] | null): string[] =>
  (options ?? []).filter((option) => !(after ?? []).includes(option));

const leadsWithOptions = (id: string, options: readonly string[]) =>
  sql`field_id = ${id}::uuid and text_value = any(${options}::text[])`;

/** Locks the leads that have an option to be removed. Leads are locked before fields everywhere. */
export async function holdLeadsOfOptions(tx: Tx, { ownerId, id }: OwnedRef, patch: FieldPatch): Promise<void> {
  const field = await select(tx, ownerId).where("id", "=", id).executeTakeFirst();
  if (field === undefined || patch.options == null || patch.move_to === undefined) return;
  await lockHolders(tx, leadsWithOptions(id, removedOf(field, patch.options)), sql``);
}

const lockHolders = (tx: Tx, held: RawBuilder<unknown>, otherwise: RawBuilder<unknown>) =>
  sql`select from leads where id in (select lead_id from lead_fields where ${held}) order by id
    for no key update ${otherwise}`.execute(tx);

async function clearOptions(
  tx: Tx,
  { ownerId, id }: OwnedRef,
  { removed, moveTo, at, byKey }: AuditStamp & { removed: string[]; moveTo: string | null | undefined },
): Promise<boolean> {
  const held = leadsWithOptions(id, removed);
  if (moveTo === undefined) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from lead_fields where ${held}`.execute(tx);
    const count = rows[0]?.n ?? 0;
    if (count === 0) return false;
    throw refuse(409, "option_in_use", { leads: count, options: removed });
  }
  // Leads that got the option after the first lock. Waiting for them while the fields are locked could be a deadlock.
  await lockHolders(tx, held, sql`nowait`);
  const change =
    moveTo === null
      ? sql`delete from lead_fields f using held where f.id = held.id`
      : sql`update lead_fields f set text_value = ${moveTo} from held where f.id = held.id`;
  const { numAffectedRows } = await sql`
    with held as materialized (select id, lead_id, text_value from lead_fields where ${held} for update), changed as (${change})
    insert into lead_events (owner_id, lead_id, type, by_kind, by_name, detail, at)
    select ${ownerId}::uuid, held.lead_id, 'fields_changed', ${byKey === null ? "person" : "key"}::text, ${byKey}::text, jsonb_build_object('changes', jsonb_build_array(
      jsonb_build_object('id', f.id, 'name', f.name, 'before', held.text_value, 'after', ${moveTo}::text))), ${at}::timestamptz
    from held, fields f where f.id = ${id}::uuid`.execute(tx);
  return Number(numAffectedRows ?? 0) > 0;
}
