-- What Telegram said of writing to a person, asked before a bulk message: null is that nothing stands in the way. A fact of the account.
create table public.contact_checks (
  account_id uuid not null references public.telegram_sessions (id) on delete cascade,
  peer_id bigint not null,
  requirement text,
  at timestamptz not null,
  primary key (account_id, peer_id)
);
alter table public.contact_checks enable row level security;
revoke all on public.contact_checks from anon, authenticated;
