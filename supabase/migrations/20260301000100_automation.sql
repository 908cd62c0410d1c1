-- What a person has chosen for automation.
alter table public.user_settings
  -- An IANA name; null is UTC.
  add column time_zone text,
  -- ISO numbers, 1 is Monday.
  add column weekdays smallint[] not null default '{1,2,3,4,5,6,7}'
    check (cardinality(weekdays) between 1 and 7 and weekdays <@ '{1,2,3,4,5,6,7}'::smallint[]),
  add column dry_run boolean not null default false,
  -- What became due before the last dry run ended waits for the person's word.
  add column dry_run_ended_at timestamptz,
  -- Null is the product's own words.
  add column opt_out_words text[],
  add column exclude_contacts boolean not null default false,
  add column language text not null default 'en';

-- A dry run writes what it would have sent.
alter table public.ledger
  drop constraint ledger_state_check,
  add constraint ledger_state_check check (state in ('sent', 'skipped', 'failed', 'unknown', 'cancelled', 'would_send'));
