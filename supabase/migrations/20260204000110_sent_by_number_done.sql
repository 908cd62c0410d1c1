drop index public.outbox_sent_idx;
