-- What a thousand planned messages cost the database, less.

-- `convert_to` is stable, and what claims to be more than its parts is called for each row instead of being inlined.
create or replace function public.random_id_of(inner_pad bytea, outer_pad bytea, name text) returns bigint language sql stable parallel safe as $$
  select coalesce(nullif(('x' || encode(substring(
    sha256(outer_pad || sha256(inner_pad || convert_to(name, 'UTF8'))) from 1 for 8), 'hex'))::bit(64)::bigint, 0), 1)
$$;

-- Names are the same or not, in no language's order: compared by their bytes.
alter table public.outbox alter column dedupe_key type text collate "C";

-- One index holds a step to one row that is under way or went out, and finds what became of a step before: its other rows stand in it by
-- their own numbers, which are no two rows' and never 0.
create unique index outbox_step_rows on public.outbox (lead_id, epoch, followup_id,
  (case when state in ('pending', 'sending', 'sent', 'unknown') then 0 else id end));
drop index public.outbox_step_once;
drop index public.outbox_uses_idx;
alter index public.outbox_step_rows rename to outbox_step_once;
