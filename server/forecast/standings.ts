import { sql } from "kysely";
import type { Deps } from "../core/deps.ts";
import type { Db, DbOrTx } from "../db/index.ts";
import { hot } from "./read.ts";

/** Leads at the same step of a stage with the same obstacles. */
export type LeadGroup = {
  stage_id: string | null;
  cursor: number;
  is_opted_out: boolean;
  is_unreachable: boolean;
  is_held: boolean;
  has_replied: boolean;
  total: number;
};

const KEY = sql`owner_id, stage_id, cursor, is_opted_out, is_unreachable, is_held, has_replied`;
const STANDING = sql`stage_id, cursor, is_opted_out, is_unreachable, is_held, has_replied`;

/**
 * Counts an owner's leads by step and obstacles, from counters that every write of a lead updates. Costs the same for any number of leads.
 */
export async function readStandings(db: DbOrTx, ownerId: string, now: number): Promise<LeadGroup[]> {
  const { rows } = await sql<LeadGroup>`${hot}
    select ${STANDING}, sum(total)::int as total from (
      select ${STANDING}, total from lead_standings where owner_id = ${ownerId}::uuid
      union all
      select ${STANDING}, total from lead_standing_changes where owner_id = ${ownerId}::uuid
      union all
      -- A hold that ends by itself is one for as long as it lasts.
      select l.stage_id, l.followup_order_sent, l.opted_out_at is not null, l.unreachable_reason is not null, held.is_held,
        coalesce(l.last_inbound_at > greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at), false), held.total
      from leads l cross join (values (false, -1), (true, 1)) held(is_held, total)
      where l.owner_id = ${ownerId}::uuid and l.held_at is not null and l.held_until > ${new Date(now).toISOString()}::timestamptz
    ) x group by ${STANDING} having sum(total) <> 0`.execute(db);
  return rows;
}

const CHANGES_PER_BATCH = 10_000;

/** Adds pending changes to the counters, in batches with a transaction each. Safe to run at any time and in several processes. */
export async function foldStandings({ db }: Pick<Deps, "db">): Promise<void> {
  for (let count = CHANGES_PER_BATCH; count === CHANGES_PER_BATCH;) count = await foldBatch(db);
}

async function foldBatch(db: Db): Promise<number> {
  // Erasing an account locks it before its rows, so it is locked first here too.
  const { rows } = await sql<{ count: number }>`
    with picked as (
      select c.id from lead_standing_changes c join auth.users u on u.id = c.owner_id order by c.id limit ${CHANGES_PER_BATCH}
      for key share of u skip locked for update of c skip locked
    ), gone as (
      delete from lead_standing_changes where id in (select id from picked) returning *
    ), added as (
      insert into lead_standings as s (${KEY}, total)
      select ${KEY}, sum(total) from gone group by ${KEY} having sum(total) <> 0 order by ${KEY}
      on conflict on constraint lead_standings_key do update set total = s.total + excluded.total
    )
    select count(*)::int as count from gone`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function forgetEmptyStandings({ db }: Pick<Deps, "db">): Promise<void> {
  await sql`delete from lead_standings where total = 0`.execute(db);
}
