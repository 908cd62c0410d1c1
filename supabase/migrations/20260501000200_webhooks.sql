-- What other programs are told of, written in the transaction of what it tells. Triggers write it, so that no way of changing a lead, a
-- message, a bulk job or an account can forget to.
create table public.webhooks (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  is_enabled boolean not null default true,
  disabled_reason text,
  -- The secret that signs, under AES-256-GCM: 12 bytes of nonce, the sealed secret, 16 bytes of tag; bound to owner and row.
  key_version integer not null,
  sealed bytea not null,
  created_at timestamptz not null,
  -- It is gone for its owner; its deliveries go in small pieces, then the row.
  deleted_at timestamptz,
  -- Open deliveries below this number are given up: they are of the time before it was switched off.
  give_up_below bigint,
  -- Since when the address has answered nothing with success.
  failing_since timestamptz,
  -- One process at a time delivers. Times are the database's own.
  lease_owner text,
  lease_until timestamptz
) with (fillfactor = 70);
create index webhooks_owner_idx on public.webhooks (owner_id, created_at);

create table public.webhook_events (
  id bigint generated always as identity primary key,
  -- `webhook-id`: the same for every receiver, try and replay.
  key uuid not null default gen_random_uuid(),
  owner_id uuid not null references auth.users (id) on delete cascade,
  lead_id uuid,
  type text not null,
  data jsonb not null,
  at timestamptz not null
);
create index webhook_events_owner_idx on public.webhook_events (owner_id);
create index webhook_events_lead_idx on public.webhook_events (lead_id) where lead_id is not null;

create table public.webhook_deliveries (
  id bigint generated always as identity primary key,
  owner_id uuid not null,
  webhook_id uuid not null references public.webhooks (id) on delete cascade,
  -- Without a foreign key, as nothing of a hundred thousand rows is checked row by row that need not be.
  event_id bigint not null,
  -- Deliveries of a lead go one after another; those that a person asked for stand outside of the order.
  lead_id uuid,
  replay_of bigint,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'given_up')),
  attempts integer not null default 0,
  next_try_at timestamptz not null default '-infinity',
  -- An earlier one of its lead is not settled: nobody looks at it before.
  is_parked boolean not null default false,
  status integer,
  error text,
  at timestamptz not null,
  settled_at timestamptz
) with (fillfactor = 80);
create index webhook_deliveries_list_idx on public.webhook_deliveries (webhook_id, id);
create index webhook_deliveries_due_idx on public.webhook_deliveries (webhook_id, next_try_at, id) where settled_at is null and not is_parked;
create index webhook_deliveries_open_idx on public.webhook_deliveries (webhook_id, lead_id, id) where settled_at is null;
create index webhook_deliveries_event_idx on public.webhook_deliveries (event_id);
create index webhook_deliveries_owner_idx on public.webhook_deliveries (owner_id);
create index webhook_deliveries_tidy_idx on public.webhook_deliveries (settled_at) where settled_at is not null;

do $$
declare name text;
begin
  foreach name in array array['webhooks', 'webhook_events', 'webhook_deliveries'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on public.%I from anon, authenticated', name);
  end loop;
end $$;

-- Whether any of the owner's webhooks wants to hear of one of these: one look into an index.
create function public.webhooks_hear(owner uuid, types text[]) returns boolean language plpgsql stable as $$
begin
  return exists (select from public.webhooks w where w.owner_id = owner and w.is_enabled and w.events && types);
end $$;

-- Writes facts of one owner, in their order, and a delivery of each to every webhook that wants it: one statement, whatever their number.
create function public.tell_webhooks(owner uuid, types text[], leads uuid[], times timestamptz[], facts jsonb[]) returns void
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
    insert into public.webhook_deliveries (owner_id, webhook_id, event_id, lead_id, at)
      select owner, w.id, t.id, t.lead_id, t.at from told t
      join public.webhooks w on w.owner_id = owner and w.is_enabled and t.type = any (w.events)
      order by t.id
    returning webhook_id
  )
  select array_agg(distinct webhook_id) into wanted from added;
  perform pg_notify('leadloom', json_build_object('topic', 'webhook.ready', 'payload', json_build_object('webhook_id', id))::text)
    from unnest(wanted) id;
end $$;

-- A lead that comes back from its exclusion is none that was made. Row by row, for within one statement that stores a first message the
-- lead is told of before it.
create function public.tell_of_new_lead() returns trigger language plpgsql as $$
begin
  if public.webhooks_hear(new.owner_id, array['lead.created']) and not exists (
    select from public.exclusions e where e.owner_id = new.owner_id and e.telegram_user_id = new.telegram_user_id) then
    perform public.tell_webhooks(new.owner_id, array['lead.created'], array[new.id], array[greatest(new.created_at, now())],
      array[jsonb_build_object('lead_id', new.id, 'stage_id', new.stage_id)]);
  end if;
  return null;
end $$;
create trigger leads_told_new after insert on public.leads for each row execute function public.tell_of_new_lead();

