-- Leads and everything a seller sets up around them. Owner columns: owner_id for product tables, user_id for the account's own.
-- The product API filters by owner explicitly as the server's role; row level security is the second wall and guards /rest/v1.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table public.users (
  id uuid primary key references auth.users (id) on delete cascade,
  email text not null,
  name text not null default '',
  created_at timestamptz not null default now()
);

create table public.user_settings (
  user_id uuid primary key references auth.users (id) on delete cascade,
  auto_followups_enabled boolean not null default false,
  auto_followup_start_hour integer not null default 9 check (auto_followup_start_hour between 0 and 23),
  auto_followup_end_hour integer not null default 22 check (auto_followup_end_hour between 0 and 23),
  -- Leads overdue when automation was switched on are listed, not sent: only what became due after this moment goes out.
  auto_followups_since timestamptz,
  updated_at timestamptz not null default now()
);

create table public.stages (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  name text not null check (name <> ''),
  keywords text[] not null default '{}',
  "order" integer not null check ("order" >= 1),
  color text not null default '#999999' check (color ~ '^#[0-9a-fA-F]{6}$'),
  created_at timestamptz not null default now(),
  constraint stages_order_key unique (owner_id, "order") deferrable initially deferred
);
create unique index stages_name_key on public.stages (owner_id, lower(name));

-- Raised in the transaction of every stage edit; a keyword matcher is compiled once per version.
create table public.stage_rules (
  owner_id uuid primary key references auth.users (id) on delete cascade,
  version integer not null default 1
);

create table public.media (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  sha256 text not null,
  kind text not null check (kind in ('image', 'video')),
  extension text not null,
  mime text not null,
  size integer not null check (size between 1 and 10485760),
  created_at timestamptz not null default now(),
  unique (owner_id, sha256)
);
create table public.media_blobs (
  media_id uuid primary key references public.media (id) on delete cascade,
  content bytea not null
);
-- Kept uncompressed so that a range of a video is read without reading all of it.
alter table public.media_blobs alter column content set storage external;

