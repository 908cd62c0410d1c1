-- A message that comes in costs its rows, not the planning of what looks after them.

-- What is due of few leads: the candidates' view was planned twice for every message, which took longer than all else that it cost. Its plan
-- is kept by the session; made while the tables were small it is kept while they grow, so it goes by keys.
create function public.refresh_due_of_few(ids uuid[]) returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
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
-- Of many, candidates that only come or change are written at once, in their one order. Where some go too, all are held before.
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

-- Leads before their messages, and in one order, as everyone locks them; then who is excluded, as it stands once whoever held a lead is done.
create function public.lock_people(owner uuid, people bigint[]) returns setof bigint
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform from public.leads where owner_id = owner and telegram_user_id = any(people) order by id for no key update;
  return query select e.telegram_user_id from public.exclusions e where e.owner_id = owner and e.telegram_user_id = any(people);
end $$;

-- The words of a text as before; one without scripts that have no spaces is not asked word by word.
create or replace function public.message_words(owner uuid, message text) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  form text := public.search_form(message);
  prefix text := pg_catalog.left(owner::text, 6);
begin
  if form !~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003ffff]' then
    return (select pg_catalog.array_to_tsvector(coalesce(pg_catalog.array_agg(prefix || pg_catalog.left(piece, 40)), '{}'))
      from pg_catalog.unnest(pg_catalog.string_to_array(form, ' ')) piece where piece <> '');
  end if;
  return (
    select pg_catalog.array_to_tsvector(coalesce(pg_catalog.array_agg(distinct prefix ||
      case when u.is_unspaced then pg_catalog.substr(p.piece, i, 2) else pg_catalog.left(p.piece, 40) end), '{}'))
    from pg_catalog.unnest(pg_catalog.string_to_array(form, ' ')) p (piece)
    cross join lateral (select public.is_unspaced(p.piece) as is_unspaced) u
    cross join lateral pg_catalog.generate_series(1, case when u.is_unspaced then pg_catalog.length(p.piece) else 1 end) i
    where p.piece <> '');
end $$;

create or replace function public.lead_parts(owner uuid, name text, username text, notes text) returns text[]
language plpgsql immutable parallel safe as $$
declare
  prefix text := pg_catalog.left(owner::text, 6);
  part text;
  form text;
  parts text[] := '{}';
begin
  foreach part in array array[name, username] loop
    if part <> '' then
      form := public.name_form(part);
      parts := parts || array(select prefix || ' n' || pg_catalog.substr(form, i, 10) from pg_catalog.generate_series(1, pg_catalog.length(form)) i);
    end if;
  end loop;
  if notes <> '' then
    parts := parts || array(select prefix || ' o' || pg_catalog.substr(u.lexeme, 7) from pg_catalog.unnest(public.message_words(owner, notes)) u);
  end if;
  return array(select distinct u.part from pg_catalog.unnest(parts) u (part));
end $$;

-- A lead that the very statement makes gets its row, these words included, from the statement's end.
create or replace function public.find_by_new_messages() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  insert into public.lead_words as w (lead_id, owner_id, words, is_full)
    select l.id, l.owner_id, array_to_tsvector(b.words), cardinality(b.words) < cardinality(s.words)
    from (
      select a.owner_id, a.peer_user_id, array_agg(distinct u.lexeme) as words from added a cross join lateral unnest(a.words) u group by 1, 2
    ) s join public.leads l on l.owner_id = s.owner_id and l.telegram_user_id = s.peer_user_id
    cross join lateral (select public.bounded_words(s.words) as words offset 0) b
    where l.xmin <> pg_current_xact_id()::xid or exists (select from public.lead_words k where k.lead_id = l.id)
    order by l.id
  on conflict (lead_id) do update set
    words = case when pg_column_size(w.words) + pg_column_size(excluded.words) <= 800000 then w.words || excluded.words else w.words end,
    is_full = excluded.is_full or pg_column_size(w.words) + pg_column_size(excluded.words) > 800000
    where not w.is_full and case when pg_column_size(w.words) + pg_column_size(excluded.words) <= 800000
      then excluded.is_full or w.words || excluded.words <> w.words else true end;
  return null;
end $$;
