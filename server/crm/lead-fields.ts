import { sql } from "kysely";
import { cutText } from "../../domain/cut-text.ts";
import { readFieldValue, type LeadFieldsPatch } from "../../domain/field.ts";
import type { FieldValue } from "../../domain/lead.ts";
import { publishEvents } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import { lockLead } from "../lead-rows/lead.ts";
import type { Tx } from "../db/index.ts";
import { actorOf, recordLeadEvent } from "../leads/events.ts";
import type { FieldProblem } from "../../domain/field-problems.ts";
import { fieldProblem } from "../../domain/schema-message.ts";
import { readProblem } from "../core/field-problem.ts";
import { invalidFields } from "../core/problem.ts";

/** A story shows the start of a long text. */
const EVENT_VALUE_CHARS = 120;

type Change = { id: string; name: string; before: FieldValue; after: FieldValue };

/**
 * Sets custom fields of a lead; null removes a value, missing fields stay. All or nothing.
 * @returns all values of the lead, by field id
 * @throws ProblemError 404 for the lead, 422 naming each field that does not exist or whose value does not match its type
 */
export function setLeadFields(
  { db, bus, clock }: Pick<Deps, "db" | "bus" | "clock">,
  { byKey, ...whose }: { ownerId: string; leadId: string; byKey: string | null },
  patch: LeadFieldsPatch,
): Promise<Record<string, FieldValue>> {
  return db.transaction().execute(async (tx) => {
    await lockLead(tx, whose);
    const changes = await readChanges(tx, whose, patch);
    if (changes.length > 0) {
      await write(tx, whose, changes);
      const shortened = (value: FieldValue) => (typeof value === "string" ? cutText(value, EVENT_VALUE_CHARS) : value);
      const detail = {
        changes: changes.map((c) => ({ ...c, before: shortened(c.before), after: shortened(c.after) })),
      };
      await recordLeadEvent(tx, { ...whose, type: "fields_changed", ...actorOf(byKey), detail, at: clock.iso() });
      const news = [{ type: "lead.changed", data: { id: whose.leadId } }, { type: "fields.changed" }] as const;
      await publishEvents(bus, whose.ownerId, news, tx);
    }
    return valuesOf(tx, whose.leadId);
  });
}

/** Returns the entries of a patch that change something. Locks the owner's fields in order, so that their options stay the same. */
async function readChanges(
  tx: Tx,
  { ownerId, leadId }: { ownerId: string; leadId: string },
  patch: LeadFieldsPatch,
): Promise<Change[]> {
  const fields = await tx
    .selectFrom("fields")
    .select(["id", "name", "type", "options", "deleted_at"])
    .where("owner_id", "=", ownerId)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  const known = new Map(fields.filter((field) => field.deleted_at === null).map((field) => [field.id, field]));
  const before = await valuesOf(tx, leadId);
  const problems: FieldProblem[] = [];
  const wrong: Record<string, string> = {};
  const deny = (key: string, written: string) => {
    const { message, code, params } = readProblem(written);
    const name = known.get(key.toLowerCase())?.name;
    wrong[key] = message;
    problems.push({ field: key, code, params: name === undefined ? params : { ...params, name } });
  };
  const changes = new Map<string, Change>();
  for (const [key, given] of Object.entries(patch)) {
    const field = known.get(key.toLowerCase());
    const read = field === undefined ? null : readFieldValue(field, given);
    if (field === undefined || read === null) deny(key, fieldProblem("field_gone"));
    else if ("problem" in read) deny(key, read.problem);
    else if (read.value !== (before[field.id] ?? null))
      changes.set(field.id, { id: field.id, name: field.name, before: before[field.id] ?? null, after: read.value });
  }
  if (problems.length > 0) throw invalidFields(problems, wrong);
  return [...changes.values()];
}

async function write(
  tx: Tx,
  { ownerId, leadId }: { ownerId: string; leadId: string },
  changes: readonly Change[],
): Promise<void> {
  const gone = changes.filter(({ after }) => after === null).map(({ id }) => id);
  if (gone.length > 0)
    await tx.deleteFrom("lead_fields").where("lead_id", "=", leadId).where("field_id", "in", gone).execute();
  const filled = changes.filter(({ after }) => after !== null);
  if (filled.length === 0) return;
  await tx
    .insertInto("lead_fields")
    .values(
      filled.map(({ id, after }) => ({
        owner_id: ownerId,
        lead_id: leadId,
        field_id: id,
        text_value: typeof after === "string" ? after : null,
        number_value: typeof after === "number" ? after : null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["field_id", "lead_id"]).doUpdateSet((eb) => ({
        text_value: eb.ref("excluded.text_value"),
        number_value: eb.ref("excluded.number_value"),
      })),
    )
    .execute();
}

async function valuesOf(tx: Tx, leadId: string): Promise<Record<string, FieldValue>> {
  const { rows } = await sql<{ field_id: string; text_value: string | null; number_value: number | null }>`
    select v.field_id, v.text_value, v.number_value from lead_fields v join fields f on f.id = v.field_id
    where v.lead_id = ${leadId}::uuid and f.deleted_at is null order by f.created_at, f.id`.execute(tx);
  return Object.fromEntries(rows.map((row) => [row.field_id, row.number_value ?? row.text_value]));
}
