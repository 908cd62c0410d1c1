-- A step stands at a place of its stage, and a lead's cursor is the place from which on it has got nothing. A place is never given out twice:
-- when a step goes, everyone stays where he is, and a step that comes back stands where it stood. How many steps a lead has behind it
-- and which number a step has are counted from the steps that stand (server/core/step-places.ts).
comment on column public.followups.followup_order is 'its place in the stage; its number is how many steps stand before it';
comment on column public.leads.followup_order_sent is 'the place in the stage from which on no step went out';

-- The first place that no step of the stage ever stood at.
alter table public.stages add column step_places integer not null default 0;
update public.stages s set step_places = f.places
from (select stage_id, max(followup_order) + 1 as places from public.followups where stage_id is not null group by stage_id) f
where f.stage_id = s.id;

create or replace function public.steps_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    update public.stages set step_places = new.followup_order + 1 where id = new.stage_id and step_places <= new.followup_order;
  end if;
  insert into public.stale_plans (stage_id)
    select s.id from public.stages s where s.id in (case when tg_op <> 'INSERT' then old.stage_id end, case when tg_op <> 'DELETE' then new.stage_id end)
    on conflict (stage_id) do update set after = null;
  return null;
end $$;

-- As before, but a lead's next step is the first at or after its cursor.
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
cross join lateral (select * from public.followups s where s.stage_id = l.stage_id and s.followup_order >= l.followup_order_sent
  order by s.followup_order limit 1) f
cross join lateral (select greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at) as anchor) a
cross join lateral (select case when l.skipped_epoch = l.stage_entry_epoch then l.skipped_until end as until,
  case when l.skipped_epoch = l.stage_entry_epoch then l.skipped_steps end as steps) k;

create or replace view public.due_candidates with (security_invoker = true) as
select l.id as lead_id, l.owner_id, l.stage_id, d.due_at,
  d.due_at < f.created_at - interval '24 hours' or coalesce(d.due_at <= l.imported_at, false) as is_backlog
from public.leads l
cross join lateral (select * from public.followups s where s.stage_id = l.stage_id and s.followup_order >= l.followup_order_sent
  order by s.followup_order limit 1) f
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
        or (o.state = 'would_send' and exists (select from public.user_settings s
          where s.user_id = l.owner_id and s.dry_run and o.settled_at > coalesce(s.dry_run_ended_at, '-infinity')))))));

-- A deleted step keeps its place in its row. What was deleted in the minute before this told its place in another way.
delete from public.deleted_followups;
alter table public.deleted_followups drop column followup_order, drop column rank, drop column passed_leads, drop column passed_epochs;
