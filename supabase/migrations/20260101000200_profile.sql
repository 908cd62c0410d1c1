-- The users row is the one thing a browser writes by itself: bounded, and writable by upsert, whose statement names the key too.
alter table public.users
  add constraint users_name_length check (char_length(name) <= 200),
  add constraint users_email_length check (char_length(email) <= 320);
grant update (id) on public.users to authenticated;
