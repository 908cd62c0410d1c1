-- Replies join the outbox, first of all kinds; random ids get a key of their own.
alter table public.outbox
  drop constraint outbox_kind_check,
  add constraint outbox_kind_check check (kind in ('reply', 'manual', 'followup', 'reminder', 'bulk')),
  drop constraint outbox_priority_check;
-- 0 a reply or to be settled first, 1 by hand, 2 follow-up, 3 reminder, 4 bulk
update public.outbox set priority = priority + 1 where state in ('pending', 'sending') and (priority > 0 or not is_uncertain);
alter table public.outbox add constraint outbox_priority_check check (priority between 0 and 4);

-- HMAC-SHA-256 (RFC 2104) as its two padded keys. One row, made once and never changed: what was sent under an id is asked for again
-- under the same id, also from a restored backup and after the encryption keys were rotated.
create table public.outbox_key (
  is_only boolean primary key default true check (is_only),
  inner_pad bytea not null check (length(inner_pad) = 64),
  outer_pad bytea not null check (length(outer_pad) = 64)
);
alter table public.outbox_key enable row level security;
revoke all on public.outbox_key from anon, authenticated;

create function public.hmac_pad(key bytea, filler integer) returns bytea language sql immutable strict as $$
  select decode(string_agg(lpad(to_hex((case when i < length(key) then get_byte(key, i) else 0 end) # filler), 2, '0'), '' order by i), 'hex')
  from generate_series(0, 63) i
$$;

-- Gives the installation its key unless it has one.
create function public.keep_outbox_key(key bytea) returns void language sql strict as $$
  insert into public.outbox_key (inner_pad, outer_pad) values (public.hmac_pad(key, 54), public.hmac_pad(key, 92)) on conflict do nothing
$$;

-- Where messages were named before, the server hands in the key that named them.
select public.keep_outbox_key(sha256(convert_to(string_agg(gen_random_uuid()::text, ''), 'UTF8')))
from generate_series(1, 4) having not exists (select from public.outbox);

-- The first 64 bits of the keyed hash of a message's name, never 0. Null while the installation has no key.
create function public.outbox_random_id(dedupe_key text) returns bigint language sql stable parallel safe as $$
  select coalesce(nullif(('x' || encode(substring(
    sha256(k.outer_pad || sha256(k.inner_pad || convert_to(dedupe_key, 'UTF8'))) from 1 for 8), 'hex'))::bit(64)::bigint, 0), 1)
  from public.outbox_key k
$$;
drop function public.outbox_random_id(bytea, bytea, text);
revoke all on function public.keep_outbox_key(bytea) from public;

-- Nothing ever set it, and nothing shows it.
alter table public.leads drop column stage_locked;
