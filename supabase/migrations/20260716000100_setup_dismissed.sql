-- The dashboard's checklist of first steps is shown until it is done or dismissed. Users who already have leads are past it.
alter table public.user_settings add column setup_dismissed boolean not null default false;
insert into public.user_settings (user_id, setup_dismissed)
  select distinct owner_id, true from public.leads
  on conflict (user_id) do update set setup_dismissed = true;
