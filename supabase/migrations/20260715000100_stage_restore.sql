-- A deleted stage can be brought back for a minute, and its leads are held where they went.

-- The deleted stage that a lead came from while it is held for that, until it is resumed or moved by hand.
alter table public.leads add column held_from uuid;
create index leads_held_from_idx on public.leads (held_from, created_at, id) where held_from is not null;

-- A row stays while leads move, and for the minute in which the stage can be brought back.
alter table public.stage_removals
  add column state text not null default 'moving' check (state in ('moving', 'moved', 'returning')),
  -- The stage's whole row, its steps with their places, and its rules with whether they were on. Null for one deleted before this.
  add column stage jsonb,
  add column steps jsonb not null default '[]',
  add column rules jsonb not null default '[]';
