-- Looked for all the time, and hardly ever there: found without reading all that was done in a week.
create index lead_batches_forget_idx on public.lead_batches (finished_at) where not has_targets;
create index webhooks_erase_idx on public.webhooks (deleted_at) where deleted_at is not null;
