-- A bulk job whose account was away (not connected, or without access) for more than 24 hours waits for the user to continue it.
alter table public.bulk_jobs
  add column away_since timestamptz,
  add column held_at timestamptz;
