-- A person's own Telegram account: who is connected, the sealed session behind it, and who of our processes holds it.
create table public.telegram_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  telegram_user_id bigint not null,
  phone text,
  -- connected: works or may work; lost: Telegram ended the session; disconnected: the person did; ended: closed after the subscription.
  state text not null default 'connected' check (state in ('connected', 'lost', 'disconnected', 'ended')),
  ended_reason text,
  device text not null,
  connected_at timestamptz not null,
  ended_at timestamptz,
  last_activity_at timestamptz,
  -- A flood wait rests every send of the account until this time.
  paused_until timestamptz,
  paused_reason text,
  -- Telegram's spam limit stops automated sends until the person resumes.
  stopped_at timestamptz,
  stopped_reason text,
  daily_cap integer not null default 200 check (daily_cap between 1 and 10000),
  access_ended_at timestamptz,
  -- One process at a time may use the session. Each taking raises the fence; an old holder's writes carry an old number.
  lease_owner text,
  fence bigint not null default 0,
  lease_until timestamptz,
  constraint telegram_sessions_account_key unique (user_id, telegram_user_id)
);
create unique index telegram_sessions_one_per_user on public.telegram_sessions (user_id) where state = 'connected';
create unique index telegram_sessions_one_user_per_account on public.telegram_sessions (telegram_user_id) where state = 'connected';

-- AES-256-GCM: 12 bytes of nonce, the sealed key, 16 bytes of tag; bound to user, row and key version.
create table public.telegram_auth_keys (
  account_id uuid not null references public.telegram_sessions (id) on delete cascade,
  dc integer not null,
  -- -1 the permanent key, 0 and up a temporary key of that connection
  slot integer not null,
  key_version integer not null,
  sealed bytea not null,
  expires_at bigint not null default 0,
  primary key (account_id, dc, slot)
);

create table public.telegram_state (
  account_id uuid not null references public.telegram_sessions (id) on delete cascade,
  key text not null,
  value bytea not null,
  primary key (account_id, key)
);

-- Whom the account can address: an access hash belongs to one account and one peer.
create table public.telegram_peers (
  account_id uuid not null references public.telegram_sessions (id) on delete cascade,
  peer_id bigint not null,
  access_hash text not null,
  is_min boolean not null,
  usernames text[] not null default '{}',
  phone text,
  updated_ms bigint not null,
  complete bytea not null,
  primary key (account_id, peer_id)
);
create index telegram_peers_usernames_idx on public.telegram_peers using gin (usernames);

create table public.telegram_peer_references (
  account_id uuid not null references public.telegram_sessions (id) on delete cascade,
  peer_id bigint not null,
  chat_id bigint not null,
  message_id integer not null,
  primary key (account_id, peer_id, chat_id, message_id)
);

-- A file that Telegram already holds for an account is sent again by its reference.
create table public.telegram_files (
  account_id uuid not null references public.telegram_sessions (id) on delete cascade,
  media_id uuid not null references public.media (id) on delete cascade,
  file_id text not null,
  primary key (account_id, media_id)
);

-- A login under way lives in the memory of one process; this says in which.
create table public.telegram_login_attempts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  id uuid not null,
  owner text not null,
  kind text not null check (kind in ('code', 'qr')),
  expires_at timestamptz not null
);

-- Code requests, for the limits; phone and address are keyed hashes.
create table public.telegram_code_requests (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  phone_hash text not null,
  address_hash text not null,
  at timestamptz not null
);
create index telegram_code_requests_phone_idx on public.telegram_code_requests (phone_hash, at);
create index telegram_code_requests_address_idx on public.telegram_code_requests (address_hash, at);

-- Worker processes alive, to share the accounts fairly. Times are the database's own.
create table public.telegram_workers (
  id text primary key,
  seen_at timestamptz not null
);

do $$
declare name text;
begin
  foreach name in array array['telegram_sessions', 'telegram_auth_keys', 'telegram_state', 'telegram_peers', 'telegram_peer_references',
    'telegram_files', 'telegram_login_attempts', 'telegram_code_requests', 'telegram_workers'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on public.%I from anon, authenticated', name);
  end loop;
end $$;

grant select (id, user_id, phone, connected_at) on public.telegram_sessions to authenticated;
create policy owner_reads on public.telegram_sessions for select to authenticated
  using (user_id = (select auth.uid()) and state = 'connected');
