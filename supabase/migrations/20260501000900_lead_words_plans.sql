-- What finds a lead is written with every message. As before, but by functions whose plans a session keeps: what Postgres does not inline
-- of plain SQL it plans anew at each call, which cost a new lead more than its words did.
create or replace function public.search_fold(message text) returns text
language plpgsql immutable parallel safe as $$
begin
  if message ~ '^[ -~]*$' then return pg_catalog.lower(message); end if;
  return (
    select pg_catalog.translate(case when t.folded ~ '[\u00e0-\u017f\u01cd-\u0217\u0300-\u036f\u0386-\u03ce\u0450-\u045f\u1e00-\u1fff]'
        then pg_catalog.normalize(pg_catalog.regexp_replace(
          pg_catalog.normalize(pg_catalog.translate(t.folded, 'йў', E'\ue000\ue001'), 'NFD'), '[\u0300-\u036f]', '', 'g'), 'NFC')
        else t.folded end,
      E'\ue000\ue001øłđıςيىكةأإٱ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'йўoldiσییکهااا01234567890123456789')
    from (select pg_catalog.regexp_replace(pg_catalog.lower(pg_catalog.normalize(message, 'NFKC')),
      '[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufe00-\ufe0f\u0610-\u061a\u0640\u064b-\u065f\u0670]', '', 'g') as folded offset 0) t);
end $$;

create or replace function public.message_words(owner uuid, message text) returns tsvector
language plpgsql immutable parallel safe as $$
begin
  return (
    select pg_catalog.array_to_tsvector(coalesce(pg_catalog.array_agg(distinct pg_catalog.left(owner::text, 6) ||
      case when u.is_unspaced then pg_catalog.substr(p.piece, i, 2) else pg_catalog.left(p.piece, 40) end), '{}'))
    from pg_catalog.unnest(pg_catalog.string_to_array(public.search_form(message), ' ')) p (piece)
    cross join lateral (select public.is_unspaced(p.piece) as is_unspaced) u
    cross join lateral pg_catalog.generate_series(1, case when u.is_unspaced then pg_catalog.length(p.piece) else 1 end) i
    where p.piece <> '');
end $$;

create or replace function public.lead_parts(owner uuid, name text, username text, notes text) returns text[]
language plpgsql immutable parallel safe as $$
begin
  return array(
    select pg_catalog.left(owner::text, 6) || ' n' || pg_catalog.substr(f.form, i, 10)
    from (select public.name_form(t.name) as form from pg_catalog.unnest(array[$2, $3]) t (name) where t.name <> '' offset 0) f
    cross join lateral pg_catalog.generate_series(1, pg_catalog.length(f.form)) i
    union
    select pg_catalog.left(owner::text, 6) || ' o' || pg_catalog.substr(u.lexeme, 7) from pg_catalog.unnest(public.message_words(owner, coalesce(notes, ''))) u);
end $$;

create or replace function public.bounded_words(words text[]) returns text[]
language plpgsql immutable parallel safe as $$
begin
  if pg_catalog.octet_length(pg_catalog.array_to_string(words, '    ')) <= 700000 then return words; end if;
  return array(
    select w.word from (
      select u.word, sum(pg_catalog.octet_length(u.word) + 4) over (order by u.word collate "C") as size from pg_catalog.unnest(words) u (word)
    ) w where w.size <= 700000);
end $$;

create or replace function public.look_again_from(ids uuid[]) returns void language plpgsql as $$
begin
  update public.reminders r set told_until = e.at - interval '1 microsecond'
  from (select stage_id, min(stage_entered_at) as at from public.leads where id = any(ids) and stage_id is not null group by stage_id) e
  where r.stage_id = e.stage_id and r.told_until >= e.at;
end $$;

-- One lead or thousands are looked up by their keys: there is no better plan to be had for the price of another. A plan made while the tables
-- were small is kept while they grow, so it must not read them whole.
alter function public.refresh_lead_words(uuid[]) set plan_cache_mode = force_generic_plan set enable_seqscan = off;
alter function public.find_by_new_messages() set enable_seqscan = off;

-- A message of somebody known is stored by a statement that could have made a lead, and made none.
create or replace function public.find_new_leads() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  ids := array(select id from added);
  if cardinality(ids) > 0 then perform public.refresh_lead_words(ids); end if;
  return null;
end $$;
