-- Whether a message was about somebody who is excluded by now.
create unique index exclusions_lead_idx on public.exclusions (lead_id) where lead_id is not null;
