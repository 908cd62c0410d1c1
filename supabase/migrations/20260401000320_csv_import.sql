-- Rows of a file that is being imported, until one transaction has matched and applied them all. Nothing is lost with this table.
create unlogged table public.lead_import_rows (
  import_id uuid not null,
  row integer not null,
  owner_id uuid not null,
  telegram_user_id bigint,
  username text,
  notes text,
  tags text[],
  -- {<field id>: value}
  fields jsonb,
  lead_id uuid,
  -- Why the row is passed over.
  words text,
  at timestamptz not null,
  primary key (import_id, row)
);
create index lead_import_rows_owner_idx on public.lead_import_rows (owner_id);
create index lead_import_rows_at_idx on public.lead_import_rows (at);
alter table public.lead_import_rows enable row level security;
revoke all on public.lead_import_rows from anon, authenticated;
