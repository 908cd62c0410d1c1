-- Keys by which programs call in an account's name. A secret is random, so its SHA-256 alone finds it, and nothing finds it back.
create table public.api_keys (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read', 'write', 'send']),
  hash text not null unique,
  -- How the secret ends, for whoever has several.
  hint text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index api_keys_owner_idx on public.api_keys (owner_id, created_at);
-- Only the API tells of keys, never with a hash: a browser has no right on the table, and no policy gives it one.
alter table public.api_keys enable row level security;
revoke all on public.api_keys from anon, authenticated;

-- The name of the key that caused a row, as it was then; null for the person, or for what happens by itself. It outlives the key.
alter table public.outbox add column by_key text;
alter table public.ledger add column by_key text;
alter table public.stage_history add column by_key text;
alter table public.stage_removals add column by_key text;
alter table public.lead_batches add column by_key text;
alter table public.exclusions add column by_key text;
