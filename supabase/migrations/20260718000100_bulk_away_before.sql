-- A running bulk job that was already away when absences began to be noted: it is away since its session or its access ended.
update public.bulk_jobs j set away_since = a.since
from (
  select r.id, least(
    case when not exists (select from public.telegram_sessions t where t.user_id = r.owner_id and t.state = 'connected')
      then coalesce((select max(t.ended_at) from public.telegram_sessions t where t.user_id = r.owner_id), now()) end,
    case when not public.has_access(r.owner_id, now())
      then coalesce((
        select least(now(), coalesce(s.expires_at, case when s.cancel_at_period_end then s.current_period_end end,
          s.canceled_at, s.current_period_end))
        from public.subscriptions s where s.user_id = r.owner_id
      ), now()) end
  ) as since
  from public.bulk_jobs r where r.status = 'in_progress' and r.away_since is null
) a
where j.id = a.id and a.since is not null;
