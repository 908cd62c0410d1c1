-- A worker's lease is one row that it prolongs; the accounts it holds point to that row. A lease that ran out is ended for good, under the
-- row's lock, before anybody takes its accounts: its worker, should it wake, finds it ended.
alter table public.telegram_workers
  -- Workers of an earlier release prolong nothing here: what they hold is free when theirs would have ended.
  add column lease_until timestamptz not null default clock_timestamp() + interval '15 seconds',
  add column ended_at timestamptz,
  add column most_accounts integer not null default 5000 check (most_accounts > 0),
  drop column seen_at;
alter table public.telegram_workers alter column lease_until drop default;

update public.telegram_sessions s set lease_owner = null
where s.lease_owner is not null and not exists (select from public.telegram_workers w where w.id = s.lease_owner);
alter table public.telegram_sessions
  drop column lease_until,
  -- since when whoever holds the account has not been able to use it; noted when it lasted a minute
  add column unusable_since timestamptz,
  add constraint telegram_sessions_lease_owner_fkey
    foreign key (lease_owner) references public.telegram_workers (id) on delete set null;
create index telegram_sessions_lease_owner_idx on public.telegram_sessions (lease_owner);
