-- What is kept beside leads costs a slice of thousands what changed, looked over once: no lead is read again, and nothing is asked of each.

-- The candidates of these leads, as they are to be: those of `idle` go. In the order of their leads, as everyone locks them; where some go,
-- all are held before.
create function public.write_due(idle uuid[], leads uuid[], owners uuid[], times timestamptz[], backlog boolean[]) returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  if exists (select from public.lead_due where lead_id = any(idle)) then
    perform from public.lead_due where lead_id = any(idle || leads) order by lead_id for update;
    delete from public.lead_due where lead_id = any(idle);
  end if;
  insert into public.lead_due as d (lead_id, owner_id, due_at, is_backlog) select * from unnest(leads, owners, times, backlog)
    on conflict (lead_id) do update set due_at = excluded.due_at, is_backlog = excluded.is_backlog
      where (d.due_at, d.is_backlog) <> (excluded.due_at, excluded.is_backlog);
end $$;
revoke all on function public.write_due(uuid[], uuid[], uuid[], timestamptz[], boolean[]) from public, anon, authenticated;

create or replace function public.leads_changed() returns trigger language plpgsql as $$
declare
  ids uuid[];
  anew uuid[];
  many record;
  is_many boolean := (select count(*) > 100 from (select from after limit 101) a);
