-- What a lead is found by: its name, username and notes, and every word of its messages, in one row and one index.

-- Nobody else writes leads or messages until all their words stand here: a process of the release before waits, and tries again.
lock table public.leads, public.messages in share row exclusive mode;

-- A text as it is compared in a search: NFKC, lower case, without what is not seen or only decorates; accents do not count (й and ў are
-- letters of their own), and the letters that Persian and Arabic, or Russian spellings, use for one another are one.
create function public.search_fold(message text) returns text
language sql immutable parallel safe as $$
  select case when message ~ '^[ -~]*$' then pg_catalog.lower(message) else (
    select pg_catalog.translate(case when t.folded ~ '[\u00e0-\u017f\u01cd-\u0217\u0300-\u036f\u0386-\u03ce\u0450-\u045f\u1e00-\u1fff]'
        then pg_catalog.normalize(pg_catalog.regexp_replace(
          pg_catalog.normalize(pg_catalog.translate(t.folded, 'йў', E'\ue000\ue001'), 'NFD'), '[\u0300-\u036f]', '', 'g'), 'NFC')
        else t.folded end,
      E'\ue000\ue001øłđıςيىكةأإٱ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'йўoldiσییکهااا01234567890123456789')
    from (select pg_catalog.regexp_replace(pg_catalog.lower(pg_catalog.normalize(message, 'NFKC')),
      '[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufe00-\ufe0f\u0610-\u061a\u0640\u064b-\u065f\u0670]', '', 'g') as folded offset 0) t
  ) end
$$;

-- As before, by the folding above: everything between words is one space; scripts written without spaces (and emoji) stand between spaces,
-- so that a piece is either a word or a run of such characters.
create or replace function public.search_form(message text) returns text
language sql immutable parallel safe as $$
  select pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(
      public.search_fold(message),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u037e\u0387\u055a-\u055f\u0589\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u1680\u2000-\u206f\u20a0-\u20cf\u2190-\u25ff\u27c0-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\ufe10-\ufe6f\uff00-\uff0f]+',
      ' ', 'g'),
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003ffff]+)',
    ' \1 ', 'g')
$$;
-- The words of what has accents are made anew.
update public.messages set text = text where text ~ '[\u00c0-\u0217\u0300-\u036f\u0386-\u03ce\u0400-\u040f\u0450-\u045f\u1e00-\u1fff]';

-- What a search asks for: words, which may go on, and pairs of neighbours in scripts without spaces, which are whole.
create function public.search_terms(search text) returns table (term text, is_whole boolean)
language sql immutable parallel safe as $$
  select case when u.is_unspaced then pg_catalog.substr(p.piece, i, 2) else pg_catalog.left(p.piece, 40) end,
    u.is_unspaced and pg_catalog.length(p.piece) > 1
  from pg_catalog.unnest(pg_catalog.string_to_array(public.search_form(search), ' ')) p (piece)
  cross join lateral (select public.is_unspaced(p.piece) as is_unspaced) u
  cross join lateral pg_catalog.generate_series(1, case when u.is_unspaced then greatest(pg_catalog.length(p.piece) - 1, 1) else 1 end) i
  where p.piece <> ''
$$;
create function public.as_lexeme(text_of text) returns text
language sql immutable parallel safe as $$
  select '''' || pg_catalog.replace(pg_catalog.replace(text_of, '\', '\\'), '''', '''''') || ''''
$$;
create or replace function public.words_query(owner uuid, search text) returns tsquery
language sql immutable parallel safe as $$
  select pg_catalog.string_agg(public.as_lexeme(pg_catalog.left(owner::text, 6) || term) || case when is_whole then '' else ':*' end, ' & ')::tsquery
  from public.search_terms(search)
$$;

-- A name as it is searched, and its pieces of ten characters from each place on: a part of a name is the beginning of one of them.
create function public.name_form(name text) returns text
language sql immutable parallel safe as $$
  select pg_catalog.left(pg_catalog.btrim(pg_catalog.regexp_replace(public.search_fold(name), '\s+', ' ', 'g')), 256)
$$;
-- Pieces of names and words of notes, each with a mark of its own that no word of a message begins with.
create function public.lead_parts(owner uuid, name text, username text, notes text) returns text[]
language sql immutable parallel safe as $$
  select array(
    select pg_catalog.left(owner::text, 6) || ' n' || pg_catalog.substr(f.form, i, 10)
    from (select public.name_form(t.name) as form from pg_catalog.unnest(array[$2, $3]) t (name) where t.name <> '' offset 0) f
    cross join lateral pg_catalog.generate_series(1, pg_catalog.length(f.form)) i
    union
    select pg_catalog.left(owner::text, 6) || ' o' || pg_catalog.substr(u.lexeme, 7) from pg_catalog.unnest(public.message_words(owner, coalesce(notes, ''))) u)
