-- The record of a message outlives the rule that sent it, as it outlives its lead and its step.
alter table public.outbox drop constraint outbox_reminder_id_fkey;
