-- What stops a lead's automation: the person's own word, or the seller's.
alter table public.leads
  add column opted_out_at timestamptz,
  -- Held since then, and until then; without an end until it is resumed.
  add column held_at timestamptz,
  add column held_until timestamptz,
  -- Steps that were skipped in the stage entry of that number, and from when the next one's time counts.
  add column skipped_steps uuid[],
  add column skipped_epoch integer,
  add column skipped_until timestamptz;

-- As before. A step counts from what was skipped before it, never comes before the end of a hold, and is told whether it was skipped itself.
create or replace view public.next_followups with (security_invoker = true) as
select l.id as lead_id, l.owner_id, l.stage_entry_epoch as epoch, l.unreachable_reason, f.id as followup_id, f.message, f.media_id,
  f.created_at as followup_created_at, a.anchor,
  greatest(greatest(a.anchor, k.until) + f.delay_hours * interval '1 hour', l.held_until) as due_at,
  coalesce(l.last_inbound_at > a.anchor, false) or (
    coalesce(l.last_inbound_at = a.anchor and a.anchor > l.stage_entered_at, false) and coalesce((
      select not m.is_outgoing from public.messages m
      where m.owner_id = l.owner_id and m.peer_user_id = l.telegram_user_id and m.state in ('received', 'sent')
      order by m.sent_at desc, m.message_id desc limit 1), false)
  ) as has_replied,
  l.imported_at, l.opted_out_at, l.held_at is not null and l.held_until is null as is_held, coalesce(f.id = any(k.steps), false) as is_skipped
from public.leads l
join public.followups f on f.stage_id = l.stage_id and f.followup_order = l.followup_order_sent
cross join lateral (select greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at) as anchor) a
cross join lateral (select case when l.skipped_epoch = l.stage_entry_epoch then l.skipped_until end as until,
  case when l.skipped_epoch = l.stage_entry_epoch then l.skipped_steps end as steps) k;

create or replace view public.due_candidates with (security_invoker = true) as
select l.id as lead_id, l.owner_id, l.stage_id, d.due_at,
  d.due_at < f.created_at - interval '24 hours' or coalesce(d.due_at <= l.imported_at, false) as is_backlog
from public.leads l
join public.followups f on f.stage_id = l.stage_id and f.followup_order = l.followup_order_sent
cross join lateral (select greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at) as anchor) a
cross join lateral (select case when l.skipped_epoch = l.stage_entry_epoch then l.skipped_until end as until,
  case when l.skipped_epoch = l.stage_entry_epoch then l.skipped_steps end as steps) k
cross join lateral (select greatest(greatest(a.anchor, k.until) + f.delay_hours * interval '1 hour', l.held_until) as due_at) d
where l.unreachable_reason is null and l.opted_out_at is null and not (l.held_at is not null and l.held_until is null)
  and not coalesce(f.id = any(k.steps), false)
  and not coalesce(l.last_inbound_at > a.anchor, false)
  and not exists (
    select from public.step_uses o where o.lead_id = l.id and o.followup_id = f.id and o.epoch = l.stage_entry_epoch
      and (o.state in ('pending', 'sending', 'sent', 'unknown') or (o.kind = 'followup' and o.settled_at >= a.anchor and (o.state in ('failed', 'skipped')
        or (o.state = 'would_send' and o.settled_at > coalesce((select s.dry_run_ended_at from public.user_settings s where s.user_id = l.owner_id), '-infinity'))))));

-- As before, and what stops a lead's automation changes what is due.
create or replace function public.leads_changed() returns trigger language plpgsql as $$
declare
  ids uuid[];
  anew uuid[];
begin
  ids := array(select id from (
    select id, stage_id, followup_order_sent, stage_entry_epoch, stage_entered_at, last_followup_sent_at, last_manual_at, last_inbound_at,
      unreachable_reason, imported_at, opted_out_at, held_at, held_until, skipped_steps, skipped_epoch, skipped_until from after
    except all
    select id, stage_id, followup_order_sent, stage_entry_epoch, stage_entered_at, last_followup_sent_at, last_manual_at, last_inbound_at,
      unreachable_reason, imported_at, opted_out_at, held_at, held_until, skipped_steps, skipped_epoch, skipped_until from before) d);
  if cardinality(ids) = 0 then return null; end if;
  perform public.require_stages(array(select distinct stage_id from (
    select id, stage_id from after except all select id, stage_id from before) d where stage_id is not null));
  -- In one order, so that two moves the opposite ways never wait for each other.
  insert into public.lead_totals as t (owner_id, stage_id, total)
    select owner_id, stage_id, sum(n) from (
      select owner_id, stage_id, 1 as n from after union all select owner_id, stage_id, -1 from before) m
    group by owner_id, stage_id having sum(n) <> 0 order by owner_id, stage_id
    on conflict on constraint lead_totals_key do update set total = t.total + excluded.total;
  -- Leads of a stage whose steps this very transaction has changed are looked at anew anyway, in batches, before anything is planned.
  anew := array(select p.stage_id from public.stale_plans p where p.stage_id in (select stage_id from after)
    and p.after is null and p.xmin = pg_current_xact_id()::xid);
  if cardinality(anew) > 0 then
    ids := array(select a.id from after a join unnest(ids) as i(id) on a.id = i.id where a.stage_id is null or a.stage_id <> all(anew));
  end if;
  if cardinality(ids) > 0 then perform public.refresh_due(ids); end if;
  if exists (select stage_entered_at, stage_entry_epoch from after except all select stage_entered_at, stage_entry_epoch from before)
  then perform public.look_again_from(ids); end if;
  return null;
end $$;