$$;
-- Leads whose name or username holds the search, or whose notes hold all its words; and, when it is one word, whose messages hold it.
create function public.lead_query(owner uuid, search text) returns tsquery
language sql immutable parallel safe as $$
  with name as (select public.name_form(search) as form),
  terms as (select term, case when is_whole then '' else ':*' end as going_on, count(*) over () as n from public.search_terms(search))
  select pg_catalog.array_to_string(array[
    (select case when pg_catalog.length(form) <= 10 then public.as_lexeme(pg_catalog.left(owner::text, 6) || ' n' || form) || ':*'
      else (select '(' || pg_catalog.string_agg(public.as_lexeme(pg_catalog.left(owner::text, 6) || ' n' || pg_catalog.substr(form, i, 10)), ' & ') || ')'
        from pg_catalog.generate_series(1, pg_catalog.length(form) - 9) i where i % 5 = 1 or i = pg_catalog.length(form) - 9) end
      from name where form <> ''),
    (select '(' || pg_catalog.string_agg(public.as_lexeme(pg_catalog.left(owner::text, 6) || ' o' || term) || going_on, ' & ') || ')' from terms),
    (select public.as_lexeme(pg_catalog.left(owner::text, 6) || term) || going_on from terms where n = 1)], ' | ')::tsquery
$$;

-- The room is there for one reason: a row without it would keep its words beside itself, and counting the leads that a common word finds
-- would read every word of theirs. With it Postgres moves the words out, and compresses the room to nothing.
create table public.lead_words (
  lead_id uuid primary key references public.leads (id) on delete cascade,
  -- The lead's, with which the row goes.
  owner_id uuid not null,
  words tsvector not null,
  room text generated always as (repeat(' ', 2000)) stored
) with (toast_tuple_target = 128);
alter table public.lead_words alter column words set storage external;
alter table public.lead_words enable row level security;
revoke all on public.lead_words from anon, authenticated;

create function public.words_of_leads(ids uuid[]) returns table (lead_id uuid, owner_id uuid, words tsvector)
language sql stable as $$
  select l.id, l.owner_id, array_to_tsvector(public.lead_parts(l.owner_id, l.name, l.username, l.notes) || array(
    select u.lexeme from public.messages m cross join lateral unnest(m.words) u
    where m.owner_id = l.owner_id and m.peer_user_id = l.telegram_user_id))
  from public.leads l where l.id = any(ids) order by l.id
$$;
create function public.refresh_lead_words(ids uuid[]) returns void language plpgsql as $$
begin
  -- Whoever adds a word meanwhile waits, or is waited for and seen.
  perform from public.lead_words w where w.lead_id = any(ids) order by w.lead_id for update;
  insert into public.lead_words as w (lead_id, owner_id, words) select * from public.words_of_leads(ids)
  on conflict (lead_id) do update set words = excluded.words where w.words <> excluded.words;
end $$;

insert into public.lead_words (lead_id, owner_id, words) select w.* from public.words_of_leads(array(select id from public.leads)) w;
-- New words wait in a short list only, for every search reads it whole.
create index lead_words_idx on public.lead_words using gin (words) with (gin_pending_list_limit = 256);

create function public.find_new_leads() returns trigger language plpgsql as $$
begin
  perform public.refresh_lead_words(array(select id from added));
  return null;
end $$;
create trigger leads_found after insert on public.leads
  referencing new table as added for each statement execute function public.find_new_leads();

create function public.find_renamed_lead() returns trigger language plpgsql as $$
begin
  update public.lead_words set words = ts_delete(words, public.lead_parts(old.owner_id, old.name, old.username, old.notes))
    || array_to_tsvector(public.lead_parts(new.owner_id, new.name, new.username, new.notes)) where lead_id = new.id;
  return null;
end $$;
create trigger leads_renamed after update on public.leads for each row
  when ((old.name, old.username, old.notes) is distinct from (new.name, new.username, new.notes)) execute function public.find_renamed_lead();

create function public.find_by_new_messages() returns trigger language plpgsql as $$
begin
  insert into public.lead_words as w (lead_id, owner_id, words)
    select l.id, l.owner_id, array_to_tsvector(array_agg(distinct u.lexeme))
    from added a join public.leads l on l.owner_id = a.owner_id and l.telegram_user_id = a.peer_user_id cross join lateral unnest(a.words) u
    group by l.id, l.owner_id order by l.id
  on conflict (lead_id) do update set words = w.words || excluded.words where w.words || excluded.words <> w.words;
  return null;
end $$;
create trigger messages_found after insert on public.messages
  referencing new table as added for each statement execute function public.find_by_new_messages();

create function public.find_by_changed_messages() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  if tg_op = 'UPDATE' then
    ids := array(select distinct l.id from after a join before b on b.id = a.id
      join public.leads l on l.owner_id = a.owner_id and l.telegram_user_id = a.peer_user_id where a.words <> b.words);
  else
    ids := array(select distinct l.id from before b join public.leads l on l.owner_id = b.owner_id and l.telegram_user_id = b.peer_user_id
      where b.words <> '');
  end if;
  if cardinality(ids) > 0 then perform public.refresh_lead_words(ids); end if;
  return null;
end $$;
create trigger messages_reworded after update on public.messages
  referencing old table as before new table as after for each statement execute function public.find_by_changed_messages();
create trigger messages_unfound after delete on public.messages
  referencing old table as before for each statement execute function public.find_by_changed_messages();
