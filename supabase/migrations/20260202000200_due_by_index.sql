-- What is due is read by an index, and nothing is counted row by row.

-- Candidates for the next automatic follow-up: every lead whose step will be due by itself, when. Kept in the transaction that changes a
-- lead; whoever plans checks each again, so a row too many does no harm.
create table public.lead_due (
  lead_id uuid primary key,
  owner_id uuid not null,
  due_at timestamptz not null
);
create index lead_due_idx on public.lead_due (owner_id, due_at);

-- Stages whose steps changed: their candidates are made anew in batches, up to the lead `after`, before anything is planned.
create table public.stale_plans (
  stage_id uuid primary key references public.stages (id) on delete cascade,
  after uuid
);

-- Told of, in stage entries up to this time: older ones are not looked at again, unless a lead enters with an older date.
alter table public.reminders add column told_until timestamptz;
create index leads_stage_entered_idx on public.leads (stage_id, stage_entered_at);
create index reminders_stage_idx on public.reminders (stage_id);
create index followups_stage_idx on public.followups (stage_id, followup_order);

-- A step used in a stage entry is not planned again: it is under way, went out, may have gone out, or failed since the anchor.
create view public.due_candidates with (security_invoker = true) as
select l.id as lead_id, l.owner_id, l.stage_id, d.due_at
from public.leads l
join public.followups f on f.stage_id = l.stage_id and f.followup_order = l.followup_order_sent
cross join lateral (select greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at) as anchor) a
cross join lateral (select a.anchor + f.delay_hours * interval '1 hour' as due_at) d
where l.unreachable_reason is null
  -- Within one second the messages' numbers tell who spoke last, and they come later.
  and not coalesce(l.last_inbound_at > a.anchor, false)
  -- Overdue by more than a day when the step was made: the person decides.
  and d.due_at >= f.created_at - interval '24 hours'
  and not exists (
    select from public.outbox o where o.lead_id = l.id and o.followup_id = f.id and o.epoch = l.stage_entry_epoch
      and (o.state in ('pending', 'sending', 'sent', 'unknown') or (o.kind = 'followup' and o.state in ('failed', 'skipped') and o.settled_at >= a.anchor)));

-- Many leads are planned for as many, few as few: a plan cached for one would take minutes for the other.
create function public.refresh_due(ids uuid[]) returns void language plpgsql as $$
begin
  if cardinality(ids) > 100 then
    execute 'with due as materialized (
        select c.* from public.due_candidates c join unnest($1) as i(id) on c.lead_id = i.id
      ), gone as (
        delete from public.lead_due d using unnest($1) as i(id) where d.lead_id = i.id and not exists (select from due where due.lead_id = d.lead_id)
      )
      insert into public.lead_due as d (lead_id, owner_id, due_at) select lead_id, owner_id, due_at from due order by lead_id
      on conflict (lead_id) do update set due_at = excluded.due_at where d.due_at <> excluded.due_at' using ids;
    return;
  end if;
  delete from public.lead_due d where d.lead_id = any(ids)
    and not exists (select from public.due_candidates c where c.lead_id = d.lead_id);
  insert into public.lead_due as d (lead_id, owner_id, due_at)
    select c.lead_id, c.owner_id, c.due_at from public.due_candidates c where c.lead_id = any(ids) order by c.lead_id
    on conflict (lead_id) do update set due_at = excluded.due_at where d.due_at <> excluded.due_at;
end $$;

-- A lead that enters a stage with an old date may be stuck already.
create function public.look_again_from(ids uuid[]) returns void language sql as $$
  update public.reminders r set told_until = e.at - interval '1 microsecond'
  from (select stage_id, min(stage_entered_at) as at from public.leads where id = any(ids) and stage_id is not null group by stage_id) e
  where r.stage_id = e.stage_id and r.told_until >= e.at
$$;

drop trigger leads_counted_in on public.leads;
drop trigger leads_counted_out on public.leads;
drop trigger leads_counted_move on public.leads;
drop function public.count_leads();
drop function public.count_lead_move();

