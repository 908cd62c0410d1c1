-- For the next file alone: which row of the outbox a message came from is looked up once a message, not searched among all rows of its owner.
create index outbox_sent_idx on public.outbox (owner_id, message_id) where message_id is not null;
