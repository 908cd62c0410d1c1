import { msg, plural } from "@lingui/core/runtime-macro";
import type { UiText } from "./ui-text.ts";

const LIMITS = {
  guesses: () => msg`Too many failed attempts. Wait a moment and try again.`,
  sign_ups: () => msg`Too many sign-ups from your network. Try again later.`,
  one_mail: () => msg`For security purposes, you can only request this once a minute.`,
  mails: () => msg`Too many e-mails were requested from your network. Try again later.`,
  exports: () => msg`You have exported your data several times just now. Try again in a few minutes.`,
  imports: () => msg`You have imported several files just now. Try again in a few minutes.`,
  qr_logins: () => msg`You have asked for several QR codes just now. Try again in a moment.`,
};

/** What was requested too often. */
export type RateLimitedAction = keyof typeof LIMITS;

/** What a sentence names beside its reason. */
type Named = { field?: string; limit?: number };

const INVALID = {
  missing: ({ field }: Named) => msg`${{ field }} is missing.`,
  email: () => msg`Unable to validate email address: invalid format`,
  password_too_long: ({ limit }: Named) =>
    msg`A password can have ${plural({ limit }, { one: "{limit} character", other: "{limit} characters" })} at most.`,
  data_object: () => msg`data must be an object.`,
  data_too_long: ({ limit }: Named) =>
    msg`data can have ${plural({ limit }, { one: "{limit} character", other: "{limit} characters" })} at most.`,
  data_characters: () => msg`data holds characters that cannot be stored.`,
  value: () => msg`The request holds a value that cannot be stored.`,
  too_large: () => msg`That is larger than this call accepts.`,
  resend: () => msg`Only the sign-up e-mail can be sent again.`,
  logout_scope: () => msg`Unsupported logout scope`,
  pkce: () => msg`The PKCE flow is not offered here. Use the implicit flow.`,
};

const WEAK = {
  length: ({ limit }: Named) =>
    msg`Password should be at least ${plural({ limit }, { one: "{limit} character", other: "{limit} characters" })}.`,
  characters: () => msg`Choose a password that is not your e-mail address or one character repeated.`,
};

const BAD_JSON = {
  object: () => msg`Send a JSON object.`,
  unreadable: () => msg`The request could not be read. Send valid JSON.`,
};

const BAD_JWT = {
  foreign: () => msg`This access token is not one of ours. Sign in again.`,
  unreadable: () => msg`This access token cannot be read. Sign in again.`,
  expired: () => msg`Your sign-in has expired. Refresh it or sign in again.`,
  none: () => msg`Sign in to go on.`,
};

const FAILURES = {
  busy: () => msg`The server is busy. Try again in a few seconds.`,
  ours: () => msg`Something went wrong on our side. Please try again.`,
};

/** The messages of the sign-in's errors, by code; `reason` tells apart the sentences of one code. */
export const SIGN_IN_PROBLEMS = {
  bad_json: ({ reason }: { reason: keyof typeof BAD_JSON }) => BAD_JSON[reason](),
  bad_jwt: ({ reason }: { reason: keyof typeof BAD_JWT }) => BAD_JWT[reason](),
  current_password_mismatch: () => msg`The current password is not right.`,
  database_away: () => msg`The database cannot be reached right now. Try again in a few seconds.`,
  email_exists: () => msg`A user with this email address has already been registered`,
  email_not_configured: () =>
    msg`This server sends no e-mail, so it cannot send you a link. Ask the person who runs it for help.`,
  email_not_confirmed: () => msg`Email not confirmed`,
  email_send_failed: () => msg`The confirmation e-mail could not be sent. Try again in a minute.`,
  invalid_credentials: () => msg`Invalid login credentials`,
  invalid_grant: () => msg`unsupported_grant_type`,
  no_authorization: () => msg`This endpoint requires a Bearer token`,
  not_found: () => msg`There is no such sign-in call here.`,
  otp_expired: () => msg`Email link is invalid or has expired`,
  over_request_rate_limit: ({ reason }: { reason: keyof typeof LIMITS }) => LIMITS[reason](),
  refresh_token_already_used: () => msg`Invalid Refresh Token: Already Used. Please sign in again.`,
  refresh_token_not_found: () => msg`Invalid Refresh Token: Refresh Token Not Found`,
  same_password: () => msg`New password should be different from the old password.`,
  session_not_found: () => msg`This session has ended. Sign in again.`,
  sign_in_away: () => msg`The sign-in service cannot be reached right now. Try again in a few seconds.`,
  token_expired: () => msg`Your sign-in has expired. Refresh it or sign in again.`,
  unauthorized: () => msg`Sign in to go on.`,
  unexpected_failure: ({ reason }: { reason: keyof typeof FAILURES }) => FAILURES[reason](),
  upstream_away: () => msg`Sign-in and data cannot be reached right now. Try again in a few seconds.`,
  user_already_exists: () => msg`User already registered`,
  user_not_found: () => msg`User from sub claim in JWT does not exist`,
  validation_failed: ({ reason, ...named }: Named & { reason: keyof typeof INVALID }) => INVALID[reason](named),
  weak_password: ({ reason, ...named }: Named & { reason: keyof typeof WEAK }) => WEAK[reason](named),
} as const satisfies Record<string, (params: never) => UiText>;
