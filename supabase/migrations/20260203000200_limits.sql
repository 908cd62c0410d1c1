-- What is left of limits that all web processes share, by keyed hash: no address or e-mail stands here.
create table public.rate_limits (
  id text primary key,
  tokens double precision not null,
  at timestamptz not null,
  -- Attempts under way, in any process; a process that died with some is forgotten after `held_until`.
  held integer not null default 0,
  held_until timestamptz
);
create index rate_limits_at_idx on public.rate_limits (at);
alter table public.rate_limits enable row level security;
revoke all on public.rate_limits from anon, authenticated;
