-- What was sent is read in the order in which it was planned, over outbox and ledger: a row keeps its number for good, wherever it moves
-- and whatever becomes of it.
create index outbox_page_idx on public.outbox (owner_id, id);
create index ledger_page_idx on public.ledger (owner_id, id);
create index outbox_filter_idx on public.outbox (owner_id, kind, state, id);
create index ledger_filter_idx on public.ledger (owner_id, kind, state, id);
-- The export reads them by number.
create index messages_number_idx on public.messages (owner_id, id);

-- The number up to which an owner's messages were planned before a moment. Numbers and moments rise together but for the differences of
-- clocks and transactions under way: who asks leaves them room.
create function public.planned_before(owner uuid, moment timestamptz) returns bigint
language plpgsql stable parallel safe as $$
declare
  low bigint := 0;
  high bigint;
  middle bigint;
  planned timestamptz;
begin
  select coalesce(greatest(
    (select max(id) from public.outbox where owner_id = owner), (select max(id) from public.ledger where owner_id = owner)), 0) into high;
  while low < high loop
    middle := (low + high) / 2;
    select p.at into planned from (
      (select id, created_at as at from public.outbox where owner_id = owner and id > middle order by id limit 1)
      union all
      (select id, planned_at from public.ledger where owner_id = owner and id > middle order by id limit 1)
    ) p order by p.id limit 1;
    if planned is not null and planned < moment then low := middle + 1; else high := middle; end if;
  end loop;
  return low;
end $$;
revoke all on function public.planned_before(uuid, timestamptz) from public, anon, authenticated;
