-- Moving thousands of leads writes each of them twice less.

-- Nobody else writes leads until their orders stand anew.
lock table public.leads in share row exclusive mode;

-- One index for the list's order and for who has been in a stage since when.
create index leads_stage_since_idx on public.leads (owner_id, stage_entered_at desc, created_at desc, id desc, stage_id);

-- Which batch moved the lead stands in the history's own row: beside the batch nothing is written down of it.
alter table public.stage_history add column batch_id uuid;
update public.stage_history h set batch_id = t.batch_id from public.lead_batch_targets t
  where t.undo ? 'history' and h.id = (t.undo ->> 'history')::bigint;

-- From here on nobody reads leads either, for a moment: what takes long stands above.
-- Whoever writes a lead's history holds the lead, so it is there: it is not looked up for each row once more. Its history goes with it.
alter table public.stage_history drop constraint stage_history_lead_id_fkey;
create function public.leads_without_history() returns trigger language plpgsql as $$
begin
  delete from public.stage_history where lead_id = any(array(select id from removed));
  return null;
end $$;
create trigger leads_without_history after delete on public.leads
  referencing old table as removed for each statement execute function public.leads_without_history();

-- What the new index is for.
drop index public.leads_stage_entry_idx;
drop index public.leads_stage_entered_idx;
