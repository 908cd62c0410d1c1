-- The conversation: what a message is, where it stands, and who waits.
alter table public.messages
  add column kind text not null default 'text'
    check (kind in ('text', 'photo', 'video', 'voice', 'audio', 'document', 'sticker', 'other')),
  add column source text not null default 'them' check (source in ('them', 'reply', 'followup', 'bulk', 'telegram')),
  add column state text not null default 'received' check (state in ('received', 'pending', 'sending', 'sent', 'failed', 'unknown')),
  add column reason text,
  -- The row of the outbox that sends it, without a foreign key: the message outlives it.
  add column outbox_id bigint,
  -- Our own file, as long as we keep it; afterwards Telegram's copy is read like any other.
  add column media_id uuid references public.media (id) on delete set null,
  -- {mime, name, size, width, height, seconds}
  add column media jsonb,
  -- The tiny picture that Telegram sends along: a photo's stripped JPEG, or a whole JPEG.
  add column preview bytea,
  -- {keyword, start, length, stage_id}: the word that a stage was recognised by, in UTF-16 units of the text.
  add column matched jsonb,
  -- A reply has no number at Telegram until it is sent.
  alter column message_id drop not null;

update public.messages m set
  kind = case when media_type is null then 'text' when media_type in ('photo', 'png', 'jpg', 'webp') then 'photo'
    when media_type in ('video', 'animation', 'gif', 'mp4', 'mov', 'webm') then 'video'
    when media_type in ('voice', 'audio', 'document', 'sticker') then media_type else 'other' end,
  state = case when is_outgoing then 'sent' else 'received' end,
  source = case when not is_outgoing then 'them' else coalesce((
    select case o.kind when 'bulk' then 'bulk' else 'followup' end from public.outbox o join public.leads l on l.id = o.lead_id
    where o.owner_id = m.owner_id and l.telegram_user_id = m.peer_user_id and o.message_id = m.message_id
      and o.account_user_id = m.account_user_id and o.state = 'sent' limit 1), 'telegram') end
where media_type is not null or is_outgoing;
alter table public.messages drop column media_type;

-- A conversation, newest first: Telegram's whole seconds, then its numbers; what is not sent yet stands last.
create index messages_talk_idx on public.messages (owner_id, peer_user_id, sent_at desc, (coalesce(message_id, 2147483647)) desc, id desc);
drop index public.messages_peer_idx;
create unique index messages_outbox_idx on public.messages (outbox_id) where outbox_id is not null;
create index messages_media_idx on public.messages (media_id) where media_id is not null;

alter table public.leads
  -- Since when the person waits for an answer: the first of their words that are newer than ours.
  add column waiting_since timestamptz,
  -- When the wait before began, so that a list can go on from a lead that left it meanwhile.
  add column waited_since timestamptz,
  add column unread integer not null default 0,
  -- How far the conversation was read.
  add column read_at timestamptz,
  add column read_message_id integer,
  add column draft text,
  -- Steps that were due before an import brought the lead in wait for the person's word.
  add column imported_at timestamptz;
update public.leads set waiting_since = last_inbound_at
where last_inbound_at > last_outbound_at or (last_inbound_at is not null and last_outbound_at is null);
create index leads_recent_idx on public.leads (owner_id, last_message_at desc, id desc) where last_message_at is not null;
create index leads_waiting_idx on public.leads (owner_id, waiting_since, id) where waiting_since is not null;
create index leads_unread_idx on public.leads (owner_id, last_message_at desc, id desc) where unread > 0;

-- What happened to a lead beside its messages, sends and stage moves.
create table public.lead_events (
  id bigint generated always as identity primary key,
  owner_id uuid not null references auth.users (id) on delete cascade,
  lead_id uuid not null references public.leads (id) on delete cascade,
  type text not null,
  by_kind text not null check (by_kind in ('person', 'automation', 'key')),
  by_name text,
  detail jsonb not null default '{}',
  at timestamptz not null
);
create index lead_events_lead_idx on public.lead_events (lead_id, at, id);
create index lead_events_owner_idx on public.lead_events (owner_id);

-- A reply and the message that shows it are one thing: the message follows its row of the outbox.
create function public.show_reply_state() returns trigger language plpgsql as $$
begin
  update public.messages set reason = new.reason, state = case
      when new.state = 'pending' and new.is_uncertain then 'sending'
      when new.state in ('cancelled', 'skipped') then 'failed'
      else new.state end
    where outbox_id = new.id;
  return null;
end $$;

do $$
begin
  alter table public.lead_events enable row level security;
  revoke all on public.lead_events from anon, authenticated;
end $$;
