-- A stage goes at once; its leads follow in batches. Until the last one moved, this says where they came from and when.
create table public.stage_removals (
  stage_id uuid primary key,
  owner_id uuid not null references auth.users (id) on delete cascade,
  at timestamptz not null
);
create index stage_removals_owner_idx on public.stage_removals (owner_id);
alter table public.stage_removals enable row level security;
revoke all on public.stage_removals from anon, authenticated;

-- A lead enters only a stage that exists, and holds it until the transaction ends: looked up once a statement and stage, not once a row,
-- and without a check of every lead when a stage goes.
alter table public.leads drop constraint leads_stage_id_fkey;

create function public.require_stages(ids uuid[]) returns void language plpgsql as $$
declare found_ids uuid[];
begin
  found_ids := array(select id from public.stages where id = any(ids) order by id for key share);
  if cardinality(found_ids) < cardinality(ids) then
    raise exception 'a lead was given a stage that does not exist' using errcode = '23503', constraint = 'leads_stage_id_fkey';
  end if;
end $$;

create or replace function public.leads_added() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  ids := array(select id from added);
  if cardinality(ids) = 0 then return null; end if;
  perform public.require_stages(array(select distinct stage_id from added where stage_id is not null));
  insert into public.lead_totals as t (owner_id, stage_id, total)
    select owner_id, stage_id, count(*) from added group by owner_id, stage_id order by owner_id, stage_id
    on conflict on constraint lead_totals_key do update set total = t.total + excluded.total;
  perform public.refresh_due(ids);
  perform public.look_again_from(ids);
  return null;
end $$;

create or replace function public.leads_changed() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  ids := array(select id from (
    select id, stage_id, followup_order_sent, stage_entry_epoch, stage_entered_at, last_followup_sent_at, last_manual_at, last_inbound_at,
      unreachable_reason from after
    except all
    select id, stage_id, followup_order_sent, stage_entry_epoch, stage_entered_at, last_followup_sent_at, last_manual_at, last_inbound_at,
      unreachable_reason from before) d);
  if cardinality(ids) = 0 then return null; end if;
  perform public.require_stages(array(select distinct stage_id from (
    select id, stage_id from after except all select id, stage_id from before) d where stage_id is not null));
  -- In one order, so that two moves the opposite ways never wait for each other.
  insert into public.lead_totals as t (owner_id, stage_id, total)
    select owner_id, stage_id, sum(n) from (
      select owner_id, stage_id, 1 as n from after union all select owner_id, stage_id, -1 from before) m
    group by owner_id, stage_id having sum(n) <> 0 order by owner_id, stage_id
    on conflict on constraint lead_totals_key do update set total = t.total + excluded.total;
  perform public.refresh_due(ids);
  if exists (select stage_entered_at, stage_entry_epoch from after except all select stage_entered_at, stage_entry_epoch from before)
  then perform public.look_again_from(ids); end if;
  return null;
end $$;
