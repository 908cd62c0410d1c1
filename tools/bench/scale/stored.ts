import { sql } from "kysely";
import type { OpenDatabase } from "../../../server/db/index.ts";

/**
 * Writes owners with two stages of three steps each and leads spread over them; their steps are due in a month.
 * @returns the owners' ids
 */
export async function writeOwners(
  { db }: Pick<OpenDatabase, "db">,
  { owners, leads, prefix }: { owners: number; leads: number; prefix: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`insert into auth.users (email, encrypted_password)
    select ${prefix} || n || '@example.com', '-' from generate_series(1, ${owners}::int) n returning id`.execute(db);
  const ids = rows.map(({ id }) => id);
  await sql`insert into subscriptions (user_id, status) select unnest(${ids}::uuid[]), 'active'`.execute(db);
  await sql`insert into user_settings (user_id, auto_followups_enabled, auto_followup_start_hour, auto_followup_end_hour, auto_followups_since)
    select unnest(${ids}::uuid[]), true, 0, 0, now() - interval '90 days'`.execute(db);
  await sql`insert into stages (owner_id, name, "order") select o.id, 'Stage ' || n, n from unnest(${ids}::uuid[]) o(id), generate_series(1, 2) n`.execute(
    db,
  );
  await sql`insert into followups (owner_id, stage_id, message, followup_order, delay_hours, created_at)
    select s.owner_id, s.id, 'Step ' || n, n, 24, now() - interval '60 days' from stages s, generate_series(0, 2) n
    where s.owner_id = any(${ids}::uuid[])`.execute(db);
  // The values that triggers would write row by row are written in bulk afterwards.
  await sql`alter table leads disable trigger user`.execute(db);
  for (const id of ids) {
    await sql`insert into leads (owner_id, telegram_user_id, name, username, stage_id, created_at, stage_entered_at, last_inbound_at, last_message_at)
      select ${id}::uuid, n, 'Person ' || n, 'user_' || n, s.ids[1 + n % 2], now() - n * interval '1 second', now() + interval '30 days',
        now() - n * interval '1 second', now() - n * interval '1 second'
      from (select array_agg(id order by "order") as ids from stages where owner_id = ${id}::uuid) s,
        generate_series(1, ${Math.round(leads / owners)}::int) n`.execute(db);
  }
  await sql`alter table leads enable trigger user`.execute(db);
  await sql`insert into lead_totals (owner_id, stage_id, total)
    select owner_id, stage_id, count(*) from leads where owner_id = any(${ids}::uuid[]) group by 1, 2`.execute(db);
  await sql`insert into lead_standings (owner_id, stage_id, cursor, is_opted_out, is_unreachable, is_held, has_replied, total)
    select owner_id, stage_id, 0, false, false, false, false, count(*) from leads where owner_id = any(${ids}::uuid[]) group by 1, 2`.execute(
    db,
  );
  await sql`insert into lead_due (lead_id, owner_id, due_at) select l.id, l.owner_id, l.stage_entered_at + interval '24 hours'
    from leads l where l.owner_id = any(${ids}::uuid[])`.execute(db);
  await sql`delete from stale_plans where stage_id in (select id from stages where owner_id = any(${ids}::uuid[]))`.execute(
    db,
  );
  return ids;
}