create function public.leads_added() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  insert into public.lead_totals as t (owner_id, stage_id, total)
    select owner_id, stage_id, count(*) from added group by owner_id, stage_id order by owner_id, stage_id
    on conflict on constraint lead_totals_key do update set total = t.total + excluded.total;
  ids := array(select id from added);
  if cardinality(ids) = 0 then return null; end if;
  perform public.refresh_due(ids);
  perform public.look_again_from(ids);
  return null;
end $$;

create function public.leads_removed() returns trigger language plpgsql as $$
begin
  update public.lead_totals t set total = t.total - r.n
    from (select owner_id, stage_id, count(*)::int n from removed group by owner_id, stage_id) r
    where t.owner_id = r.owner_id and t.stage_id is not distinct from r.stage_id;
  delete from public.lead_due where lead_id = any(array(select id from removed));
  return null;
end $$;

-- `except` never compares every row with every other one, whatever number of rows its plan was made for.
create function public.leads_changed() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  ids := array(select id from (
    select id, stage_id, followup_order_sent, stage_entry_epoch, stage_entered_at, last_followup_sent_at, last_manual_at, last_inbound_at,
      unreachable_reason from after
    except all
    select id, stage_id, followup_order_sent, stage_entry_epoch, stage_entered_at, last_followup_sent_at, last_manual_at, last_inbound_at,
      unreachable_reason from before) d);
  if cardinality(ids) = 0 then return null; end if;
  -- In one order, so that two moves the opposite ways never wait for each other.
  insert into public.lead_totals as t (owner_id, stage_id, total)
    select owner_id, stage_id, sum(n) from (
      select owner_id, stage_id, 1 as n from after union all select owner_id, stage_id, -1 from before) m
    group by owner_id, stage_id having sum(n) <> 0 order by owner_id, stage_id
    on conflict on constraint lead_totals_key do update set total = t.total + excluded.total;
  perform public.refresh_due(ids);
  if exists (select stage_entered_at, stage_entry_epoch from after except all select stage_entered_at, stage_entry_epoch from before)
  then perform public.look_again_from(ids); end if;
  return null;
end $$;

create trigger leads_added after insert on public.leads
  referencing new table as added for each statement execute function public.leads_added();
create trigger leads_removed after delete on public.leads
  referencing old table as removed for each statement execute function public.leads_removed();
create trigger leads_changed after update on public.leads
  referencing old table as before new table as after for each statement execute function public.leads_changed();

-- A planned step that was given up, or a click that came to nothing, leaves the step to automation again.
create function public.step_freed() returns trigger language plpgsql as $$
begin
  perform public.refresh_due(array[old.lead_id]);
  return null;
end $$;
create trigger outbox_step_withdrawn after delete on public.outbox
  for each row when (old.followup_id is not null and old.state in ('pending', 'sending')) execute function public.step_freed();
create trigger outbox_step_refused after update of state on public.outbox
  for each row when (old.followup_id is not null and old.state <> new.state and new.state in ('cancelled', 'failed', 'skipped'))
  execute function public.step_freed();

create function public.steps_changed() returns trigger language plpgsql as $$
begin
  insert into public.stale_plans (stage_id)
    select s.id from public.stages s where s.id in (case when tg_op <> 'INSERT' then old.stage_id end, case when tg_op <> 'DELETE' then new.stage_id end)
    on conflict (stage_id) do update set after = null;
  return null;
end $$;
create trigger followups_changed after insert or delete or update of stage_id, followup_order, delay_hours, created_at on public.followups
  for each row execute function public.steps_changed();

insert into public.stale_plans (stage_id) select distinct stage_id from public.followups where stage_id is not null;

do $$
declare name text;
begin
  foreach name in array array['lead_due', 'stale_plans'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on public.%I from anon, authenticated', name);
  end loop;
  revoke all on public.due_candidates from anon, authenticated;
end $$;

-- The first 64 bits of a message's HMAC, never 0: an expression that plans of thousands inline, with the key read once.
create function public.random_id_of(inner_pad bytea, outer_pad bytea, name text) returns bigint language sql immutable parallel safe as $$
  select coalesce(nullif(('x' || encode(substring(
    sha256(outer_pad || sha256(inner_pad || convert_to(name, 'UTF8'))) from 1 for 8), 'hex'))::bit(64)::bigint, 0), 1)
$$;
drop function public.outbox_random_id(text);
