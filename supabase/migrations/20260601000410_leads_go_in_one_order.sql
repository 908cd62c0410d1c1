-- Leads that go take what is kept beside leads in the order in which everybody does: two slices of a batch that exclude leads of the same
-- stages, and whoever moves others of them or plans in between, wait for each other in turn.
create or replace function public.leads_removed() returns trigger language plpgsql as $$
begin
  perform from public.lead_totals t join (select distinct owner_id, stage_id from removed) r
    on t.owner_id = r.owner_id and t.stage_id is not distinct from r.stage_id
    order by t.owner_id, t.stage_id for no key update of t;
  update public.lead_totals t set total = t.total - r.n
    from (select owner_id, stage_id, count(*)::int n from removed group by owner_id, stage_id) r
    where t.owner_id = r.owner_id and t.stage_id is not distinct from r.stage_id;
  perform from public.lead_due where lead_id = any(array(select id from removed)) order by lead_id for update;
  delete from public.lead_due where lead_id = any(array(select id from removed));
  return null;
end $$;