create table public.followups (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  stage_id uuid references public.stages (id) on delete set null,
  message text not null default '',
  followup_order integer not null check (followup_order >= 0),
  delay_hours integer not null default 24 check (delay_hours between 1 and 168),
  media_id uuid references public.media (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint followups_order_key unique (stage_id, followup_order) deferrable initially deferred
);
create index followups_owner_idx on public.followups (owner_id, stage_id, followup_order);

create table public.leads (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  telegram_user_id bigint not null,
  name text,
  username text,
  stage_id uuid references public.stages (id),
  notes text,
  created_at timestamptz not null,
  followup_order_sent integer not null default 0,
  last_followup_sent_at timestamptz,
  last_user_message_at timestamptz,
  last_message_at timestamptz,
  -- Server-only truth that a reset by hand never destroys.
  last_inbound_at timestamptz,
  last_outbound_at timestamptz,
  last_manual_at timestamptz,
  stage_entered_at timestamptz not null,
  stage_entry_epoch integer not null default 1,
  stage_locked boolean not null default false,
  unreachable_reason text,
  constraint leads_person_key unique (owner_id, telegram_user_id)
);
create index leads_newest_idx on public.leads (owner_id, created_at desc, id desc);
create index leads_stage_idx on public.leads (owner_id, stage_id, created_at desc, id desc);
create index leads_name_idx on public.leads using gin (owner_id, lower(name) gin_trgm_ops);
create index leads_username_idx on public.leads using gin (owner_id, lower(username) gin_trgm_ops);

-- Totals, written in the same transaction as the leads: counting 100,000 rows costs more than the page itself.
create table public.lead_totals (
  owner_id uuid not null references auth.users (id) on delete cascade,
  stage_id uuid,
  total integer not null,
  constraint lead_totals_key unique nulls not distinct (owner_id, stage_id)
);

create function public.count_leads() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into public.lead_totals as t (owner_id, stage_id, total)
      select owner_id, stage_id, count(*) from added group by owner_id, stage_id order by owner_id, stage_id
      on conflict on constraint lead_totals_key do update set total = t.total + excluded.total;
  else
    update public.lead_totals t set total = t.total - r.n
      from (select owner_id, stage_id, count(*)::int n from removed group by owner_id, stage_id) r
      where t.owner_id = r.owner_id and t.stage_id is not distinct from r.stage_id;
  end if;
  return null;
end $$;
create trigger leads_counted_in after insert on public.leads
  referencing new table as added for each statement execute function public.count_leads();
create trigger leads_counted_out after delete on public.leads
  referencing old table as removed for each statement execute function public.count_leads();

create function public.count_lead_move() returns trigger language plpgsql as $$
begin
  insert into public.lead_totals as t (owner_id, stage_id, total) values (new.owner_id, new.stage_id, 1)
    on conflict on constraint lead_totals_key do update set total = t.total + 1;
  update public.lead_totals set total = total - 1
    where owner_id = old.owner_id and stage_id is not distinct from old.stage_id;
  return null;
end $$;
create trigger leads_counted_move after update of stage_id on public.leads
  for each row when (old.stage_id is distinct from new.stage_id) execute function public.count_lead_move();

create table public.stage_history (
  id bigint generated always as identity primary key,
  owner_id uuid not null references auth.users (id) on delete cascade,
  lead_id uuid not null references public.leads (id) on delete cascade,
  from_stage_id uuid,
  to_stage_id uuid,
  reason text not null check (reason in ('entered', 'keyword', 'manual', 'stage_deleted')),
  keyword text,
  message_id integer,
  rules_version integer,
  epoch integer not null,
  at timestamptz not null
);
create index stage_history_lead_idx on public.stage_history (lead_id, at, id);
create index stage_history_owner_idx on public.stage_history (owner_id, to_stage_id);

create table public.messages (
  id bigint generated always as identity primary key,
  owner_id uuid not null references auth.users (id) on delete cascade,
  -- Telegram numbers a person's private messages within the connected account, so account + number is one message.
  account_user_id bigint not null,
  peer_user_id bigint not null,
  message_id integer not null,
  is_outgoing boolean not null,
  text text not null default '',
  media_type text,
  sent_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  constraint messages_key unique (owner_id, account_user_id, message_id)
);
create index messages_peer_idx on public.messages (owner_id, peer_user_id, sent_at);

create table public.reminders (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  type text not null default 'stuck' check (type = 'stuck'),
  stage text not null,
  stage_id uuid references public.stages (id) on delete set null,
  delay_days integer not null default 2 check (delay_days between 1 and 365),
  channel_id text not null,
  template text not null,
  is_enabled boolean not null default true,
  verified_at timestamptz,
  disabled_reason text,
  created_at timestamptz not null default now()
);
create index reminders_owner_idx on public.reminders (owner_id, created_at);

-- What happened to an account, append-only, never message text.
create table public.audit_log (
  id bigint generated always as identity primary key,
  user_id uuid,
  action text not null,
  detail jsonb not null default '{}',
  at timestamptz not null default now()
);
create index audit_log_user_idx on public.audit_log (user_id, at);
create function public.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only' using errcode = '42501';
end $$;
create trigger audit_log_append_only before update or delete or truncate on public.audit_log
  for each statement execute function public.refuse_change();

do $$
declare name text;
begin
  foreach name in array array['users', 'user_settings', 'stages', 'stage_rules', 'media', 'media_blobs', 'followups', 'leads',
    'lead_totals', 'stage_history', 'messages', 'reminders', 'audit_log'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on public.%I from anon, authenticated', name);
  end loop;
  foreach name in array array['stages', 'followups', 'leads', 'reminders'] loop
    execute format('grant select on public.%I to authenticated', name);
    execute format('create policy owner_reads on public.%I for select to authenticated using (owner_id = (select auth.uid()))', name);
  end loop;
end $$;

grant select on public.user_settings to authenticated;
create policy owner_reads on public.user_settings for select to authenticated using (user_id = (select auth.uid()));

grant select, insert (id, email, name), update (email, name) on public.users to authenticated;
create policy owner_reads on public.users for select to authenticated using (id = (select auth.uid()));
create policy owner_inserts on public.users for insert to authenticated with check (id = (select auth.uid()));
create policy owner_updates on public.users for update to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()));
