import { sql } from "kysely";
import type { StageCreate, StagePatch } from "../../domain/stage.ts";
import { audit } from "../core/audit.ts";
import type { Deps } from "../core/deps.ts";
import { conflict, notFound } from "../core/problem.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import { restRulesWithoutStage } from "../reminders/index.ts";

const UNIQUE_VIOLATION = "23505";
export type StageRow = { id: string; name: string; color: string; order: number; keywords: string[] };

/** An owner's stages in their order. */
export const listStages = (db: DbOrTx, ownerId: string): Promise<StageRow[]> =>
  db
    .selectFrom("stages")
    .select(["id", "name", "color", "order", "keywords"])
    .where("owner_id", "=", ownerId)
    .orderBy("order")
    .execute();

/**
 * Runs one edit of an owner's stages alone: two tabs that save at once take turns, orders stay 1..n, and the compiled
 * rules are renewed everywhere.
 */
export async function editStages<T>(
  { db, bus }: Pick<Deps, "db" | "bus">,
  ownerId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`insert into stage_rules (owner_id) values (${ownerId}) on conflict (owner_id) do update set version = stage_rules.version + 1`.execute(
        tx,
      );
      const result = await work(tx);
      await bus.publish("stages.changed", { owner_id: ownerId }, tx);
      return result;
    });
  } catch (error) {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown };
    if (code === UNIQUE_VIOLATION && constraint === "stages_name_key") {
      throw conflict("stage_name_taken", "Another stage has that name already. Choose a different one.");
    }
    throw error;
  }
}

/** Adds a stage; an order inside the list pushes the later ones back, one beyond its end means the end. */
export async function createStage(tx: Tx, ownerId: string, stage: StageCreate): Promise<StageRow> {
  const stages = await listStages(tx, ownerId);
  const order = Math.min(stage.order ?? stages.length + 1, stages.length + 1);
  await sql`update stages set "order" = "order" + 1 where owner_id = ${ownerId} and "order" >= ${order}`.execute(tx);
  return tx
    .insertInto("stages")
    .values({ owner_id: ownerId, name: stage.name, keywords: stage.keywords, color: stage.color, order })
    .returning(["id", "name", "color", "order", "keywords"])
    .executeTakeFirstOrThrow();
}

/**
 * Changes a stage. A new order is a swap with the stage that holds it, so that a browser that saves a rearranged list one
 * stage after another, in whatever sequence, ends with the list it showed.
 */
export async function patchStage(tx: Tx, ownerId: string, stageId: string, patch: StagePatch): Promise<StageRow> {
  const stages = await listStages(tx, ownerId);
  const stage = stages.find(({ id }) => id === stageId);
  if (stage === undefined) throw notFound();
  const order = Math.min(patch.order, stages.length);
  if (order !== stage.order) {
    await tx
      .updateTable("stages")
      .set({ order: stage.order })
      .where("owner_id", "=", ownerId)
      .where("order", "=", order)
      .execute();
    await tx.updateTable("stages").set({ order }).where("owner_id", "=", ownerId).where("id", "=", stageId).execute();
  }
  if (!("name" in patch)) return { ...stage, order };
  return tx
    .updateTable("stages")
    .set({ name: patch.name, keywords: patch.keywords, color: patch.color })
    .where("owner_id", "=", ownerId)
    .where("id", "=", stageId)
    .returning(["id", "name", "color", "order", "keywords"])
    .executeTakeFirstOrThrow();
}

/**
 * Deletes a stage: its leads move to the first remaining one as by any stage change, its follow-ups stay, unassigned, and its reminders rest.
 * @throws ProblemError 409 for the last stage while leads are in it
 */
export async function deleteStage(tx: Tx, ownerId: string, stageId: string, at: string): Promise<void> {
  const stages = await listStages(tx, ownerId);
  if (!stages.some(({ id }) => id === stageId)) throw notFound();
  const remaining = stages.filter(({ id }) => id !== stageId);
  const next = remaining[0];
  const counted = await tx
    .selectFrom("leads")
    .select((eb) => sql<number>`${eb.fn.countAll()}::int`.as("n"))
    .where("owner_id", "=", ownerId)
    .where("stage_id", "=", stageId)
    .executeTakeFirst();
  const moved = counted?.n ?? 0;
  if (next === undefined && moved > 0) {
    throw conflict(
      "last_stage_in_use",
      `This is the last stage and it holds ${moved} lead${moved === 1 ? "" : "s"}. Add another stage first.`,
    );
  }
  if (next !== undefined && moved > 0) await moveAll(tx, ownerId, stageId, next.id, at);
  await detachFollowups(tx, ownerId, stageId);
  await restRulesWithoutStage(tx, stageId);
  await tx.deleteFrom("stages").where("owner_id", "=", ownerId).where("id", "=", stageId).execute();
  await sql`update stages s set "order" = n.position from (
    select id, row_number() over (order by "order")::int as position from stages where owner_id = ${ownerId}
  ) n where s.id = n.id and s."order" <> n.position`.execute(tx);
  await audit(tx, { userId: ownerId, action: "stage_deleted", at, detail: { stage_id: stageId, leads_moved: moved } });
}

async function moveAll(tx: Tx, ownerId: string, from: string, to: string, at: string): Promise<void> {
  await sql`
    with moved as (
      update leads set stage_id = ${to}::uuid, stage_entry_epoch = stage_entry_epoch + 1, followup_order_sent = 0,
        last_followup_sent_at = null, stage_entered_at = ${at}::timestamptz
      where owner_id = ${ownerId}::uuid and stage_id = ${from}::uuid returning id, stage_entry_epoch
    )
    insert into stage_history (owner_id, lead_id, from_stage_id, to_stage_id, reason, epoch, at)
    select ${ownerId}::uuid, id, ${from}::uuid, ${to}::uuid, 'stage_deleted', stage_entry_epoch, ${at}::timestamptz from moved`.execute(
    tx,
  );
}

async function detachFollowups(tx: Tx, ownerId: string, stageId: string): Promise<void> {
  await tx
    .updateTable("followups")
    .set({ stage_id: null })
    .where("owner_id", "=", ownerId)
    .where("stage_id", "=", stageId)
    .execute();
}
