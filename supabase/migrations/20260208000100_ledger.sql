-- Settled messages move from the outbox to a ledger after a while: the outbox stays as large as what is going on.
create table public.ledger (
  -- The number that it had in the outbox.
  id bigint primary key,
  owner_id uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in ('reply', 'manual', 'followup', 'reminder', 'bulk')),
  state text not null check (state in ('sent', 'skipped', 'failed', 'unknown', 'cancelled')),
  -- Ids without a foreign key: the line outlives what it was about.
  lead_id uuid,
  followup_id uuid,
  epoch integer,
  reminder_id uuid,
  job_id uuid,
  -- How the message began; what was sent stands whole in the conversation.
  excerpt text,
  random_id bigint not null,
  account_user_id bigint,
  message_id integer,
  reason text,
  attempts integer not null,
  planned_at timestamptz not null,
  tried_at timestamptz,
  settled_at timestamptz not null
);
create index ledger_owner_idx on public.ledger (owner_id, settled_at desc, id desc);
create index ledger_lead_idx on public.ledger (lead_id, settled_at desc, id desc) where lead_id is not null;
-- Names that callers give are found again by their hash, however long ago that was.
create index ledger_request_idx on public.ledger (random_id) where kind in ('reply', 'manual');
-- Who was passed over for the account of then, when another one is connected.
create index ledger_skipped_idx on public.ledger (owner_id) where kind = 'followup' and state = 'skipped';
alter table public.ledger enable row level security;
revoke all on public.ledger from anon, authenticated;

create index outbox_settled_idx on public.outbox (owner_id, settled_at desc, id desc) where settled_at is not null;

-- What became of a step in a stage entry, wherever its row is by now. A row moves by one transaction, so a statement finds it once.
create view public.step_uses with (security_invoker = true) as
select lead_id, followup_id, epoch, kind, state, settled_at from public.outbox where followup_id is not null
union all
select lead_id, followup_id, epoch, kind, state, settled_at from public.ledger where followup_id is not null and lead_id is not null;
revoke all on public.step_uses from anon, authenticated;

-- As before, with the ledger.
create or replace view public.due_candidates with (security_invoker = true) as
select l.id as lead_id, l.owner_id, l.stage_id, d.due_at
from public.leads l
join public.followups f on f.stage_id = l.stage_id and f.followup_order = l.followup_order_sent
cross join lateral (select greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at) as anchor) a
cross join lateral (select a.anchor + f.delay_hours * interval '1 hour' as due_at) d
where l.unreachable_reason is null
  and not coalesce(l.last_inbound_at > a.anchor, false)
  and d.due_at >= f.created_at - interval '24 hours'
  and not exists (
    select from public.step_uses o where o.lead_id = l.id and o.followup_id = f.id and o.epoch = l.stage_entry_epoch
      and (o.state in ('pending', 'sending', 'sent', 'unknown') or (o.kind = 'followup' and o.state in ('failed', 'skipped') and o.settled_at >= a.anchor)));

-- Another account may reach whom the first could not: the step is free again.
create trigger ledger_step_refused after update of state on public.ledger
  for each row when (old.followup_id is not null and old.state <> new.state and new.state in ('cancelled', 'failed', 'skipped'))
  execute function public.step_freed();

-- What is followed when a stage or a file goes has an index.
create index deleted_followups_stage_idx on public.deleted_followups (stage_id) where stage_id is not null;
create index deleted_followups_media_idx on public.deleted_followups (media_id) where media_id is not null;
