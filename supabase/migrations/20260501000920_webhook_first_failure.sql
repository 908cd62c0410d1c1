-- The delivery that failed first since the address took nothing: whatever else comes, it is tried at its times, so that three days without
-- an answer come to an end.
alter table public.webhooks add column failing_delivery bigint;
