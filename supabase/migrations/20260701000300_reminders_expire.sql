-- A reminder that could not be sent within 24 hours of being due expires.
-- From when a rule counts: leads who were stuck before are due at that moment. And when the account or access came back after a break.
alter table public.reminders
  add column enabled_at timestamptz not null default now(),
  add column returned_at timestamptz;
update public.outbox set expires_at = greatest(created_at, not_before) + interval '24 hours'
  where kind = 'reminder' and state = 'pending' and expires_at is null;
create index outbox_expiring_idx on public.outbox (expires_at) where kind = 'reminder' and state = 'pending';
