-- What is deleted stays for a minute in which it can be taken back, with all that hangs on it; until it is erased nobody sees it.
alter table public.tags add column deleted_at timestamptz,
  -- How many leads carry it, kept by the statements that tag and untag.
  add column leads integer not null default 0;
alter table public.fields add column deleted_at timestamptz,
  -- How many leads hold a value of it.
  add column leads integer not null default 0;
alter table public.views add column deleted_at timestamptz;

drop index public.tags_name_key;
drop index public.fields_name_key;
drop index public.fields_value_key;
drop index public.views_name_key;
create unique index tags_name_key on public.tags (owner_id, lower(name)) where deleted_at is null;
create unique index fields_name_key on public.fields (owner_id, lower(name)) where deleted_at is null;
create unique index fields_value_key on public.fields (owner_id) where is_value and deleted_at is null;
create unique index views_name_key on public.views (owner_id, lower(name)) where deleted_at is null;
create index tags_erase_idx on public.tags (deleted_at) where deleted_at is not null;
create index fields_erase_idx on public.fields (deleted_at) where deleted_at is not null;
create index views_erase_idx on public.views (deleted_at) where deleted_at is not null;
-- Everything of an owner, also what is deleted.
create index tags_owner_idx on public.tags (owner_id);
create index fields_owner_idx on public.fields (owner_id);
create index views_owner_idx on public.views (owner_id);

-- Sums of the numbers that leads hold, by the stage they are in: adding up 100,000 of them costs more than the board itself.
-- Exact, so that a sum is what it would be added up anew.
create table public.value_totals (
  owner_id uuid not null references auth.users (id) on delete cascade,
  field_id uuid not null references public.fields (id) on delete cascade,
  stage_id uuid,
  total numeric not null,
  constraint value_totals_key unique nulls not distinct (field_id, stage_id)
);
create index value_totals_owner_idx on public.value_totals (owner_id);
alter table public.value_totals enable row level security;
revoke all on public.value_totals from anon, authenticated;

update public.tags t set leads = (select count(*) from public.lead_tags l where l.tag_id = t.id);
update public.fields f set leads = (select count(*) from public.lead_fields l where l.field_id = f.id);
insert into public.value_totals (owner_id, field_id, stage_id, total)
  select v.owner_id, v.field_id, l.stage_id, sum(v.number_value::numeric) from public.lead_fields v
  join public.leads l on l.id = v.lead_id where v.number_value is not null group by v.owner_id, v.field_id, l.stage_id;

create function public.count_tagged() returns trigger language plpgsql as $$
begin
  -- Rows are taken in one order, so that two statements never wait for each other.
  if tg_op = 'INSERT' then
    perform from public.tags where id in (select tag_id from added) order by id for no key update;
    update public.tags t set leads = t.leads + c.n
      from (select tag_id, count(*)::int as n from added group by tag_id) c where t.id = c.tag_id;
  else
    perform from public.tags where id in (select tag_id from removed) order by id for no key update;
    update public.tags t set leads = t.leads - c.n
      from (select tag_id, count(*)::int as n from removed group by tag_id) c where t.id = c.tag_id;
  end if;
  return null;
end $$;
create trigger lead_tags_counted_in after insert on public.lead_tags
  referencing new table as added for each statement execute function public.count_tagged();
create trigger lead_tags_counted_out after delete on public.lead_tags
  referencing old table as removed for each statement execute function public.count_tagged();

-- Everybody takes leads first, then fields, then totals. A lead is held while its number is counted, so that it changes its stage either
-- before, and is counted in the new one, or after, and takes the number along.
create function public.values_added() returns trigger language plpgsql as $$
begin
  perform from public.leads where id in (select lead_id from added where number_value is not null) order by id for no key update;
  perform from public.fields where id in (select field_id from added) order by id for no key update;
  update public.fields f set leads = f.leads + c.n
    from (select field_id, count(*)::int as n from added group by field_id) c where f.id = c.field_id;
  insert into public.value_totals as t (owner_id, field_id, stage_id, total)
    select a.owner_id, a.field_id, l.stage_id, sum(a.number_value::numeric) from added a join public.leads l on l.id = a.lead_id
    where a.number_value is not null group by a.owner_id, a.field_id, l.stage_id order by a.field_id, l.stage_id
    on conflict on constraint value_totals_key do update set total = t.total + excluded.total;
  return null;
