-- Replies: what the caller repeats is done once, and the message in the conversation follows its row of the outbox.
create table public.request_keys (
  owner_id uuid not null references auth.users (id) on delete cascade,
  key text not null check (length(key) between 1 and 255),
  -- A hash of the call and its content: the same key for something else is a mistake of the caller's.
  fingerprint text not null,
  answer jsonb,
  at timestamptz not null,
  primary key (owner_id, key)
);
create index request_keys_at_idx on public.request_keys (at);
alter table public.request_keys enable row level security;
revoke all on public.request_keys from anon, authenticated;

create trigger outbox_shows_reply after update of state, is_uncertain, reason on public.outbox
  for each row when (new.kind = 'reply') execute function public.show_reply_state();

-- As before, but a reply that is not sent is no word of ours.
create or replace view public.next_followups with (security_invoker = true) as
select l.id as lead_id, l.owner_id, l.stage_entry_epoch as epoch, l.unreachable_reason, f.id as followup_id, f.message, f.media_id,
  f.created_at as followup_created_at, a.anchor, a.anchor + f.delay_hours * interval '1 hour' as due_at,
  coalesce(l.last_inbound_at > a.anchor, false) or (
    coalesce(l.last_inbound_at = a.anchor and a.anchor > l.stage_entered_at, false) and coalesce((
      select not m.is_outgoing from public.messages m
      where m.owner_id = l.owner_id and m.peer_user_id = l.telegram_user_id and m.state in ('received', 'sent')
      order by m.sent_at desc, m.message_id desc limit 1), false)
  ) as has_replied
from public.leads l
join public.followups f on f.stage_id = l.stage_id and f.followup_order = l.followup_order_sent
cross join lateral (select greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at) as anchor) a;
