import type { Json } from "./schemas.ts";

/** What each code of a refusal means. Codes are for programs and stay; the words of a refusal are for people. */
export const CODES = {
  bad_request: "The request could not be read: send valid JSON.",
  unauthorized: "Sign in, or send a key as Bearer.",
  token_expired: "The session's token ran out: refresh it.",
  session_not_found: "The session has ended: sign in again.",
  bad_jwt: "The token is none of ours.",
  subscription_required: "The account has no active subscription.",
  missing_scope: "The key lacks the scope that this call needs.",
  key_not_accepted: "This call takes no key: sign in in the browser.",
  not_found: "There is nothing under that address, or it is somebody else's.",
  request_timeout: "The request took too long to arrive.",
  too_large: "The body is larger than this call accepts.",
  file_too_large: "The file is larger than this call accepts.",
  unsupported_media_type: "This call takes another content type, or no such file.",
  invalid_input: "A value cannot be taken; `fields` names it.",
  key_needed: "Only a key opens this door.",
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
  account_not_empty: "An export is imported only into an account in which nothing was done yet.",
  account_waits: "Telegram makes the account wait.",
  archive_broken: "The zip does not hold together: the words name what, and where.",
  archive_changed: "A file of the zip is another than its manifest says.",
  archive_newer: "The zip is of a later format than this server reads.",
  archive_unknown: "The zip is none of ours.",
  batch_running: "Another action on many leads is under way.",
  being_erased: "What was stored is being erased: try again in a minute.",
  being_sent: "It is being sent right now.",
  bulk_running: "A bulk message is being sent already.",
  card_provider_answer: "The card provider gave an address that is not followed.",
  card_provider_away: "The card provider does not answer.",
  changed_meanwhile: "What is to be changed was changed by somebody else meanwhile: read it again.",
  channel_refused: "The channel does not take our messages.",
  checkout_open: "The checkout was not paid.",
  code_expired: "The code is no longer valid.",
  code_invalid: "The code is not right.",
  duplicate_order: "The stage has a follow-up with that order.",
  field_name_taken: "Another field has that name.",
  fields_changed: "Your fields changed meanwhile: send the file again.",
  file_away: "The file cannot be fetched from Telegram now.",
  media_full: "The account's files take up as much as they may.",
  files_wait: "Telegram makes the account wait before more files are fetched.",
  import_running: "Chats are being imported already.",
  last_stage_in_use: "Leads stand in the last stage.",
  login_expired: "The login took too long: start again.",
  login_refused: "Telegram refused the login.",
  message_refused: "Telegram refuses this message.",
  no_customer: "There is nothing to manage yet: subscribe first.",
  no_step_left: "The lead has no follow-up left in its stage.",
  no_targets: "No lead is named by it.",
  not_connected: "No Telegram account is connected.",
  not_sent: "Telegram could not be reached; nothing was sent.",
  option_in_use: "Leads hold a removed option: say where they go.",
  other_login: "Another login is under way.",
  outcome_unknown: "Whether it was sent is not known yet; the ledger will say.",
  password_invalid: "The password is not right.",
  phone_banned: "Telegram has banned the phone.",
  phone_flood: "Telegram wants a day's rest for this phone.",
  phone_invalid: "Telegram does not know the phone.",
  phone_unregistered: "The phone has no Telegram account.",
  qr_expired: "The QR code was not scanned in time.",
  resume_too_early: "Telegram's limit is too young to resume.",
  row_unreadable: "A row of the file cannot be read; `fields` names it.",
  stale: "Something else was saved since the version in If-Match; `current` holds what is stored now.",
  stage_name_taken: "Another stage has that name.",
  subscription_not_ended: "The subscription could not be ended, so nothing was deleted.",
  tag_name_taken: "Another tag has that name.",
  telegram_connected: "Telegram is connected to the account: disconnect it first.",
  telegram_app_refused: "Telegram does not accept this server.",
  telegram_unreachable: "Telegram does not answer.",
  login_not_saved: "Telegram accepted the login, but it could not be stored.",
  too_many_codes: "Too many codes were asked for.",
  too_many_keys: "There are as many keys as there may be.",
  too_many_fields: "There are as many fields as there may be.",
  too_many_followups: "There are as many follow-ups as there may be.",
  too_many_reminders: "There are as many reminders as there may be.",
  too_many_snippets: "There are as many snippets as there may be.",
  too_many_stages: "There are as many stages as there may be.",
  too_many_tags: "There are as many tags as there may be.",
  too_many_views: "There are as many views as there may be.",
  too_many_webhooks: "There are as many webhooks as there may be.",
  undo_too_late: "It cannot be taken back any more.",
  unreachable: "The person cannot be written to.",
  view_name_taken: "Another view has that name.",
  webhook_disabled: "The webhook is switched off: switch it on first.",
  wrong_address: "A page of another address calls, or the server is not known by the name that it was called by.",
} as const;
export type Code = keyof typeof CODES;
/** Codes by status. */
export type Refuses = Readonly<Partial<Record<number, readonly Code[]>>>;

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: "Cannot be read",
  401: "Not signed in",
  402: "Not subscribed",
  403: "Not with this key",
  404: "Nothing there",
  408: "Took too long",
  409: "Not as things stand",
  412: "Changed meanwhile",
  413: "Too large",
  415: "Of another type",
  422: "Cannot be taken",
  429: "Too often",
  500: "Our fault",
  502: "Another's fault",
  503: "Not now",
};

const RETRIED = new Set([429, 503]);

/** What a status says wherever it is answered; other codes are a call's own. */
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

/** The name by which calls share a refusal, or null for one that is hardly shared. */
export function refusalName(status: number, codes: readonly Code[]): string | null {
  const own = codes.filter((code) => !USUAL.includes(code));
  return own.length > NAMED_AT_MOST ? null : `Refused${status}${own.map(pascal).join("")}`;
}

/** A refusal as an answer of the document. */
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
          properties: { code: { type: "string", enum: codes, description: "What a program decides by." } },
          examples: codes.slice(0, 1).map((code) => ({ message: CODES[code], code })),
        },
      },
    },
  };
}
