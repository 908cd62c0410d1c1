-- Requests for login codes are limited by the same buckets as everything else.
drop table public.telegram_code_requests;
