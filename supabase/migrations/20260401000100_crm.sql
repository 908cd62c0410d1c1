-- What a person adds to their leads: tags, fields of their own, and saved views of the list.
create table public.tags (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  name text not null check (name <> ''),
  color text not null check (color ~ '^#[0-9a-fA-F]{6}$'),
  created_at timestamptz not null
);
create unique index tags_name_key on public.tags (owner_id, lower(name));

create table public.lead_tags (
  id bigint generated always as identity primary key,
  owner_id uuid not null references auth.users (id) on delete cascade,
  tag_id uuid not null references public.tags (id) on delete cascade,
  lead_id uuid not null references public.leads (id) on delete cascade,
  unique (tag_id, lead_id)
);
create index lead_tags_lead_idx on public.lead_tags (lead_id);
create index lead_tags_owner_idx on public.lead_tags (owner_id, id);

create table public.fields (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  name text not null check (name <> ''),
  type text not null check (type in ('text', 'number', 'date', 'choice', 'link')),
  -- A choice's texts, in their order.
  options jsonb check ((options is not null) = (type = 'choice')),
  is_value boolean not null default false check (not is_value or type = 'number'),
  created_at timestamptz not null
);
create unique index fields_name_key on public.fields (owner_id, lower(name));
create unique index fields_value_key on public.fields (owner_id) where is_value;

-- A field without a value has no row. A date stands as YYYY-MM-DD, so that texts and dates sort alike.
create table public.lead_fields (
  id bigint generated always as identity primary key,
  owner_id uuid not null references auth.users (id) on delete cascade,
  field_id uuid not null references public.fields (id) on delete cascade,
  lead_id uuid not null references public.leads (id) on delete cascade,
  text_value text,
  number_value double precision,
  unique (field_id, lead_id),
  check (num_nonnulls(text_value, number_value) = 1)
);
create index lead_fields_lead_idx on public.lead_fields (lead_id);
create index lead_fields_owner_idx on public.lead_fields (owner_id, id);

create table public.views (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  name text not null check (name <> ''),
  kind text not null check (kind in ('list', 'board')),
  -- The list's filters and sort, as its address has them.
  query text not null default '',
  columns jsonb not null default '[]',
  created_at timestamptz not null
);
create unique index views_name_key on public.views (owner_id, lower(name));

do $$
declare name text;
begin
  foreach name in array array['tags', 'lead_tags', 'fields', 'lead_fields', 'views'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on public.%I from anon, authenticated', name);
  end loop;
end $$;
