-- As before, in an order that only these indexes have: the planner takes no other for a page of one kind and state.
drop index public.outbox_filter_idx;
drop index public.ledger_filter_idx;
create index outbox_filter_idx on public.outbox (owner_id, kind, state, id desc nulls last);
create index ledger_filter_idx on public.ledger (owner_id, kind, state, id desc nulls last);
