-- What is looked up, or followed when a row it points to goes, has an index.
create index outbox_owner_idx on public.outbox (owner_id, id);
create index outbox_media_idx on public.outbox (media_id) where media_id is not null;
create index outbox_job_idx on public.outbox (job_id) where job_id is not null;
create index bulk_jobs_media_idx on public.bulk_jobs (media_id) where media_id is not null;
create index followups_media_idx on public.followups (media_id) where media_id is not null;
create index telegram_files_media_idx on public.telegram_files (media_id);
create index telegram_code_requests_user_idx on public.telegram_code_requests (user_id);
create index reminder_marks_lead_idx on public.reminder_marks (lead_id);

-- Of groups and channels nothing is kept but the channels of reminders.
delete from public.telegram_peer_references where chat_id < 0;
delete from public.telegram_state where key like 'updates\_channel:%';
delete from public.telegram_peers p using public.telegram_sessions s
where s.id = p.account_id and p.peer_id <> s.telegram_user_id
  and not exists (select from public.leads l where l.owner_id = s.user_id and l.telegram_user_id = p.peer_id)
  and not exists (select from public.messages m where m.owner_id = s.user_id and m.peer_user_id = p.peer_id)
  and not exists (select from public.reminders r where r.owner_id = s.user_id
    and (r.channel_id = p.peer_id::text or lower(ltrim(r.channel_id, '@')) = any(p.usernames)));
