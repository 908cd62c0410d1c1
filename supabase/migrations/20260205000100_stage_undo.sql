-- What a move by hand reset, for as long as it may be taken back: cursor, its time, the lead's last word, the entry into the stage.
alter table public.stage_history add column undo jsonb;
