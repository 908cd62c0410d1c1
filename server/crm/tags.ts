import { sql } from "kysely";
import type { LeadTag } from "../../domain/lead.ts";
import type { Tag, TagCreate, TagPatch } from "../../domain/tag.ts";
import { publishEvents } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import { lockLead } from "../lead-rows/lead.ts";
import { notFound, refuseInput } from "../core/problem.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import { actorOf, recordLeadEvent } from "../leads/events.ts";
import type { Kind, OwnedRef } from "./soft-delete.ts";

export const TAGS: Kind = { table: "tags", noun: "tag" };

const select = (db: DbOrTx, ownerId: string) =>
  db
    .selectFrom("tags")
    .select(["id", "name", "color", "leads"])
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null);

/** Returns an owner's tags by name. */
export const listTags = (db: DbOrTx, ownerId: string): Promise<Tag[]> =>
  select(db, ownerId)
    .orderBy(sql`lower(name)`)
    .orderBy("id")
    .execute();

export async function readTag(db: DbOrTx, { ownerId, id }: OwnedRef): Promise<Tag> {
  const tag = await select(db, ownerId).where("id", "=", id).executeTakeFirst();
  if (tag === undefined) throw notFound();
  return tag;
}

export async function addTag(tx: Tx, ownerId: string, tag: TagCreate, at: string): Promise<string> {
  const { id } = await tx
    .insertInto("tags")
    .values({ ...tag, owner_id: ownerId, created_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Changes a tag. @returns whether leads have it */
export async function changeTag(tx: Tx, ref: OwnedRef, patch: TagPatch): Promise<boolean> {
  const { name, color, leads } = await readTag(tx, ref);
  await tx
    .updateTable("tags")
    .set({ name, color, ...patch })
    .where("id", "=", ref.id)
    .execute();
  return leads > 0;
}

/**
 * Sets a lead's tags. Deleted tags of the lead are kept, in case they are restored.
 * @returns the lead's tags by name
 * @throws ProblemError 404 for the lead, 422 for an unknown tag
 */
export function setLeadTags(
  { db, bus, clock }: Pick<Deps, "db" | "bus" | "clock">,
  { ownerId, leadId, byKey }: { ownerId: string; leadId: string; byKey: string | null },
  tagIds: readonly string[],
): Promise<LeadTag[]> {
  const wanted = new Set(tagIds.map((id) => id.toLowerCase()));
  return db.transaction().execute(async (tx) => {
    await lockLead(tx, { ownerId, leadId });
    const { rows } = await sql<LeadTag & { is_carried: boolean }>`
      select t.id, t.name, t.color, l.id is not null as is_carried
      from tags t left join lead_tags l on l.tag_id = t.id and l.lead_id = ${leadId}::uuid
      where t.owner_id = ${ownerId}::uuid and t.deleted_at is null and (l.id is not null or t.id = any(${[...wanted]}::uuid[]))
      order by lower(t.name), t.id`.execute(tx);
    const known = new Set(rows.map(({ id }) => id));
    if ([...wanted].some((id) => !known.has(id)))
      throw refuseInput("tag_ids", "tags_gone", null, "Holds an unknown tag.");
    const added = rows.filter(({ id, is_carried: isCarried }) => !isCarried && wanted.has(id));
    const removed = rows.filter(({ id, is_carried: isCarried }) => isCarried && !wanted.has(id));
    const tags = rows.filter(({ id }) => wanted.has(id)).map(({ id, name, color }) => ({ id, name, color }));
    if (added.length + removed.length === 0) return tags;
    if (removed.length > 0)
      await tx
        .deleteFrom("lead_tags")
        .where("lead_id", "=", leadId)
        .where(
          "tag_id",
          "in",
          removed.map(({ id }) => id),
        )
        .execute();
    if (added.length > 0)
      await tx
        .insertInto("lead_tags")
        .values(added.map(({ id }) => ({ owner_id: ownerId, tag_id: id, lead_id: leadId })))
        .execute();
    const named = (of: readonly LeadTag[]) => of.map(({ id, name }) => ({ id, name }));
    const detail = { added: named(added), removed: named(removed) };
    await recordLeadEvent(tx, { ownerId, leadId, type: "tags_changed", ...actorOf(byKey), detail, at: clock.iso() });
    const news = [{ type: "lead.changed", data: { id: leadId } }, { type: "tags.changed" }] as const;
    await publishEvents(bus, ownerId, news, tx);
    return tags;
  });
}
