-- What another index is already, to the last column, is written with every row and read by nobody.
drop index public.outbox_owner_idx;
drop index public.followups_stage_idx;
