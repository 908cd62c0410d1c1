-- The rule of /rest/v1 at a Supabase project's own address: counts and the newest lead need access, other product rows are not read there.
revoke select on public.leads, public.stages, public.telegram_sessions, public.followups, public.reminders, public.user_settings
  from authenticated;
grant select (id, owner_id, created_at) on public.leads to authenticated;
grant select (id, owner_id) on public.stages to authenticated;
grant select (id, user_id) on public.telegram_sessions to authenticated;

do $$
declare name text;
begin
  foreach name in array array['leads', 'stages', 'telegram_sessions', 'followups', 'reminders', 'user_settings'] loop
    execute format('drop policy owner_reads on public.%I', name);
  end loop;
  foreach name in array array['leads', 'stages'] loop
    execute format('create policy subscriber_reads on public.%I for select to authenticated
      using (owner_id = (select auth.uid()) and (select public.has_access(auth.uid(), now())))', name);
  end loop;
end $$;
create policy subscriber_reads on public.telegram_sessions for select to authenticated
  using (user_id = (select auth.uid()) and state = 'connected' and (select public.has_access(auth.uid(), now())));
