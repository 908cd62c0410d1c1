-- As before, but thousands of leads are looked up by their keys too: joined as a list they had every lead's row read. Of a list that a select
-- makes the plan expects few.
create or replace function public.refresh_due(ids uuid[]) returns void language plpgsql as $$
begin
  if cardinality(ids) > 100 then
    execute 'select from public.lead_due where lead_id = any(array(select unnest($1))) order by lead_id for update' using ids;
    execute 'with due as materialized (
        select * from public.due_candidates where lead_id = any(array(select unnest($1)))
      ), gone as (
        delete from public.lead_due where lead_id = any(array(select unnest($1) except select lead_id from due))
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