begin
  if is_many then
    -- Planned anew each time, for as many as there are. What was used of a stage entry stands under its number: of one that begins here there
    -- is nothing to look up, so its first step is that of its stage, the same for all who came there.
    execute 'with stale as (
        select p.stage_id from public.stale_plans p where p.stage_id = any(array(select distinct stage_id from after))
          and p.after is null and p.xmin = pg_current_xact_id()::xid
      ), changed as materialized (
        select a.id, a.owner_id, a.stage_id, a.followup_order_sent as place, a.imported_at, a.held_until, a.last_inbound_at, a.stage_entered_at,
          greatest(a.stage_entered_at, a.last_followup_sent_at, a.last_manual_at) as anchor,
          a.unreachable_reason is null and a.opted_out_at is null and (a.held_at is null or a.held_until is not null) as is_free,
          a.stage_id is distinct from b.stage_id as is_elsewhere,
          (a.stage_entered_at, a.stage_entry_epoch) <> (b.stage_entered_at, b.stage_entry_epoch) as is_anew,
          a.stage_entry_epoch > b.stage_entry_epoch and a.skipped_epoch is distinct from a.stage_entry_epoch as has_entered,
          a.stage_id in (select stage_id from stale) is true as is_stale
        from after a join before b on b.id = a.id
        where (a.stage_id, a.followup_order_sent, a.stage_entry_epoch, a.stage_entered_at, a.last_followup_sent_at, a.last_manual_at,
            a.last_inbound_at, a.unreachable_reason, a.imported_at, a.opted_out_at, a.held_at, a.held_until, a.skipped_steps, a.skipped_epoch,
            a.skipped_until)
          is distinct from (b.stage_id, b.followup_order_sent, b.stage_entry_epoch, b.stage_entered_at, b.last_followup_sent_at,
            b.last_manual_at, b.last_inbound_at, b.unreachable_reason, b.imported_at, b.opted_out_at, b.held_at, b.held_until, b.skipped_steps,
            b.skipped_epoch, b.skipped_until)
      ), entered as materialized (
        select c.id, c.owner_id, d.due_at, d.due_at < f.created_at - interval ''24 hours'' or coalesce(d.due_at <= c.imported_at, false) as is_backlog
        from changed c
        left join (
          select p.stage_id, p.place, s.delay_hours, s.created_at
          from (select distinct stage_id, place from changed where has_entered) p
          cross join lateral (select * from public.followups s where s.stage_id = p.stage_id and s.followup_order >= p.place
            order by s.followup_order limit 1) s
        ) f on f.stage_id = c.stage_id and f.place = c.place and c.is_free and not coalesce(c.last_inbound_at > c.anchor, false)
        left join lateral (select greatest(c.anchor + f.delay_hours * interval ''1 hour'', c.held_until) as due_at) d on f.created_at is not null
        where c.has_entered and not c.is_stale order by c.id
      )
      select
        (select count(*) from changed) as leads,
        array(select distinct stage_id from changed where is_elsewhere and stage_id is not null) as stages,
        array(select id from changed where not has_entered and not is_stale) as others,
        array(select id from entered where due_at is null) as idle,
        array(select id from entered where due_at is not null) as due,
        array(select owner_id from entered where due_at is not null) as owners,
        array(select due_at from entered where due_at is not null) as times,
        array(select is_backlog from entered where due_at is not null) as backlog,
        e.stages as entered_stages, e.times as entered_at
      from (select array_agg(stage_id) as stages, array_agg(at) as times from (
        select stage_id, min(stage_entered_at) as at from changed where is_anew and stage_id is not null group by stage_id) s) e' into many;
    if many.leads = 0 then return null; end if;
    perform public.require_stages(many.stages);
  else
    ids := array(select id from (
      select id, stage_id, followup_order_sent, stage_entry_epoch, stage_entered_at, last_followup_sent_at, last_manual_at, last_inbound_at,
        unreachable_reason, imported_at, opted_out_at, held_at, held_until, skipped_steps, skipped_epoch, skipped_until from after
      except all
      select id, stage_id, followup_order_sent, stage_entry_epoch, stage_entered_at, last_followup_sent_at, last_manual_at, last_inbound_at,
        unreachable_reason, imported_at, opted_out_at, held_at, held_until, skipped_steps, skipped_epoch, skipped_until from before) d);
    if cardinality(ids) = 0 then return null; end if;
    perform public.require_stages(array(select distinct stage_id from (
      select id, stage_id from after except all select id, stage_id from before) d where stage_id is not null));
  end if;
  -- In one order, so that two moves the opposite ways never wait for each other.
  insert into public.lead_totals as t (owner_id, stage_id, total)
    select owner_id, stage_id, sum(n) from (
      select owner_id, stage_id, 1 as n from after union all select owner_id, stage_id, -1 from before) m
    group by owner_id, stage_id having sum(n) <> 0 order by owner_id, stage_id
    on conflict on constraint lead_totals_key do update set total = t.total + excluded.total;
  if is_many then
    perform public.write_due(many.idle, many.due, many.owners, many.times, many.backlog);
    if cardinality(many.others) > 0 then perform public.refresh_due(many.others); end if;
    update public.reminders r set told_until = e.at - interval '1 microsecond'
      from unnest(many.entered_stages, many.entered_at) e (stage_id, at) where r.stage_id = e.stage_id and r.told_until >= e.at;
    return null;
  end if;
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

-- As before, but of owners without any number nothing is looked up lead by lead: there is a sum for each that ever stood.
create or replace function public.values_moved() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  if not exists (select from public.value_totals where owner_id in (select owner_id from after)) then return null; end if;
  ids := array(select id from (select id, stage_id from after except all select id, stage_id from before) m);
  if cardinality(ids) = 0 or not exists (
    select from public.lead_fields v join unnest(ids) as i(id) on v.lead_id = i.id where v.number_value is not null
  ) then return null; end if;
  execute 'insert into public.value_totals as t (owner_id, field_id, stage_id, total)
    select v.owner_id, v.field_id, m.stage_id, sum(m.sign * v.number_value::numeric) from (
      select id, stage_id, 1 as sign from after union all select id, stage_id, -1 from before
    ) m join public.lead_fields v on v.lead_id = m.id
    where v.number_value is not null group by v.owner_id, v.field_id, m.stage_id
    having sum(m.sign * v.number_value::numeric) <> 0 order by v.field_id, m.stage_id
    on conflict on constraint value_totals_key do update set total = t.total + excluded.total';
  return null;
end $$;
