import { sql } from "kysely";
import { UNDO_MS } from "../../domain/limits.ts";
import { audit } from "../core/audit.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import { notFound, refuse } from "../core/problem.ts";
import { enforceQuota } from "../owned-data/quota.ts";
import type { Tx } from "../db/index.ts";
import { disableRemindersWithoutStage } from "../reminders/repository.ts";
import { beginRemoval, finishRemovals } from "./removal-lanes.ts";
import { editStages, listStages, type StageRow } from "./repository.ts";

export const FINISH_REMOVALS = "stages.remove";
/** How long the response waits for the leads to move; enough for all but the largest stages. */
const ANSWER_WITHIN_MS = 1_500;

type RouteDeps = Pick<Deps, "db" | "bus" | "clock" | "jobs" | "engine">;

/**
 * Deletes a stage and moves its leads. If there are very many, the last ones move in the background, and an event reports the end.
 * @throws ProblemError 404; 409 for the last stage while it has leads
 */
export async function deleteStage(
  deps: RouteDeps,
  ownerId: string,
  stageId: string,
  byKey: string | null = null,
): Promise<void> {
  await editStages(deps, ownerId, async (tx) => {
    await removeStage(tx, ownerId, stageId, deps.clock.iso(), byKey);
    await publishEvent(deps.bus, ownerId, "lead.changed", {}, tx);
  });
  await moveTheRest(deps, ownerId);
}

/**
 * Restores a stage deleted within the last minute, as `restoreStage` does. A stage that is not deleted is unchanged.
 * @throws ProblemError 404 after the minute, 409 when its name is taken or the quota of stages is used up
 */
export async function undoStageDeletion(deps: RouteDeps, ownerId: string, stageId: string): Promise<StageRow> {
  const stage = await editStages(deps, ownerId, async (tx) => {
    const restored = await restoreStage(tx, ownerId, stageId, deps.clock.iso());
    await publishEvent(deps.bus, ownerId, "lead.changed", {}, tx);
    return restored;
  });
  await moveTheRest(deps, ownerId);
  return stage;
}

/** The stage itself is committed; the background job retries what fails here. */
async function moveTheRest(deps: RouteDeps, ownerId: string): Promise<void> {
  const isDone = await finishRemovals(deps, { ownerId, forMs: ANSWER_WITHIN_MS }).catch(() => false);
  if (!isDone) await deps.jobs.trigger(FINISH_REMOVALS);
}

/**
 * Deletes a stage: its follow-ups stay, unassigned, its reminders are disabled, and its leads move to the first remaining stage like by any
 * stage change. There they are held until the user resumes or moves them. If there are very many, only the first ones move at once, the
 * others by `finishRemovals`.
 * @param byKey the name of the API key that deletes it
 * @throws ProblemError 404; 409 for the last stage while it has leads
 */
export async function removeStage(
  tx: Tx,
  ownerId: string,
  stageId: string,
  at: string,
  byKey: string | null = null,
): Promise<void> {
  const stages = await listStages(tx, ownerId);
  if (!stages.some(({ id }) => id === stageId)) throw notFound();
  const removal = { stage_id: stageId, owner_id: ownerId, at, by_key: byKey };
  await keepStage(tx, removal);
  await tx
    .updateTable("followups")
    .set({ stage_id: null })
    .where("owner_id", "=", ownerId)
    .where("stage_id", "=", stageId)
    .execute();
  await disableRemindersWithoutStage(tx, stageId);
  // Waits for transactions that are moving a lead into it; afterwards none can.
  await tx.deleteFrom("stages").where("owner_id", "=", ownerId).where("id", "=", stageId).execute();
  const leads = await countLeads(tx, ownerId, stageId);
  if (stages.length === 1 && leads > 0) {
    throw refuse(409, "last_stage_in_use", { leads });
  }
  await sql`update stages s set "order" = n.position from (
    select id, row_number() over (order by "order")::int as position from stages where owner_id = ${ownerId}
  ) n where s.id = n.id and s."order" <> n.position`.execute(tx);
  await beginRemoval(tx, { ...removal, state: "moving" });
  await audit(tx, { userId: ownerId, action: "stage_deleted", at, detail: { stage_id: stageId, leads_moved: leads } });
}

