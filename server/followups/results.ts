import { sql } from "kysely";
import { RESULTS_DEFAULT_DAYS, type FollowupResult, type FollowupResultsQuery } from "../../domain/followup.ts";
import type { Deps } from "../core/deps.ts";
import { refuseInput } from "../core/problem.ts";

const DAY_MS = 86_400_000;

/**
 * Returns each follow-up's results in a period, by its id, even if its text, place or stage has changed since. Deleted steps that were sent
 * in the period come last.
 * - answered: the next message of the conversation is the lead's, and came in time
 * - moved on: the lead then left the stage forward, by keyword or manually, and this was the last step sent in it
 * - opted out: this was the last message to the lead before the opt-out
 * @throws ProblemError 422 for an end before the start
 */
export async function followupResults(
  { db, clock }: Pick<Deps, "db" | "clock">,
  ownerId: string,
  query: FollowupResultsQuery,
): Promise<FollowupResult[]> {
  const to = query.to ?? clock.iso();
  const from = query.from ?? new Date(Date.parse(to) - RESULTS_DEFAULT_DAYS * DAY_MS).toISOString();
  if (Date.parse(to) < Date.parse(from)) {
    throw refuseInput("to", "end_before_start", null, "Must not be before the start.");
  }
  const counting = sql<FollowupResult>`
    with sends as materialized (${sentIn("outbox", ownerId, { from, to })} union all ${sentIn("ledger", ownerId, { from, to })}),
    told as (
      select s.followup_id,
        case when next.is_outgoing = false then extract(epoch from next.sent_at - m.sent_at) / 60 end as minutes,
        coalesce(left_by.is_forward, false) and not exists (
          select from step_uses u where u.lead_id = s.lead_id and u.epoch = s.epoch and u.state = 'sent' and u.settled_at > s.settled_at
        ) as has_moved_on,
        coalesce(last_before.outbox_id = s.id, false) as has_opted_out
      from sends s
      left join leads l on l.id = s.lead_id and l.owner_id = ${ownerId}::uuid
      left join messages m on m.outbox_id = s.id and m.owner_id = ${ownerId}::uuid
      left join lateral (
        select n.is_outgoing, n.sent_at from messages n
        where n.owner_id = m.owner_id and n.peer_user_id = m.peer_user_id and n.state in ('received', 'sent')
          and (n.sent_at, coalesce(n.message_id, 2147483647), n.id) > (m.sent_at, coalesce(m.message_id, 2147483647), m.id)
        order by n.sent_at, coalesce(n.message_id, 2147483647), n.id limit 1
      ) next on true
      left join lateral (
        select h.reason = 'keyword' or (h.reason = 'manual' and t."order" > coalesce(f."order", 0)) as is_forward
        from stage_history h left join stages f on f.id = h.from_stage_id left join stages t on t.id = h.to_stage_id
        where h.lead_id = l.id and h.epoch > s.epoch order by h.epoch limit 1
      ) left_by on true
      left join lateral (
        select e.at from lead_events e where e.lead_id = l.id and e.type = 'opted_out' and e.at >= m.sent_at order by e.at, e.id limit 1
      ) gone on true
      left join lateral (
        select n.outbox_id from messages n
        where n.owner_id = m.owner_id and n.peer_user_id = m.peer_user_id and n.is_outgoing and n.state = 'sent' and n.sent_at <= gone.at
        order by n.sent_at desc, coalesce(n.message_id, 2147483647) desc, n.id desc limit 1
      ) last_before on gone.at is not null
    ),
    counted as (
      select followup_id, count(*)::int as sent,
        (count(*) filter (where minutes <= 24 * 60))::int as answered_24h,
        (count(*) filter (where minutes <= 72 * 60))::int as answered_72h,
        (count(*) filter (where has_moved_on))::int as moved_on,
        (count(*) filter (where has_opted_out))::int as opted_out,
        round((percentile_cont(0.5) within group (order by minutes) filter (where minutes <= 72 * 60))::numeric, 1)::float8 as median_answer_minutes
      from told group by followup_id
    )
    select coalesce(f.id, c.followup_id) as followup_id, coalesce(c.sent, 0) as sent, coalesce(c.answered_24h, 0) as answered_24h,
      coalesce(c.answered_72h, 0) as answered_72h, coalesce(c.moved_on, 0) as moved_on, coalesce(c.opted_out, 0) as opted_out,
      c.median_answer_minutes
    from (select id, stage_id, followup_order from followups where owner_id = ${ownerId}::uuid) f
    full join counted c on c.followup_id = f.id left join stages s on s.id = f.stage_id
    order by f.id is null, s."order" nulls last, f.followup_order, followup_id`;
  return db.transaction().execute(async (tx) => {
    // Compiling a statement this large takes Postgres seconds, running it a fraction of one.
    await sql`set local jit = off`.execute(tx);
    return (await counting.execute(tx)).rows;
  });
}

/** Selects the steps sent in the period from the outbox or the ledger. An end in milliseconds includes that millisecond. */
const sentIn = (table: "outbox" | "ledger", ownerId: string, { from, to }: { from: string; to: string }) => sql`
  select id, lead_id, followup_id, epoch, settled_at from ${sql.table(table)}
  where owner_id = ${ownerId}::uuid and settled_at >= ${from}::timestamptz and settled_at < ${to}::timestamptz + interval '1 millisecond'
    and state = 'sent' and followup_id is not null`;
