-- 'Not a lead': whom nothing is stored of. For half a minute the lead waits here as it was, with what hangs on it, outside of every list.
create table public.exclusions (
  owner_id uuid not null references auth.users (id) on delete cascade,
  telegram_user_id bigint not null,
  -- What the list shows: how the person was called then.
  name text,
  username text,
  excluded_at timestamptz not null,
  -- While something of the lead is stored: its id, its rows by table, and until when it can come back (null while its batch is under way).
  lead_id uuid,
  kept jsonb,
  undo_until timestamptz,
  batch_id uuid,
  primary key (owner_id, telegram_user_id),
  check ((lead_id is null) = (kept is null))
);
create index exclusions_newest_idx on public.exclusions (owner_id, excluded_at desc, telegram_user_id desc);
create index exclusions_erase_idx on public.exclusions (undo_until) where lead_id is not null;
create index exclusions_batch_idx on public.exclusions (batch_id, lead_id) where batch_id is not null;
alter table public.exclusions enable row level security;
revoke all on public.exclusions from anon, authenticated;

-- Puts rows back as they were, their numbers too; columns that Postgres computes are computed anew.
create function public.restore_rows(target regclass, kept jsonb) returns void language plpgsql as $$
declare columns text;
begin
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns
  from pg_attribute where attrelid = target and attnum > 0 and not attisdropped and attgenerated = '';
  execute format('insert into %s (%s) overriding system value select %s from jsonb_populate_recordset(null::%s, $1)',
    target, columns, columns, target) using kept;
end $$;
revoke all on function public.restore_rows(regclass, jsonb) from public, anon, authenticated;