/** Stores what is needed to restore a stage. */
const keepStage = (tx: Tx, removal: { stage_id: string; owner_id: string; at: string; by_key: string | null }) =>
  sql`insert into stage_removals (stage_id, owner_id, at, by_key, stage, steps, rules)
    select s.id, s.owner_id, ${removal.at}::timestamptz, ${removal.by_key}::text, to_jsonb(s),
      coalesce((select jsonb_agg(jsonb_build_object('id', f.id, 'place', f.followup_order)) from followups f where f.stage_id = s.id), '[]'),
      coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'is_enabled', r.is_enabled,
        'disabled_reason', r.disabled_reason, 'disabled_account', r.disabled_account)) from reminders r where r.stage_id = s.id), '[]')
    from stages s where s.id = ${removal.stage_id}::uuid and s.owner_id = ${removal.owner_id}::uuid
    on conflict (stage_id) do update set at = excluded.at, by_key = excluded.by_key, stage = excluded.stage, steps = excluded.steps,
      rules = excluded.rules, state = 'moving'`.execute(tx);

/**
 * Restores a stage deleted within the last minute: its row and order, its steps, its rules, and the leads that were not moved, held,
 * resumed or sent anything since. If there are very many, only the first return at once; `finishRemovals` restores the rest.
 * @throws ProblemError 404 after the minute, 409 when the quota of stages is used up; a unique violation when its name is taken
 */
async function restoreStage(tx: Tx, ownerId: string, stageId: string, at: string): Promise<StageRow> {
  const before = await listStages(tx, ownerId);
  const known = before.find(({ id }) => id === stageId);
  if (known !== undefined) return known;
  const removal = await tx
    .updateTable("stage_removals")
    .set({ state: "returning" })
    .where("stage_id", "=", stageId)
    .where("owner_id", "=", ownerId)
    .where("stage", "is not", null)
    .where("at", ">=", undoableSince(Date.parse(at)))
    .returning(["stage_id", "owner_id", "at", "by_key", "state"])
    .executeTakeFirst();
  if (removal === undefined) throw notFound();
  await enforceQuota(tx, "stages", ownerId);
  const saved = sql`(select k.stage_id, k.owner_id, k.stage, k.steps, k.rules from stage_removals k where k.stage_id = ${stageId}::uuid) k`;
  await sql`update stages s set "order" = s."order" + 1 from ${saved}
    where s.owner_id = k.owner_id and s."order" >= (k.stage ->> 'order')::int`.execute(tx);
  await sql`insert into stages select s.* from ${saved}, jsonb_populate_record(null::stages, k.stage || jsonb_build_object('order',
    least((k.stage ->> 'order')::int, ${before.length + 1}::int))) s`.execute(tx);
  await sql`update followups f set stage_id = k.stage_id, followup_order = x.place
    from ${saved} cross join lateral jsonb_to_recordset(k.steps) x (id uuid, place int)
    where f.id = x.id and f.owner_id = k.owner_id and f.stage_id is null`.execute(tx);
  // A step deleted just before its stage can still be restored.
  await sql`update deleted_followups set stage_id = ${stageId}::uuid
    where owner_id = ${ownerId}::uuid and stage_id is null and step ->> 'stage_id' = ${stageId}`.execute(tx);
  // Reminders may have been withdrawn while the rules were off, so all leads are checked again.
  await sql`update reminders r set stage_id = k.stage_id, is_enabled = x.is_enabled, disabled_reason = x.disabled_reason,
      disabled_account = x.disabled_account, told_until = null
    from ${saved} cross join lateral jsonb_to_recordset(k.rules)
      x (id uuid, is_enabled boolean, disabled_reason text, disabled_account bigint)
    where r.id = x.id and r.owner_id = k.owner_id and r.stage_id is null`.execute(tx);
  await beginRemoval(tx, removal);
  await audit(tx, { userId: ownerId, action: "stage_restored", at, detail: { stage_id: stageId } });
  const restored = (await listStages(tx, ownerId)).find(({ id }) => id === stageId);
  if (restored === undefined) throw notFound();
  return restored;
}

/** Stages deleted at this time or later can be restored. */
const undoableSince = (now: number): string => new Date(now - UNDO_MS).toISOString();

/** Erases stages that can no longer be restored, once their leads have moved. @returns how many */
export async function eraseDeletedStages({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number> {
  const erased = await db
    .deleteFrom("stage_removals")
    .where("state", "=", "moved")
    .where("at", "<", undoableSince(clock.now()))
    .executeTakeFirst();
  return Number(erased.numDeletedRows);
}

/** Returns how many leads a stage has. For the owner's last stage, includes those still moving out of deleted stages. */
async function countLeads(tx: Tx, ownerId: string, stageId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from leads where owner_id = ${ownerId}::uuid and (stage_id = ${stageId}::uuid or (
      not exists (select from stages where owner_id = ${ownerId}::uuid)
      and stage_id in (select stage_id from stage_removals where owner_id = ${ownerId}::uuid)))`.execute(tx);
  return rows[0]?.n ?? 0;
}
