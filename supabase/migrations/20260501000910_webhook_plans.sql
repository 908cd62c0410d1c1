-- A session keeps the plan of its first changes, which are of one lead: for the thousands of a batch it compared each row before with each
-- row after. By a hash it costs the same for one, and each row once.
alter function public.tell_of_changed_leads() set enable_nestloop = off;
