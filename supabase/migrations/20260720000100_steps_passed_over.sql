-- As before, but a lead's next step is the first one at or after its place that it has neither received nor skipped in this stage entry. A step
-- that moved to the end would otherwise stop leads that already had it. Uses are looked up only for steps that were added or moved since the
-- lead entered the stage; `offset 0` keeps that a lookup by index. Running processes of the previous release still read `is_skipped`.
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
  l.imported_at, l.opted_out_at, l.held_at is not null and l.held_until is null as is_held, false as is_skipped
from public.leads l
cross join lateral (select case when l.skipped_epoch = l.stage_entry_epoch then l.skipped_until end as until,
  case when l.skipped_epoch = l.stage_entry_epoch then l.skipped_steps end as steps) k
cross join lateral (select * from public.followups s where s.stage_id = l.stage_id and s.followup_order >= l.followup_order_sent
  and not coalesce(s.id = any(k.steps), false)
  and (s.created_at < l.stage_entered_at or not exists (
    select from public.step_uses u where u.lead_id = l.id and u.followup_id = s.id and u.epoch = l.stage_entry_epoch
      and u.state in ('sent', 'unknown') offset 0))
  order by s.followup_order limit 1) f
cross join lateral (select greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at) as anchor) a;

create or replace view public.due_candidates with (security_invoker = true) as
select l.id as lead_id, l.owner_id, l.stage_id, d.due_at,
  d.due_at < f.created_at - interval '24 hours' or coalesce(d.due_at <= l.imported_at, false) as is_backlog
from public.leads l
cross join lateral (select case when l.skipped_epoch = l.stage_entry_epoch then l.skipped_until end as until,
  case when l.skipped_epoch = l.stage_entry_epoch then l.skipped_steps end as steps) k
cross join lateral (select * from public.followups s where s.stage_id = l.stage_id and s.followup_order >= l.followup_order_sent
  and not coalesce(s.id = any(k.steps), false)
  and (s.created_at < l.stage_entered_at or not exists (
    select from public.step_uses u where u.lead_id = l.id and u.followup_id = s.id and u.epoch = l.stage_entry_epoch
      and u.state in ('sent', 'unknown') offset 0))
  order by s.followup_order limit 1) f
cross join lateral (select greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at) as anchor) a
cross join lateral (select greatest(greatest(a.anchor, k.until) + f.delay_hours * interval '1 hour', l.held_until) as due_at) d
where l.unreachable_reason is null and l.opted_out_at is null and not (l.held_at is not null and l.held_until is null)
  and not coalesce(l.last_inbound_at > a.anchor, false)
  and not exists (
    select from public.step_uses o where o.lead_id = l.id and o.followup_id = f.id and o.epoch = l.stage_entry_epoch
      and (o.state in ('pending', 'sending', 'sent', 'unknown') or (o.kind = 'followup' and o.settled_at >= a.anchor and (o.state in ('failed', 'skipped')
        or (o.state = 'would_send' and exists (select from public.user_settings s
          where s.user_id = l.owner_id and s.dry_run and o.settled_at > coalesce(s.dry_run_ended_at, '-infinity')))))));
