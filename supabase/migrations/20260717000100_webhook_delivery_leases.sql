-- Each delivery is leased by itself, so the lease of a whole webhook and the marks beside it go.
update public.webhook_deliveries d set state = 'given_up', settled_at = now(),
    error = coalesce(d.error, 'The webhook was switched off before this could be delivered.')
  from public.webhooks w where w.id = d.webhook_id and d.settled_at is null and (not w.is_enabled or d.id < w.give_up_below);
alter table public.webhooks
  drop column give_up_below, drop column failing_delivery, drop column lease_owner, drop column lease_until,
  -- Failed attempts since the receiver last accepted a delivery.
  add column failures integer not null default 0;
-- The index of due deliveries goes with the column.
alter table public.webhook_deliveries
  drop column is_parked,
  -- A process is delivering it. The time is the database's own.
  add column lease_until timestamptz;
create index webhook_deliveries_due_idx on public.webhook_deliveries (webhook_id, next_try_at, id) where settled_at is null;
create index webhook_deliveries_leased_idx on public.webhook_deliveries (webhook_id) where lease_until is not null;

-- Writes events of one owner, in their order, and a delivery of each to every webhook that subscribes to it. A delivery is not due before an
-- earlier one of its lead, so a search for due deliveries does not read those that wait behind a failed one.
create or replace function public.tell_webhooks(owner uuid, types text[], leads uuid[], times timestamptz[], facts jsonb[]) returns void
language plpgsql as $$
declare wanted uuid[];
begin
  with told as (
    insert into public.webhook_events (owner_id, lead_id, type, data, at)
      select owner, f.lead, f.type, f.fact, f.at from unnest(types, leads, times, facts) with ordinality f (type, lead, at, fact, place)
      where exists (select from public.webhooks w where w.owner_id = owner and w.is_enabled and f.type = any (w.events))
      order by f.place
    returning id, lead_id, type, at
  ), added as (
    insert into public.webhook_deliveries (owner_id, webhook_id, event_id, lead_id, at, next_try_at)
      select owner, w.id, t.id, t.lead_id, t.at, coalesce((
        select d.next_try_at from public.webhook_deliveries d
        where d.webhook_id = w.id and d.lead_id = t.lead_id and d.settled_at is null order by d.id desc limit 1), '-infinity')
      from told t join public.webhooks w on w.owner_id = owner and w.is_enabled and t.type = any (w.events)
      order by t.id
    returning webhook_id
  )
  select array_agg(distinct webhook_id) into wanted from added;
  perform pg_notify('leadloom', json_build_object('topic', 'webhook.ready', 'payload', json_build_object('webhook_id', id))::text)
    from unnest(wanted) id;
end $$;
