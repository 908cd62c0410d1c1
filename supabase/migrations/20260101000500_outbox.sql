-- The send-once engine. These rows are the truth about every message we send; queues and notifications only wake the work.

-- A frozen order to write to many people. Targets are outbox rows; the counts change in the transaction that settles a row.
create table public.bulk_jobs (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  status text not null default 'in_progress' check (status in ('in_progress', 'completed', 'failed', 'cancelled')),
  message text not null,
  media_id uuid references public.media (id) on delete set null,
  stage_id uuid,
  throttle_ms integer not null check (throttle_ms between 100 and 10000),
  total_targets integer not null default 0,
  sent_count integer not null default 0,
  failed_count integer not null default 0,
  error text,
  -- The account's daily limit rests the job alone; flood waits rest the account.
  paused_until timestamptz,
  paused_reason text,
  created_at timestamptz not null,
  finished_at timestamptz,
  hidden_at timestamptz
);
create unique index bulk_jobs_one_running on public.bulk_jobs (owner_id) where status = 'in_progress';
create index bulk_jobs_owner_idx on public.bulk_jobs (owner_id, created_at);

create table public.outbox (
  id bigint generated always as identity primary key,
  owner_id uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in ('manual', 'followup', 'reminder', 'bulk')),
  -- 0 by hand or to be settled first, 1 follow-up, 2 reminder, 3 bulk
  priority smallint not null check (priority between 0 and 3),
  dedupe_key text not null unique,
  -- The first 64 bits of a keyed hash of dedupe_key: Telegram delivers one message per id and recipient, however often it is asked.
  random_id bigint not null check (random_id <> 0),
  -- Ids without a foreign key: the row outlives what it was about, and a plan of 100,000 rows is not checked row by row.
  lead_id uuid,
  followup_id uuid,
  epoch integer,
  reminder_id uuid references public.reminders (id) on delete cascade,
  job_id uuid,
  channel text,
  -- What is sent, frozen at the first claim and never rendered again; a bulk row's stand in its job.
  body text,
  media_id uuid references public.media (id) on delete set null,
  state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'skipped', 'failed', 'unknown', 'cancelled')),
  -- An attempt ended without an answer: only asking again with the same id tells.
  is_uncertain boolean not null default false,
  -- The person asked for it although it was overdue.
  is_confirmed boolean not null default false,
  not_before timestamptz not null,
  expires_at timestamptz,
  attempts integer not null default 0,
  -- The Telegram account of the first attempt: ids are deduplicated within it alone.
  account_user_id bigint,
  message_id integer,
  reason text,
  created_at timestamptz not null,
  claimed_at timestamptz,
  settled_at timestamptz
) with (fillfactor = 80);

create index outbox_queue_idx on public.outbox (owner_id, priority, id) where state = 'pending';
create index outbox_sending_idx on public.outbox (owner_id) where state = 'sending';
create index outbox_lead_idx on public.outbox (lead_id, kind);
-- A step goes to a lead once in a stage entry, by hand or by itself.
create unique index outbox_step_once on public.outbox (lead_id, epoch, followup_id)
  where followup_id is not null and state in ('pending', 'sending', 'sent', 'unknown');

-- The rhythm of an account over all kinds of sends, and how many cold ones went out today.
create table public.send_pace (
  owner_id uuid primary key references auth.users (id) on delete cascade,
  last_started_at timestamptz,
  last_gap_ms integer not null default 0,
  cold_day date,
  cold_count integer not null default 0
);

-- A lead is told of once per rule and stage entry, alone or in a digest.
create table public.reminder_marks (
  reminder_id uuid not null references public.reminders (id) on delete cascade,
  lead_id uuid not null references public.leads (id) on delete cascade,
  epoch integer not null,
  at timestamptz not null,
  primary key (reminder_id, lead_id, epoch)
);

-- HMAC-SHA-256 (RFC 2104) with the padded keys given, so that a plan of 100,000 rows is written by one statement.
create function public.outbox_random_id(inner_pad bytea, outer_pad bytea, dedupe_key text) returns bigint
language sql immutable parallel safe as $$
  select coalesce(nullif(('x' || encode(substring(
    sha256(outer_pad || sha256(inner_pad || convert_to(dedupe_key, 'UTF8'))) from 1 for 8), 'hex'))::bit(64)::bigint, 0), 1)
$$;

-- Each lead's next step: when it is due, counted from the last thing that we did, and whether the lead spoke since.
-- Telegram dates are whole seconds, so within one second the numbers of the messages tell who spoke last.
create view public.next_followups with (security_invoker = true) as
select l.id as lead_id, l.owner_id, l.stage_entry_epoch as epoch, l.unreachable_reason, f.id as followup_id, f.message, f.media_id,
  f.created_at as followup_created_at, a.anchor, a.anchor + f.delay_hours * interval '1 hour' as due_at,
  coalesce(l.last_inbound_at > a.anchor, false) or (
    coalesce(l.last_inbound_at = a.anchor and a.anchor > l.stage_entered_at, false) and coalesce((
      select not m.is_outgoing from public.messages m
      where m.owner_id = l.owner_id and m.peer_user_id = l.telegram_user_id
      order by m.sent_at desc, m.message_id desc limit 1), false)
  ) as has_replied
from public.leads l
join public.followups f on f.stage_id = l.stage_id and f.followup_order = l.followup_order_sent
cross join lateral (select greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at) as anchor) a;

do $$
declare name text;
begin
  foreach name in array array['bulk_jobs', 'outbox', 'send_pace', 'reminder_marks'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on public.%I from anon, authenticated', name);
  end loop;
  revoke all on public.next_followups from anon, authenticated;
end $$;
