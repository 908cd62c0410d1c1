-- As before, but several candidates are locked in one order first, as whoever plans takes them away: two at once take turns.
create or replace function public.refresh_due(ids uuid[]) returns void language plpgsql as $$
begin
  if cardinality(ids) > 100 then
    execute 'select from public.lead_due d join unnest($1) as i(id) on d.lead_id = i.id order by d.lead_id for update of d' using ids;
    execute 'with due as materialized (
        select c.* from public.due_candidates c join unnest($1) as i(id) on c.lead_id = i.id
      ), gone as (
        delete from public.lead_due d using unnest($1) as i(id) where d.lead_id = i.id and not exists (select from due where due.lead_id = d.lead_id)
      )
      insert into public.lead_due as d (lead_id, owner_id, due_at) select lead_id, owner_id, due_at from due order by lead_id
      on conflict (lead_id) do update set due_at = excluded.due_at where d.due_at <> excluded.due_at' using ids;
    return;
  end if;
  if cardinality(ids) > 1 then
    perform from public.lead_due where lead_id = any(ids) order by lead_id for update;
  end if;
  delete from public.lead_due d where d.lead_id = any(ids)
    and not exists (select from public.due_candidates c where c.lead_id = d.lead_id);
  insert into public.lead_due as d (lead_id, owner_id, due_at)
    select c.lead_id, c.owner_id, c.due_at from public.due_candidates c where c.lead_id = any(ids) order by c.lead_id
    on conflict (lead_id) do update set due_at = excluded.due_at where d.due_at <> excluded.due_at;
end $$;
