-- What a person deleted and may still take back: kept for a minute, then erased.

-- A deleted step leaves the steps' numbers at once, so it waits outside of their table.
create table public.deleted_followups (
  id uuid primary key,
  owner_id uuid not null references auth.users (id) on delete cascade,
  stage_id uuid references public.stages (id) on delete set null,
  -- Where it would stand now, and which comes first of several that would stand there; both follow what is deleted, moved and
  -- brought back around it.
  followup_order integer not null,
  rank integer not null,
  media_id uuid references public.media (id) on delete set null,
  -- The whole row as it was.
  step jsonb not null,
  -- The leads that had passed it, each with the stage entry in which it did.
  passed_leads uuid[] not null,
  passed_epochs integer[] not null,
  deleted_at timestamptz not null
);
create index deleted_followups_owner_idx on public.deleted_followups (owner_id, stage_id);
create index deleted_followups_erase_idx on public.deleted_followups (deleted_at);

-- A deleted rule keeps its marks and what it has in the queue, so that nobody is told twice when it comes back.
alter table public.reminders add column deleted_at timestamptz;
create index reminders_erase_idx on public.reminders (deleted_at) where deleted_at is not null;
create index outbox_reminder_idx on public.outbox (reminder_id) where reminder_id is not null;

alter table public.deleted_followups enable row level security;
revoke all on public.deleted_followups from anon, authenticated;

drop policy owner_reads on public.reminders;
create policy owner_reads on public.reminders for select to authenticated
  using (owner_id = (select auth.uid()) and deleted_at is null);
