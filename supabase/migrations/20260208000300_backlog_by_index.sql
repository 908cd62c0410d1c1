-- What is overdue waits for the person's word: it is a candidate too, marked, so that its list is read by an index and planning passes it over.
alter table public.lead_due add column is_backlog boolean not null default false;
drop index public.lead_due_idx;
create index lead_due_idx on public.lead_due (owner_id, due_at) where not is_backlog;
create index lead_due_backlog_idx on public.lead_due (owner_id, due_at) where is_backlog;

-- Who has something to send, and when next, whatever else waits.
create index outbox_due_idx on public.outbox (owner_id, not_before) where state = 'pending';

-- As before, but overdue steps are in it: those overdue by a day when the step was made, or at all when an import brought the lead in.
drop view public.due_candidates;
create view public.due_candidates with (security_invoker = true) as
select l.id as lead_id, l.owner_id, l.stage_id, d.due_at,
  d.due_at < f.created_at - interval '24 hours' or coalesce(d.due_at <= l.imported_at, false) as is_backlog
from public.leads l
join public.followups f on f.stage_id = l.stage_id and f.followup_order = l.followup_order_sent
cross join lateral (select greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at) as anchor) a
cross join lateral (select a.anchor + f.delay_hours * interval '1 hour' as due_at) d
where l.unreachable_reason is null
  and not coalesce(l.last_inbound_at > a.anchor, false)
  and not exists (
    select from public.step_uses o where o.lead_id = l.id and o.followup_id = f.id and o.epoch = l.stage_entry_epoch
      and (o.state in ('pending', 'sending', 'sent', 'unknown') or (o.kind = 'followup' and o.state in ('failed', 'skipped') and o.settled_at >= a.anchor)));
revoke all on public.due_candidates from anon, authenticated;

create or replace function public.refresh_due(ids uuid[]) returns void language plpgsql as $$
begin
  if cardinality(ids) > 100 then
    execute 'select from public.lead_due d join unnest($1) as i(id) on d.lead_id = i.id order by d.lead_id for update of d' using ids;
    execute 'with due as materialized (
        select c.* from public.due_candidates c join unnest($1) as i(id) on c.lead_id = i.id
      ), gone as (
        delete from public.lead_due d using unnest($1) as i(id) where d.lead_id = i.id and not exists (select from due where due.lead_id = d.lead_id)
      )
      insert into public.lead_due as d (lead_id, owner_id, due_at, is_backlog)
      select lead_id, owner_id, due_at, is_backlog from due order by lead_id
      on conflict (lead_id) do update set due_at = excluded.due_at, is_backlog = excluded.is_backlog
        where (d.due_at, d.is_backlog) <> (excluded.due_at, excluded.is_backlog)' using ids;
    return;
  end if;
  if cardinality(ids) > 1 then
    perform from public.lead_due where lead_id = any(ids) order by lead_id for update;
  end if;
  delete from public.lead_due d where d.lead_id = any(ids)
    and not exists (select from public.due_candidates c where c.lead_id = d.lead_id);
  insert into public.lead_due as d (lead_id, owner_id, due_at, is_backlog)
    select c.lead_id, c.owner_id, c.due_at, c.is_backlog from public.due_candidates c where c.lead_id = any(ids) order by c.lead_id
    on conflict (lead_id) do update set due_at = excluded.due_at, is_backlog = excluded.is_backlog
      where (d.due_at, d.is_backlog) <> (excluded.due_at, excluded.is_backlog);
end $$;

-- As before, and an import's mark changes what is due.
create or replace function public.leads_changed() returns trigger language plpgsql as $$
declare
  ids uuid[];
  anew uuid[];
begin
  ids := array(select id from (
    select id, stage_id, followup_order_sent, stage_entry_epoch, stage_entered_at, last_followup_sent_at, last_manual_at, last_inbound_at,
      unreachable_reason, imported_at from after
    except all
    select id, stage_id, followup_order_sent, stage_entry_epoch, stage_entered_at, last_followup_sent_at, last_manual_at, last_inbound_at,
      unreachable_reason, imported_at from before) d);
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
insert into public.stale_plans (stage_id) select distinct stage_id from public.followups where stage_id is not null
on conflict (stage_id) do update set after = null;
