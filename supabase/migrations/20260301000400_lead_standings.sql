-- How many leads stand where: at which step of which stage, with which obstacles. Counting 100,000 leads costs more than all the rest of a
-- forecast. Every write appends what it changed, so that no two ever wait for each other; once a minute that is added to the counts.
create table public.lead_standings (
  owner_id uuid not null references auth.users (id) on delete cascade,
  stage_id uuid,
  cursor integer not null,
  is_opted_out boolean not null,
  is_unreachable boolean not null,
  is_held boolean not null,
  has_replied boolean not null,
  total integer not null,
  constraint lead_standings_key unique nulls not distinct (owner_id, stage_id, cursor, is_opted_out, is_unreachable, is_held, has_replied)
);
create table public.lead_standing_changes (
  id bigint generated always as identity primary key,
  owner_id uuid not null references auth.users (id) on delete cascade,
  stage_id uuid,
  cursor integer not null,
  is_opted_out boolean not null,
  is_unreachable boolean not null,
  is_held boolean not null,
  has_replied boolean not null,
  total integer not null
);
create index lead_standing_changes_owner_idx on public.lead_standing_changes (owner_id);
alter table public.lead_standings enable row level security;
alter table public.lead_standing_changes enable row level security;
revoke all on public.lead_standings from anon, authenticated;
revoke all on public.lead_standing_changes from anon, authenticated;

-- Holds that end by themselves are few, and are counted when they are asked for.
create index leads_held_until_idx on public.leads (owner_id, held_until) where held_until is not null;

create function public.leads_standing() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into public.lead_standing_changes (owner_id, stage_id, cursor, is_opted_out, is_unreachable, is_held, has_replied, total)
      select owner_id, stage_id, followup_order_sent, opted_out_at is not null, unreachable_reason is not null,
        held_at is not null and held_until is null,
        coalesce(last_inbound_at > greatest(stage_entered_at, last_followup_sent_at, last_manual_at), false), count(*)
      from after group by 1, 2, 3, 4, 5, 6, 7;
  elsif tg_op = 'DELETE' then
    -- Leads that go because their owner does have nobody left to be counted for.
    insert into public.lead_standing_changes (owner_id, stage_id, cursor, is_opted_out, is_unreachable, is_held, has_replied, total)
      select owner_id, stage_id, followup_order_sent, opted_out_at is not null, unreachable_reason is not null,
        held_at is not null and held_until is null,
        coalesce(last_inbound_at > greatest(stage_entered_at, last_followup_sent_at, last_manual_at), false), -count(*)
      from before where exists (select from auth.users u where u.id = owner_id) group by 1, 2, 3, 4, 5, 6, 7;
  else
    insert into public.lead_standing_changes (owner_id, stage_id, cursor, is_opted_out, is_unreachable, is_held, has_replied, total)
      select owner_id, stage_id, followup_order_sent, opted_out_at is not null, unreachable_reason is not null,
        held_at is not null and held_until is null,
        coalesce(last_inbound_at > greatest(stage_entered_at, last_followup_sent_at, last_manual_at), false), sum(n)
      from (
        select owner_id, stage_id, followup_order_sent, opted_out_at, unreachable_reason, held_at, held_until, last_inbound_at, stage_entered_at,
          last_followup_sent_at, last_manual_at, 1 as n from after
        union all
        select owner_id, stage_id, followup_order_sent, opted_out_at, unreachable_reason, held_at, held_until, last_inbound_at, stage_entered_at,
          last_followup_sent_at, last_manual_at, -1 from before
      ) m group by 1, 2, 3, 4, 5, 6, 7 having sum(n) <> 0;
  end if;
  return null;
end $$;

-- Nobody else writes leads until their counts are made.
lock table public.leads in share row exclusive mode;
create trigger leads_standing_in after insert on public.leads
  referencing new table as after for each statement execute function public.leads_standing();
create trigger leads_standing_out after delete on public.leads
  referencing old table as before for each statement execute function public.leads_standing();
create trigger leads_standing_moved after update on public.leads
  referencing old table as before new table as after for each statement execute function public.leads_standing();
insert into public.lead_standings (owner_id, stage_id, cursor, is_opted_out, is_unreachable, is_held, has_replied, total)
select owner_id, stage_id, followup_order_sent, opted_out_at is not null, unreachable_reason is not null,
  held_at is not null and held_until is null,
  coalesce(last_inbound_at > greatest(stage_entered_at, last_followup_sent_at, last_manual_at), false), count(*)
from public.leads group by 1, 2, 3, 4, 5, 6, 7;
