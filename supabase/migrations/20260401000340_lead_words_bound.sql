-- A tsvector holds a megabyte at most: whoever says more different words than that could not write any more. Beyond the bound a row is full
-- and takes no further words of messages; a search for one word then asks the messages of such leads themselves.
alter table public.lead_words add column is_full boolean not null default false;
create index lead_words_full_idx on public.lead_words (owner_id) where is_full;

-- As many of these words as there is room for beside a name and notes.
create function public.bounded_words(words text[]) returns text[]
language sql immutable parallel safe as $$
  select case when pg_catalog.octet_length(pg_catalog.array_to_string(words, '    ')) <= 700000 then words else array(
    select w.word from (
      select u.word, sum(pg_catalog.octet_length(u.word) + 4) over (order by u.word collate "C") as size from pg_catalog.unnest(words) u (word)
    ) w where w.size <= 700000) end
$$;

drop function public.words_of_leads(uuid[]);
create function public.words_of_leads(ids uuid[]) returns table (lead_id uuid, owner_id uuid, words tsvector, is_full boolean)
language sql stable as $$
  select l.id, l.owner_id, array_to_tsvector(public.lead_parts(l.owner_id, l.name, l.username, l.notes) || b.words),
    pg_catalog.cardinality(b.words) < pg_catalog.cardinality(s.words)
  from public.leads l
  cross join lateral (select array(select distinct u.lexeme from public.messages m cross join lateral unnest(m.words) u
    where m.owner_id = l.owner_id and m.peer_user_id = l.telegram_user_id) as words offset 0) s
  cross join lateral (select public.bounded_words(s.words) as words offset 0) b
  where l.id = any(ids) order by l.id
$$;
create or replace function public.refresh_lead_words(ids uuid[]) returns void language plpgsql as $$
begin
  -- Whoever adds a word meanwhile waits, or is waited for and seen.
  perform from public.lead_words w where w.lead_id = any(ids) order by w.lead_id for update;
  insert into public.lead_words as w (lead_id, owner_id, words, is_full) select * from public.words_of_leads(ids)
  on conflict (lead_id) do update set words = excluded.words, is_full = excluded.is_full
    where w.words <> excluded.words or w.is_full <> excluded.is_full;
end $$;

create or replace function public.find_by_new_messages() returns trigger language plpgsql as $$
begin
  insert into public.lead_words as w (lead_id, owner_id, words, is_full)
    select l.id, l.owner_id, array_to_tsvector(b.words), cardinality(b.words) < cardinality(s.words)
    from (
      select a.owner_id, a.peer_user_id, array_agg(distinct u.lexeme) as words from added a cross join lateral unnest(a.words) u group by 1, 2
    ) s join public.leads l on l.owner_id = s.owner_id and l.telegram_user_id = s.peer_user_id
    cross join lateral (select public.bounded_words(s.words) as words offset 0) b
    order by l.id
  on conflict (lead_id) do update set
    words = case when pg_column_size(w.words) + pg_column_size(excluded.words) <= 800000 then w.words || excluded.words else w.words end,
    is_full = excluded.is_full or pg_column_size(w.words) + pg_column_size(excluded.words) > 800000
    where not w.is_full and case when pg_column_size(w.words) + pg_column_size(excluded.words) <= 800000
      then excluded.is_full or w.words || excluded.words <> w.words else true end;
  return null;
end $$;

-- Rows that are beyond the bound already.
select public.refresh_lead_words(array(select lead_id from public.lead_words where pg_column_size(words) > 700000));
