-- What people wrote, and how leads moved, in the order of time: edited keywords are tried on it.
create index messages_inbound_idx on public.messages (owner_id, sent_at, id) where not is_outgoing;
create index stage_history_time_idx on public.stage_history (owner_id, at, id);
