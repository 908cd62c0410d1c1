-- A user without a choice gets the browser's language. So far there was English alone, which was no choice.
alter table public.user_settings alter column language drop not null, alter column language drop default;
update public.user_settings set language = null where language = 'en';
