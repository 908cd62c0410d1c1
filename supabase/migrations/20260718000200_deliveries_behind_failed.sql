-- A delivery is due no earlier than the failed one of its lead that it waits for: those written before each had a lease are due at once, and
-- every search for due deliveries would read them in vain.
update public.webhook_deliveries d set next_try_at = h.next_try_at
from (
  select distinct on (webhook_id, lead_id) webhook_id, lead_id, id, next_try_at from public.webhook_deliveries
  where settled_at is null and lead_id is not null order by webhook_id, lead_id, id
) h
where d.webhook_id = h.webhook_id and d.lead_id = h.lead_id and d.settled_at is null and d.id > h.id and d.next_try_at < h.next_try_at;
