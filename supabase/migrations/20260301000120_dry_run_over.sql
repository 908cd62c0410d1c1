-- As before, but what a dry run decided keeps a step only while one is on: what it wrote in the moment of its end keeps nothing.
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
        or (o.state = 'would_send' and exists (select from public.user_settings s
          where s.user_id = l.owner_id and s.dry_run and o.settled_at > coalesce(s.dry_run_ended_at, '-infinity')))))));
