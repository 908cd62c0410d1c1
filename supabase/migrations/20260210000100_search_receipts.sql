-- Words of messages for the inbox's search, and read receipts.

-- A text as it is compared in a search: NFKC, lower case, without what is not seen or only decorates; the letters that Persian and
-- Arabic, or Russian spellings, use for one another are one; everything between words is one space. Scripts written without spaces
-- (and emoji) stand between spaces, so that a piece is either a word or a run of such characters.
create function public.search_form(message text) returns text
language sql immutable parallel safe as $$
  select pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(
      pg_catalog.translate(
        pg_catalog.regexp_replace(
          pg_catalog.lower(pg_catalog.normalize(message, 'NFKC')),
          '[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufe00-\ufe0f\u0610-\u061a\u0640\u064b-\u065f\u0670]', '', 'g'),
        'ёςيىكةأإٱ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'еσییکهااا01234567890123456789'),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u037e\u0387\u055a-\u055f\u0589\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u1680\u2000-\u206f\u20a0-\u20cf\u2190-\u25ff\u27c0-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\ufe10-\ufe6f\uff00-\uff0f]+',
      ' ', 'g'),
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003ffff]+)',
    ' \1 ', 'g')
$$;

create function public.is_unspaced(piece text) returns boolean
language sql immutable parallel safe as $$
  select piece ~ '^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003ffff]'
$$;

-- What a message is found by: its words (the first 40 characters of each), and every two neighbours of a run without spaces. Each
-- begins with six digits of its owner's number, so that a search reads its owner's part of the index and nobody else's.
create function public.message_words(owner uuid, message text) returns tsvector
language sql immutable parallel safe as $$
  select pg_catalog.array_to_tsvector(coalesce(pg_catalog.array_agg(distinct pg_catalog.left(owner::text, 6) ||
    case when u.is_unspaced then pg_catalog.substr(p.piece, i, 2) else pg_catalog.left(p.piece, 40) end), '{}'))
  from pg_catalog.unnest(pg_catalog.string_to_array(public.search_form(message), ' ')) p (piece)
  cross join lateral (select public.is_unspaced(p.piece) as is_unspaced) u
  cross join lateral pg_catalog.generate_series(1, case when u.is_unspaced then pg_catalog.length(p.piece) else 1 end) i
  where p.piece <> ''
$$;

-- A search for messages that hold all of these words or their beginnings; null when there is no word in it.
create function public.words_query(owner uuid, search text) returns tsquery
language sql immutable parallel safe as $$
  select pg_catalog.string_agg('''' || pg_catalog.left(owner::text, 6) ||
    case when u.is_unspaced then pg_catalog.substr(p.piece, i, 2) else pg_catalog.left(p.piece, 40) end || '''' ||
    case when u.is_unspaced and pg_catalog.length(p.piece) > 1 then '' else ':*' end, ' & ')::tsquery
  from pg_catalog.unnest(pg_catalog.string_to_array(public.search_form(search), ' ')) p (piece)
  cross join lateral (select public.is_unspaced(p.piece) as is_unspaced) u
  cross join lateral pg_catalog.generate_series(1, case when u.is_unspaced then greatest(pg_catalog.length(p.piece) - 1, 1) else 1 end) i
  where p.piece <> ''
$$;

alter table public.messages add column words tsvector generated always as (public.message_words(owner_id, text)) stored;
create index messages_words_idx on public.messages using gin (words);

-- Whether people are shown that their messages were read, and up to which message each of them is still to be told so.
alter table public.user_settings add column read_receipts boolean not null default false;
alter table public.leads add column receipt_message_id integer;
create index leads_receipt_idx on public.leads (owner_id) where receipt_message_id is not null;
