-- Creates what Supabase has and a plain Postgres lacks: the roles, auth.users and auth.uid().
-- Skipped on a Supabase project, which owns the schema auth.
do $$
declare role_name text;
begin
  foreach role_name in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I nologin', role_name);
    end if;
    execute format('grant %I to current_user', role_name);
  end loop;
exception when duplicate_object or unique_violation then null;
end $$;

create schema if not exists auth;
grant usage on schema auth to anon, authenticated, service_role;
grant usage on schema public to anon, authenticated, service_role;

create table if not exists auth.users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  encrypted_password text not null,
  raw_user_meta_data jsonb not null default '{}',
  email_confirmed_at timestamptz,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index if not exists users_email_key on auth.users (lower(email));

-- One row per sign-in. Refresh tokens are signed and contain their session and a counter, so no token is stored.
-- `rotations` holds when (in ms) the last counters were used: for some seconds a parallel tab may still send an old one.
create table if not exists auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  refresh_counter integer not null default 0,
  rotations jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index if not exists sessions_user_idx on auth.sessions (user_id);

-- Links sent by email; only the hash of the secret is stored.
create table if not exists auth.email_links (
  secret_hash text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  purpose text not null check (purpose in ('signup', 'recovery', 'email_change')),
  email text not null,
  expires_at timestamptz not null
);
create index if not exists email_links_user_idx on auth.email_links (user_id);

create or replace function auth.uid() returns uuid language sql stable as $$
  select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;
