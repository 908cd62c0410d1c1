import type { Json } from "./schemas.ts";

/** The meaning of each error code. Codes never change; messages may. */
export const CODES = {
  bad_request: "The request could not be read: send valid JSON.",
  unauthorized: "Sign in, or send a key as Bearer.",
  token_expired: "The session's token ran out: refresh it.",
  session_not_found: "The session has ended: sign in again.",
  bad_jwt: "The token was not issued by this server.",
  subscription_required: "The account has no active subscription.",
  missing_scope: "The key lacks the scope that this call needs.",
  key_not_accepted: "This call does not accept API keys: sign in in the browser.",
  not_found: "It does not exist, or it belongs to another account.",
  request_timeout: "The request took too long to arrive.",
  too_large: "The body is larger than this call accepts.",
  file_too_large: "The file is larger than this call accepts.",
  unsupported_media_type: "This call does not accept this content type or file type.",
  invalid_input: "A value is invalid; `fields` names it.",
  key_needed: "This address accepts only API keys.",
  key_reused: "The Idempotency-Key was used for another request.",
  too_many_requests: "Too many calls in a short time.",
  over_request_rate_limit: "Too many calls in a short time.",
  database_away: "The database cannot be reached.",
  overloaded: "The server is busy.",
  restarting: "The server is restarting.",
  internal_error: "Something went wrong on our side.",
  account_importing: "An export is being imported: nothing can be changed until that is done.",
  account_in_use: "The Telegram account is connected to another account here.",
  account_limited: "Telegram limits the account: resume it first.",
  account_not_empty: "An archive can be imported only into an empty account.",
  account_waits: "Telegram requires the account to wait.",
  archive_broken: "The zip is inconsistent: the message says what is wrong, and where.",
  archive_changed: "A file of the zip differs from its manifest.",
  archive_newer: "The zip has a newer format than this server can read.",
  archive_unknown: "The zip is not a Leadloom archive.",
  batch_running: "Another action on many leads is in progress.",
  being_erased: "Stored data is being erased: try again in a minute.",
  being_sent: "It is being sent right now.",
  bulk_running: "A bulk message is being sent already.",
  card_provider_answer: "The card provider returned an address that is not allowed.",
  card_provider_away: "The card provider does not respond.",
  changed_meanwhile: "It was changed elsewhere in the meantime: read it again.",
  channel_refused: "The channel does not accept messages from this account.",
  checkout_open: "The checkout was not paid.",
  code_expired: "The code is no longer valid.",
  code_invalid: "The code is wrong.",
  duplicate_order: "The stage has a follow-up with that order.",
  field_name_taken: "Another field has that name.",
  fields_changed: "The custom fields were changed in the meantime: send the file again.",
  file_away: "The file cannot be fetched from Telegram now.",
  media_full: "The account's files use all of their space.",
  files_wait: "Telegram requires a pause before more files are fetched.",
  import_running: "Chats are being imported already.",
  last_stage_in_use: "The last stage has leads.",
  login_expired: "The login took too long: start again.",
  login_refused: "Telegram refused the login.",
  message_refused: "Telegram refuses this message.",
  no_customer: "There is nothing to manage yet: subscribe first.",
  no_step_left: "The lead has no follow-up left in its stage.",
  no_targets: "There are no recipients.",
  not_connected: "No Telegram account is connected.",
  not_sent: "Telegram could not be reached; nothing was sent.",
  option_in_use: "Leads have a removed option: choose a new one for them.",
  other_login: "Another login is in progress.",
  outcome_unknown: "It is not known yet whether it was sent; the ledger will show it.",
  password_invalid: "The password is wrong.",
  phone_banned: "Telegram has banned the phone.",
  phone_flood: "Telegram requires a pause of a day for this phone.",
  phone_invalid: "Telegram does not know the phone.",
  phone_unregistered: "The phone has no Telegram account.",
  qr_expired: "The QR code was not scanned in time.",
  resume_too_early: "Telegram's limit is too recent to resume.",
  row_unreadable: "A row of the file cannot be read; `fields` names it.",
  stale: "Something else was saved since the version in If-Match; `current` holds what is stored now.",
  stage_name_taken: "Another stage has that name.",
  subscription_not_ended: "The subscription could not be ended, so nothing was deleted.",
  tag_name_taken: "Another tag has that name.",
  telegram_connected: "Telegram is connected to the account: disconnect it first.",
  telegram_app_refused: "Telegram does not accept this server.",
  telegram_unreachable: "Telegram does not respond.",
  login_not_saved: "Telegram accepted the login, but it could not be stored.",
  too_many_codes: "Too many codes were requested.",
  too_many_keys: "The maximum number of keys is reached.",
  too_many_fields: "The maximum number of fields is reached.",
  too_many_followups: "The maximum number of follow-ups is reached.",
  too_many_reminders: "The maximum number of reminders is reached.",
  too_many_snippets: "The maximum number of snippets is reached.",
  too_many_stages: "The maximum number of stages is reached.",
  too_many_tags: "The maximum number of tags is reached.",
  too_many_views: "The maximum number of views is reached.",
  too_many_webhooks: "The maximum number of webhooks is reached.",
  undo_too_late: "It can no longer be undone.",
  unreachable: "The person cannot receive messages.",
  view_name_taken: "Another view has that name.",
  webhook_disabled: "The webhook is switched off: switch it on first.",
  wrong_address: "The request comes from a page of another origin, or uses an unknown host name.",
} as const;
export type Code = keyof typeof CODES;
export type Refuses = Readonly<Partial<Record<number, readonly Code[]>>>;

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: "Malformed request",
  401: "Not signed in",
  402: "Not subscribed",
  403: "Not allowed",
  404: "Not found",
  408: "Timeout",
  409: "Conflict",
  412: "Changed in the meantime",
  413: "Too large",
  415: "Wrong type",
  422: "Invalid",
  429: "Too many requests",
  500: "Server error",
  502: "External service failed",
  503: "Unavailable",
};

const RETRIED = new Set([429, 503]);

/** Codes that many calls share. */
const USUAL: readonly Code[] = [
  "bad_request",
  "unauthorized",
  "token_expired",
  "session_not_found",
  "bad_jwt",
  "subscription_required",
  "missing_scope",
  "not_found",
  "account_importing",
  "too_large",
  "unsupported_media_type",
  "invalid_input",
  "too_many_requests",
  "overloaded",
  "restarting",
  "database_away",
];
const NAMED_AT_MOST = 2;

const pascal = (code: string): string => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The name of a response that several calls share; null if few do. */
export function refusalName(status: number, codes: readonly Code[]): string | null {
  const own = codes.filter((code) => !USUAL.includes(code));
  return own.length > NAMED_AT_MOST ? null : `Refused${status}${own.map(pascal).join("")}`;
}

/** An error response of the document. */
export function refusal(status: number, codes: readonly Code[]): Json {
  return {
    description: `${STATUS_TEXTS[status] ?? "Refused"}. ${codes.map((code) => `\`${code}\`: ${CODES[code]}`).join(" ")}`,
    ...(RETRIED.has(status) ? { headers: { "Retry-After": { $ref: "#/components/headers/RetryAfter" } } } : {}),
    content: {
      "application/json": {
        schema: {
          allOf: [{ $ref: "#/components/schemas/Problem" }],
          type: "object",
          required: ["code"],
          properties: { code: { type: "string", enum: codes, description: "The code, for programs." } },
          examples: codes.slice(0, 1).map((code) => ({ message: CODES[code], code })),
        },
      },
    },
  };
}
