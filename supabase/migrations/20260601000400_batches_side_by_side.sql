-- A batch goes over its leads as they lie beside each other, and two slices of it at once: each lane has a place of its own.

lock table public.lead_batches, public.lead_batch_targets in exclusive mode;

-- Where a lead stands in its batch. Those of batches from before keep the order of their ids.
alter table public.lead_batch_targets add column n integer;
update public.lead_batch_targets t set n = o.n from (
  select batch_id, lead_id, row_number() over (partition by batch_id order by lead_id) as n from public.lead_batch_targets
) o where o.batch_id = t.batch_id and o.lead_id = t.lead_id;

-- The last lead of each lane that was worked on. A lane ends where the next one began.
alter table public.lead_batches add column places integer[] not null default '{0}';
update public.lead_batches b set places = array[coalesce(
  (select max(t.n) from public.lead_batch_targets t where t.batch_id = coalesce(b.undo_of, b.id) and t.lead_id <= b.place), 0)];
alter table public.lead_batches drop column place;

alter table public.lead_batch_targets drop constraint lead_batch_targets_pkey, add primary key (batch_id, n);
