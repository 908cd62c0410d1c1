-- What a step's past is looked up by, whoever plans: a lead's other messages, whatever there are of them, are passed over in the index.
create index outbox_uses_idx on public.outbox (lead_id, kind, epoch, followup_id);
drop index public.outbox_lead_idx;
create index ledger_uses_idx on public.ledger (lead_id, epoch, followup_id) where followup_id is not null;
