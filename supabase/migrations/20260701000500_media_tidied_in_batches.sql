-- Files are looked over for what nothing uses any more in the order of their age, batch by batch.
create index media_age_idx on public.media (created_at, id);
