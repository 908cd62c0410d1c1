-- Whom an account can reach is a fact of that account: another one connected in its place may reach others.

-- The Telegram account that was refused by this person; its refusal says nothing about any other.
alter table public.leads add column unreachable_account bigint;

-- Likewise for a rule whose channel an account could not post to: the rule works again with the account that can.
alter table public.reminders add column disabled_account bigint;

-- Channels that reminders go to, as the account addresses them: kept apart from people, of whom only leads are kept.
create table public.telegram_channels (
  account_id uuid not null references public.telegram_sessions (id) on delete cascade,
  channel text not null,
  channel_id bigint not null,
  access_hash text not null,
  primary key (account_id, channel)
);
alter table public.telegram_channels enable row level security;
revoke all on public.telegram_channels from anon, authenticated;