end $$;
create function public.values_changed() returns trigger language plpgsql as $$
begin
  if not exists (select from before where number_value is not null union all select from after where number_value is not null) then
    return null;
  end if;
  perform from public.leads where id in (select lead_id from after) order by id for no key update;
  perform from public.fields where id in (select field_id from after) order by id for no key update;
  insert into public.value_totals as t (owner_id, field_id, stage_id, total)
    select c.owner_id, c.field_id, l.stage_id, sum(c.n) from (
      select owner_id, field_id, lead_id, number_value::numeric as n from after
      union all select owner_id, field_id, lead_id, -number_value::numeric from before
    ) c join public.leads l on l.id = c.lead_id
    where c.n is not null group by c.owner_id, c.field_id, l.stage_id having sum(c.n) <> 0 order by c.field_id, l.stage_id
    on conflict on constraint value_totals_key do update set total = t.total + excluded.total;
  return null;
end $$;
create function public.values_removed() returns trigger language plpgsql as $$
begin
  perform from public.leads where id in (select lead_id from removed where number_value is not null) order by id for no key update;
  perform from public.fields where id in (select field_id from removed) order by id for no key update;
  update public.fields f set leads = f.leads - c.n
    from (select field_id, count(*)::int as n from removed group by field_id) c where f.id = c.field_id;
  perform from public.value_totals where field_id in (select field_id from removed where number_value is not null)
    order by field_id, stage_id for no key update;
  update public.value_totals t set total = t.total - c.n from (
      select r.field_id, l.stage_id, sum(r.number_value::numeric) as n from removed r join public.leads l on l.id = r.lead_id
      where r.number_value is not null group by r.field_id, l.stage_id
    ) c where t.field_id = c.field_id and t.stage_id is not distinct from c.stage_id;
  return null;
end $$;
create trigger lead_fields_counted_in after insert on public.lead_fields
  referencing new table as added for each statement execute function public.values_added();
create trigger lead_fields_counted_anew after update on public.lead_fields
  referencing old table as before new table as after for each statement execute function public.values_changed();
create trigger lead_fields_counted_out after delete on public.lead_fields
  referencing old table as removed for each statement execute function public.values_removed();

-- A lead that changes its stage takes its numbers along. Planned anew each time: what suits one lead does not suit thousands.
create function public.values_moved() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  ids := array(select id from (select id, stage_id from after except all select id, stage_id from before) m);
  if cardinality(ids) = 0 or not exists (
    select from public.lead_fields v join unnest(ids) as i(id) on v.lead_id = i.id where v.number_value is not null
  ) then return null; end if;
  execute 'insert into public.value_totals as t (owner_id, field_id, stage_id, total)
    select v.owner_id, v.field_id, m.stage_id, sum(m.sign * v.number_value::numeric) from (
      select id, stage_id, 1 as sign from after union all select id, stage_id, -1 from before
    ) m join public.lead_fields v on v.lead_id = m.id
    where v.number_value is not null group by v.owner_id, v.field_id, m.stage_id
    having sum(m.sign * v.number_value::numeric) <> 0 order by v.field_id, m.stage_id
    on conflict on constraint value_totals_key do update set total = t.total + excluded.total';
  return null;
end $$;
create trigger leads_values_moved after update on public.leads
  referencing old table as before new table as after for each statement execute function public.values_moved();

-- Its values go before it does, while it is known in which stage they count.
create function public.values_go() returns trigger language plpgsql as $$
begin
  delete from public.lead_fields where lead_id = old.id;
  return old;
end $$;
create trigger leads_values_go before delete on public.leads for each row execute function public.values_go();
