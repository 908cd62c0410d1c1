-- What is due of many leads: candidates that only come or change are written at once, in their one order, as the last change but one of this
-- function had it. What is due of few stands apart, with its kept plan.
create or replace function public.refresh_due(ids uuid[]) returns void language plpgsql as $$
declare
  due record;
begin
  if cardinality(ids) > 100 then
    -- Planned anew each time, by the keys: of a list that a select makes the plan expects few.
    execute 'with due as materialized (
        select * from public.due_candidates where lead_id = any(array(select unnest($1)))
      )
      select array_agg(lead_id order by lead_id) as leads, array_agg(owner_id order by lead_id) as owners,
        array_agg(due_at order by lead_id) as times, array_agg(is_backlog order by lead_id) as backlog,
        exists (select from public.lead_due where lead_id = any(array(select unnest($1) except select lead_id from due))) as some_go
      from due' into due using ids;
    if not due.some_go then
      insert into public.lead_due as d (lead_id, owner_id, due_at, is_backlog)
        select * from unnest(due.leads, due.owners, due.times, due.backlog)
        on conflict (lead_id) do update set due_at = excluded.due_at, is_backlog = excluded.is_backlog
          where (d.due_at, d.is_backlog) <> (excluded.due_at, excluded.is_backlog);
      return;
    end if;
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
  perform public.refresh_due_of_few(ids);
end $$;
