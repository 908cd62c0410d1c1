import { sql } from "kysely";
import { systemClock } from "../core/clock.ts";
import type { Db, Tx } from "../db/index.ts";

const LEADS_PER_BATCH = 5_000;
/** Sorts before every lead: the start of a stage. */
const NONE_YET = "00000000-0000-0000-0000-000000000000";

/**
 * Refreshes the candidates of stages whose steps changed, in batches of leads with a transaction each. Skips stages that another process is
 * refreshing.
 * @param mostMs starts no further batch after this time
 * @returns whether there may be more to do
 */
export async function refreshStalePlans(db: Db, mostMs = Infinity): Promise<boolean> {
  for (const began = systemClock.monotonic(); ;) {
    const found = await db.transaction().execute(async (tx) => {
      const { rows: stages } = await sql<{ stage_id: string; after: string | null }>`
        select p.stage_id, p.after from stale_plans p where p.stage_id in (
          select stage_id from (
            select s.stage_id, row_number() over w as place, sum(coalesce(t.total, 0)) over w as leads from stale_plans s
            join stages g on g.id = s.stage_id left join lead_totals t on t.owner_id = g.owner_id and t.stage_id = s.stage_id
            window w as (order by s.stage_id)
          ) first where place = 1 or leads <= ${LEADS_PER_BATCH}
        ) order by p.stage_id for update skip locked`.execute(tx);
      if (stages.length > 0) await refreshBatch(tx, stages);
      return stages.length > 0;
    });
    if (!found) return false;
    if (systemClock.monotonic() - began >= mostMs) return true;
  }
}

/** Refreshes stale plans if an owner's steps were edited since the last refresh; stale plans of other owners may be included. */
export async function refreshPlansOf(db: Db, ownerId: string, mostMs: number): Promise<void> {
  const { rows } =
    await sql`select 1 from stages g join stale_plans p on p.stage_id = g.id where g.owner_id = ${ownerId}::uuid limit 1`.execute(
      db,
    );
  if (rows.length > 0) await refreshStalePlans(db, mostMs);
}

/** Refreshes a batch of leads of all these stages at once: candidates are locked by lead id, and moves lock them across stages. */
async function refreshBatch(tx: Tx, stages: readonly { stage_id: string; after: string | null }[]): Promise<void> {
  const ids = stages.map((stage) => stage.stage_id);
  const batch = sql`select b.id, s.stage_id
    from unnest(${ids}::uuid[], ${stages.map(({ after }) => after)}::uuid[]) s (stage_id, after) join stages g on g.id = s.stage_id
    cross join lateral (select l.id from leads l where l.owner_id = g.owner_id and l.stage_id = s.stage_id and l.id > coalesce(s.after, ${NONE_YET}::uuid)
      order by l.id limit ${LEADS_PER_BATCH}) b`;
  // The leads themselves are not locked. A concurrent change of one waits for this lock, or is waited for and then seen.
  await sql`select from lead_due where lead_id = any(array(select id from (${batch}) b)) order by lead_id for update`.execute(
    tx,
  );
  const { rows } = await sql<{ stage_id: string; last: string | null; size: number }>`
    with batch as materialized (${batch}), refreshed as (select refresh_due(array(select id from batch)))
    select s.stage_id, count(b.id)::int as size, (array_agg(b.id order by b.id desc nulls last))[1] as last
    from refreshed cross join unnest(${ids}::uuid[]) s (stage_id) left join batch b on b.stage_id = s.stage_id group by s.stage_id`.execute(
    tx,
  );
  for (const { stage_id: id, last, size } of rows)
    if (size < LEADS_PER_BATCH) await tx.deleteFrom("stale_plans").where("stage_id", "=", id).execute();
    else await tx.updateTable("stale_plans").set({ after: last }).where("stage_id", "=", id).execute();
}

/** Marks every plan as stale, once a night, to repair what a lost race left wrong. */
export async function markPlansStale(db: Db): Promise<void> {
  await sql`insert into stale_plans (stage_id) select distinct stage_id from followups where stage_id is not null
    on conflict (stage_id) do update set after = null`.execute(db);
  await sql`update reminders set told_until = null where told_until is not null`.execute(db);
}
