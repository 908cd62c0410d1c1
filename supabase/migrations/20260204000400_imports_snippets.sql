-- Existing chats read on request, and texts kept for answering.
create table public.chat_imports (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  status text not null default 'in_progress' check (status in ('in_progress', 'completed', 'failed', 'cancelled')),
  days integer not null check (days between 1 and 365),
  include_contacts boolean not null,
  -- Older messages are not read.
  since timestamptz not null,
  account_user_id bigint not null,
  scanned integer not null default 0,
  found integer not null default 0,
  -- Where the page of chats in hand begins, and what was counted before it: after a restart it is read again.
  place jsonb,
  paused_until timestamptz,
  reason text,
  created_at timestamptz not null,
  finished_at timestamptz
);
create unique index chat_imports_one_running on public.chat_imports (owner_id) where status = 'in_progress';
create index chat_imports_owner_idx on public.chat_imports (owner_id, created_at);

create table public.snippets (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  title text not null,
  text text not null default '',
  media_id uuid references public.media (id) on delete set null,
  created_at timestamptz not null
);
create index snippets_owner_idx on public.snippets (owner_id, title);
create index snippets_media_idx on public.snippets (media_id) where media_id is not null;

do $$
declare name text;
begin
  foreach name in array array['chat_imports', 'snippets'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on public.%I from anon, authenticated', name);
  end loop;
end $$;

-- As before, with when an import brought the lead in: what was due by then waits for the person's word.
create or replace view public.next_followups with (security_invoker = true) as
select l.id as lead_id, l.owner_id, l.stage_entry_epoch as epoch, l.unreachable_reason, f.id as followup_id, f.message, f.media_id,
  f.created_at as followup_created_at, a.anchor, a.anchor + f.delay_hours * interval '1 hour' as due_at,
  coalesce(l.last_inbound_at > a.anchor, false) or (
    coalesce(l.last_inbound_at = a.anchor and a.anchor > l.stage_entered_at, false) and coalesce((
      select not m.is_outgoing from public.messages m
      where m.owner_id = l.owner_id and m.peer_user_id = l.telegram_user_id and m.state in ('received', 'sent')
      order by m.sent_at desc, m.message_id desc limit 1), false)
  ) as has_replied,
  l.imported_at
from public.leads l
join public.followups f on f.stage_id = l.stage_id and f.followup_order = l.followup_order_sent
cross join lateral (select greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at) as anchor) a;
