-- As before, but an owner's tags or fields are held all of them and in one order, whoever changes one: leads that go, carry others than
-- those that come, and statements of one transaction name them in any order.
create or replace function public.count_tagged() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform from public.tags where owner_id in (select owner_id from added) order by id for no key update;
    update public.tags t set leads = t.leads + c.n
      from (select tag_id, count(*)::int as n from added group by tag_id) c where t.id = c.tag_id;
  else
    perform from public.tags where owner_id in (select owner_id from removed) order by id for no key update;
    update public.tags t set leads = t.leads - c.n
      from (select tag_id, count(*)::int as n from removed group by tag_id) c where t.id = c.tag_id;
  end if;
  return null;
end $$;

create or replace function public.values_added() returns trigger language plpgsql as $$
begin
  perform from public.leads where id in (select lead_id from added where number_value is not null) order by id for no key update;
  perform from public.fields where owner_id in (select owner_id from added) order by id for no key update;
  update public.fields f set leads = f.leads + c.n
    from (select field_id, count(*)::int as n from added group by field_id) c where f.id = c.field_id;
  insert into public.value_totals as t (owner_id, field_id, stage_id, total)
    select a.owner_id, a.field_id, l.stage_id, sum(a.number_value::numeric) from added a join public.leads l on l.id = a.lead_id
    where a.number_value is not null group by a.owner_id, a.field_id, l.stage_id order by a.field_id, l.stage_id
    on conflict on constraint value_totals_key do update set total = t.total + excluded.total;
  return null;
end $$;
create or replace function public.values_changed() returns trigger language plpgsql as $$
begin
  if not exists (select from before where number_value is not null union all select from after where number_value is not null) then
    return null;
  end if;
  perform from public.leads where id in (select lead_id from after) order by id for no key update;
  perform from public.fields where owner_id in (select owner_id from after) order by id for no key update;
  insert into public.value_totals as t (owner_id, field_id, stage_id, total)
    select c.owner_id, c.field_id, l.stage_id, sum(c.n) from (
      select owner_id, field_id, lead_id, number_value::numeric as n from after
      union all select owner_id, field_id, lead_id, -number_value::numeric from before
    ) c join public.leads l on l.id = c.lead_id
    where c.n is not null group by c.owner_id, c.field_id, l.stage_id having sum(c.n) <> 0 order by c.field_id, l.stage_id
    on conflict on constraint value_totals_key do update set total = t.total + excluded.total;
  return null;
end $$;
create or replace function public.values_removed() returns trigger language plpgsql as $$
begin
  perform from public.leads where id in (select lead_id from removed where number_value is not null) order by id for no key update;
  perform from public.fields where owner_id in (select owner_id from removed) order by id for no key update;
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
