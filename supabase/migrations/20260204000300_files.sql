-- Parts of people's files that somebody looked at, kept for a while: Telegram has them, so nothing is lost with this table.
create unlogged table public.file_parts (
  message_id bigint not null references public.messages (id) on delete cascade,
  part integer not null,
  owner_id uuid not null references auth.users (id) on delete cascade,
  bytes bytea not null,
  size integer not null,
  used_at timestamptz not null,
  primary key (message_id, part)
);
alter table public.file_parts alter column bytes set storage external;
create index file_parts_owner_idx on public.file_parts (owner_id);
create index file_parts_used_idx on public.file_parts (used_at);
alter table public.file_parts enable row level security;
revoke all on public.file_parts from anon, authenticated;
