-- What a person does to many leads at once: frozen by the call, worked off in small transactions, and taken back for half a minute.
create table public.lead_batches (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  -- {type, stage_id?, tag_ids?, until?}
  action jsonb not null,
  -- The batch that this one takes back.
  undo_of uuid,
  status text not null default 'in_progress' check (status in ('in_progress', 'completed', 'failed', 'cancelled')),
  total integer not null default 0,
  done integer not null default 0,
  changed integer not null default 0,
  -- Leads that somebody else had changed meanwhile, which an undo left as they are.
  left_alone integer not null default 0,
  -- The last lead that was worked on: they come by their ids.
  place uuid,
  error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  undo_until timestamptz,
  has_targets boolean not null default true
);
create index lead_batches_owner_idx on public.lead_batches (owner_id, created_at);
create index lead_batches_open_idx on public.lead_batches (created_at) where status = 'in_progress';
create index lead_batches_tidy_idx on public.lead_batches (finished_at) where has_targets;
create unique index lead_batches_undo_idx on public.lead_batches (undo_of) where undo_of is not null;

-- Ids without a foreign key: a batch of 100,000 leads is not checked row by row. Rows have room for what they are changed by.
create table public.lead_batch_targets (
  batch_id uuid not null,
  lead_id uuid not null,
  owner_id uuid not null,
  -- What the lead had before; null while nothing was changed.
  undo jsonb,
  primary key (batch_id, lead_id)
) with (fillfactor = 60);
create index lead_batch_targets_owner_idx on public.lead_batch_targets (owner_id);

do $$
declare name text;
begin
  foreach name in array array['lead_batches', 'lead_batch_targets'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on public.%I from anon, authenticated', name);
  end loop;
end $$;
