-- As before, but an opt-out that comes back, because what ended it is taken back, is no news: receivers were told of it at its time. Whoever
-- takes such a thing back says so for the transaction.
create or replace function public.tell_of_changed_leads() returns trigger language plpgsql as $$
declare
  whose uuid;
  is_taken_back boolean := coalesce(current_setting('leadloom.taken_back', true), '') = 'on';
begin
  for whose in select distinct a.owner_id from after a loop
    if public.webhooks_hear(whose, array['lead.stage_changed', 'lead.opted_out']) then
      perform public.tell_webhooks(whose, array_agg(f.type), array_agg(f.id), array_agg(f.at), array_agg(f.fact))
      from (
        select 'lead.stage_changed' as type, a.id, greatest(a.stage_entered_at, b.stage_entered_at) as at,
          jsonb_build_object('lead_id', a.id, 'stage_id', a.stage_id, 'from_stage_id', b.stage_id) as fact
        from after a join before b on b.id = a.id where a.owner_id = whose and a.stage_id is distinct from b.stage_id
        union all
        select 'lead.opted_out', a.id, a.opted_out_at, jsonb_build_object('lead_id', a.id, 'stage_id', a.stage_id)
        from after a join before b on b.id = a.id
        where a.owner_id = whose and a.opted_out_at is not null and not is_taken_back and b.opted_out_at is null
      ) f having count(*) > 0;
    end if;
  end loop;
  return null;
end $$;
alter function public.tell_of_changed_leads() set enable_nestloop = off;