create function public.tell_of_changed_leads() returns trigger language plpgsql as $$
declare whose uuid;
begin
  for whose in select distinct a.owner_id from after a loop
    if public.webhooks_hear(whose, array['lead.stage_changed', 'lead.opted_out']) then
      perform public.tell_webhooks(whose, array_agg(f.type), array_agg(f.id), array_agg(f.at), array_agg(f.fact))
      from (
        select 'lead.stage_changed' as type, a.id, greatest(a.stage_entered_at, b.stage_entered_at) as at,
          jsonb_build_object('lead_id', a.id, 'stage_id', a.stage_id, 'from_stage_id', b.stage_id) as fact
        from after a join before b on b.id = a.id where a.owner_id = whose and a.stage_id is distinct from b.stage_id
        union all
        select 'lead.opted_out', a.id, a.opted_out_at, jsonb_build_object('lead_id', a.id, 'stage_id', a.stage_id)
        from after a join before b on b.id = a.id where a.owner_id = whose and a.opted_out_at is not null and b.opted_out_at is null
      ) f having count(*) > 0;
    end if;
  end loop;
  return null;
end $$;
create trigger leads_told after update on public.leads
  referencing old table as before new table as after for each statement execute function public.tell_of_changed_leads();

-- A message as receivers hear of it: what follow-ups send is told of as that.
create function public.tell_of_message(m public.messages) returns void language plpgsql as $$
declare
  type_of text := case when not m.is_outgoing then 'message.received' when m.source = 'followup' then 'followup.sent' else 'message.sent' end;
begin
  if not public.webhooks_hear(m.owner_id, array[type_of]) then return; end if;
  perform public.tell_webhooks(m.owner_id, array[type_of], array[l.id], array[m.sent_at], array[
    jsonb_build_object('lead_id', l.id, 'stage_id', l.stage_id, 'message_id', m.id::text, 'kind', m.kind, 'text', m.text)
      || coalesce((select jsonb_strip_nulls(jsonb_build_object('step_id', o.followup_id, 'job_id', o.job_id))
        from public.outbox o where o.id = m.outbox_id), '{}')])
  from public.leads l where l.owner_id = m.owner_id and l.telegram_user_id = m.peer_user_id;
end $$;

-- Whoever stores what was said long ago, or what the outbox will tell of itself, says for the transaction since when messages are news.
create function public.tell_of_new_messages() returns trigger language plpgsql as $$
declare
  m public.messages;
  since timestamptz := coalesce(nullif(current_setting('leadloom.told_since', true), ''), '-infinity');
begin
  for m in select * from added where state in ('received', 'sent') and sent_at >= since order by id loop
    perform public.tell_of_message(m);
  end loop;
  return null;
end $$;
create trigger messages_told after insert on public.messages
  referencing new table as added for each statement execute function public.tell_of_new_messages();

create function public.tell_of_sent_message() returns trigger language plpgsql as $$
begin
  perform public.tell_of_message(new);
  return null;
end $$;
create trigger messages_told_sent after update on public.messages for each row
  when (new.state = 'sent' and new.outbox_id is not null and (old.state <> 'sent' or old.outbox_id is null))
  execute function public.tell_of_sent_message();

-- Words that their writer took back are not kept, nor sent from now on.
create function public.untell_deleted_message() returns trigger language plpgsql as $$
begin
  update public.webhook_events e set data = e.data || '{"text": ""}'
    from public.leads l where l.owner_id = new.owner_id and l.telegram_user_id = new.peer_user_id
      and e.lead_id = l.id and e.data ->> 'message_id' = new.id::text;
  return null;
end $$;
create trigger messages_untold after update on public.messages for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function public.untell_deleted_message();

create function public.tell_of_finished_bulk() returns trigger language plpgsql as $$
begin
  if public.webhooks_hear(new.owner_id, array['bulk.finished']) then
    perform public.tell_webhooks(new.owner_id, array['bulk.finished'], array[null::uuid], array[coalesce(new.finished_at, now())],
      array[jsonb_build_object('job_id', new.id, 'stage_id', new.stage_id, 'status', new.status, 'sent_count', new.sent_count,
        'failed_count', new.failed_count, 'total_targets', new.total_targets)]);
  end if;
  return null;
end $$;
create trigger bulk_jobs_told after update on public.bulk_jobs for each row
  when (old.status = 'in_progress' and new.status <> 'in_progress') execute function public.tell_of_finished_bulk();

create function public.tell_of_disconnected_account() returns trigger language plpgsql as $$
begin
  if public.webhooks_hear(new.user_id, array['account.disconnected']) then
    perform public.tell_webhooks(new.user_id, array['account.disconnected'], array[null::uuid], array[coalesce(new.ended_at, now())],
      array[jsonb_build_object('account_id', new.id, 'state', new.state, 'reason', new.ended_reason)]);
  end if;
  return null;
end $$;
create trigger telegram_sessions_told after update on public.telegram_sessions for each row
  when (old.state = 'connected' and new.state <> 'connected') execute function public.tell_of_disconnected_account();
