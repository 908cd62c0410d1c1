-- The names that lists are filtered by stand in a table of their own. In the lead's row, every change of the row was a new entry for each three
-- letters of its names: most of what moving thousands of leads cost.

-- Nobody else writes leads until all their names stand here.
lock table public.leads in share row exclusive mode;

create table public.lead_names (
  lead_id uuid primary key,
  -- The lead's, with which the row goes.
  owner_id uuid not null,
  -- In lower case.
  name text,
  username text
);
alter table public.lead_names enable row level security;
revoke all on public.lead_names from anon, authenticated;

create function public.refresh_lead_names(ids uuid[]) returns void language plpgsql as $$
begin
  insert into public.lead_names as n (lead_id, owner_id, name, username)
    select id, owner_id, lower(name), lower(username) from public.leads where id = any(ids) order by id
  on conflict (lead_id) do update set name = excluded.name, username = excluded.username
    where (n.name, n.username) is distinct from (excluded.name, excluded.username);
end $$;
alter function public.refresh_lead_names(uuid[]) set plan_cache_mode = force_generic_plan set enable_seqscan = off;

insert into public.lead_names (lead_id, owner_id, name, username) select id, owner_id, lower(name), lower(username) from public.leads;
create index lead_names_name_idx on public.lead_names using gin (owner_id, name gin_trgm_ops);
create index lead_names_username_idx on public.lead_names using gin (owner_id, username gin_trgm_ops);
-- Rows of an import that name people by their usernames.
create index lead_names_username_key on public.lead_names (owner_id, username) where username is not null;

create function public.leads_named() returns trigger language plpgsql as $$
begin
  insert into public.lead_names (lead_id, owner_id, name, username) select id, owner_id, lower(name), lower(username) from added;
  return null;
end $$;
create trigger leads_named after insert on public.leads
  referencing new table as added for each statement execute function public.leads_named();

create function public.lead_named_anew() returns trigger language plpgsql as $$
begin
  update public.lead_names set name = lower(new.name), username = lower(new.username) where lead_id = new.id;
  return null;
end $$;
create trigger leads_named_anew after update on public.leads for each row
  when ((old.name, old.username) is distinct from (new.name, new.username)) execute function public.lead_named_anew();

create function public.leads_unnamed() returns trigger language plpgsql as $$
begin
  delete from public.lead_names where lead_id = any(array(select id from removed));
  return null;
end $$;
create trigger leads_unnamed after delete on public.leads
  referencing old table as removed for each statement execute function public.leads_unnamed();

drop index public.leads_name_idx;
drop index public.leads_username_idx;
