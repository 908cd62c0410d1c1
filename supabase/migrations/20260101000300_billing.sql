-- Who may use the product, and how the card provider's facts become that. Only the server writes here.

-- One row a user: what the provider said last. `status` follows the product's rule, `provider_status` is the provider's own word.
create table public.subscriptions (
  user_id uuid primary key references auth.users (id) on delete cascade,
  status text not null,
  provider_status text,
  plan text,
  current_period_end timestamptz,
  trial_ends_at timestamptz,
  cancel_at_period_end boolean not null default false,
  cancel_at timestamptz,
  canceled_at timestamptz,
  next_billing_at timestamptz,
  expires_at timestamptz,
  past_due_since timestamptz,
  provider_customer_id text,
  provider_subscription_id text,
  stripe_subscription_id text,
  price_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- The one customer of a user at the provider. The row is claimed before the provider is asked, so two clicks make one customer.
create table public.billing_customers (
  user_id uuid primary key references auth.users (id) on delete cascade,
  email text not null,
  -- Raised when the provider lost the customer, so that the next one is asked for under a new idempotency key.
  generation integer not null default 1,
  customer_id text unique,
  had_subscription boolean not null default false,
  -- Reads of the provider are numbered when they start; a read older than the applied one is dropped.
  fetches bigint not null default 0,
  applied_fetch bigint not null default 0,
  created_at timestamptz not null default now()
);

-- The checkout a user may have open. `attempt` names it in the idempotency key, so two tabs get the same one.
create table public.billing_checkouts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  attempt integer not null default 1,
  session_id text unique,
  updated_at timestamptz not null default now()
);

-- Events of the provider by their own ids: each has its effect once.
create table public.billing_events (
  id text primary key,
  type text not null,
  customer_id text,
  received_at timestamptz not null,
  processed_at timestamptz
);
create index billing_events_received_idx on public.billing_events (received_at);

-- The rule of access, word for word that of domain/subscription.ts.
create function public.has_access(
  status text, expires_at timestamptz, current_period_end timestamptz, cancel_at_period_end boolean, at timestamptz
) returns boolean language sql immutable parallel safe as $$
  select coalesce(status in ('active', 'trialing'), false)
    and coalesce(coalesce(expires_at, case when cancel_at_period_end then current_period_end end) > at, true)
$$;

-- The same for a user's row; no row means no access.
create function public.has_access(of_user uuid, at timestamptz) returns boolean language sql stable parallel safe as $$
  select coalesce((
    select public.has_access(s.status, s.expires_at, s.current_period_end, s.cancel_at_period_end, at)
    from public.subscriptions s where s.user_id = of_user
  ), false)
$$;

do $$
declare name text;
begin
  foreach name in array array['subscriptions', 'billing_customers', 'billing_checkouts', 'billing_events'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on public.%I from anon, authenticated', name);
  end loop;
end $$;

grant select on public.subscriptions to authenticated;
create policy owner_reads on public.subscriptions for select to authenticated using (user_id = (select auth.uid()));
