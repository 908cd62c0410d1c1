-- A conversation that was marked done, or whose lead was moved by hand, waits no more until its person writes again.

-- The newest words of the person that are done with. When the wait began stands in `waited_since`.
alter table public.leads add column done_at timestamptz;
create index leads_waiting_newest_idx on public.leads (owner_id, last_message_at desc, id desc) where waiting_since is not null;
