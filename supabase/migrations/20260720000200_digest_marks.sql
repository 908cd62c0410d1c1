-- The name of the digest that a lead was in: if the digest is withdrawn, the lead is planned again.
alter table public.reminder_marks add column digest text;
