-- Who left, and whose access ended long ago: their rows are erased in batches, and a stopped server goes on where it was.
create table public.account_erasures (
  -- Without a foreign key: it stands until the account itself is gone. From its first moment nobody can sign in to it.
  user_id uuid primary key,
  at timestamptz not null
);
-- Since when an owner of leads is known to have no access. The term counts from here, so that an upgrade erases nothing at once.
create table public.access_ends (
  owner_id uuid primary key references auth.users (id) on delete cascade,
  at timestamptz not null,
  erased_at timestamptz
);
create index access_ends_at_idx on public.access_ends (at) where erased_at is null;
do $$
declare name text;
begin
  foreach name in array array['account_erasures', 'access_ends'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on public.%I from anon, authenticated', name);
  end loop;
end $$;
