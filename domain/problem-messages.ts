import { msg, plural } from "@lingui/core/runtime-macro";
import type { OptionInUse } from "./option-in-use.ts";
import { ARCHIVE_PROBLEMS } from "./archive-problems.ts";
import { INPUT_PROBLEMS } from "./input-problems.ts";
import { contentMessage, notSentMessage, STOPPED_MESSAGE } from "./refusal-messages.ts";
import { type RowProblem, rowText } from "./row-problems.ts";
import { SIGN_IN_PROBLEMS } from "./sign-in-problems.ts";
import { reasonOf } from "./stored-reasons.ts";
import { anyOf, quoted } from "./lists.ts";
import type { UiText, UiTextOrString } from "./ui-text.ts";

/** The remaining time, rounded up: '42 seconds', '3 minutes', '2 hours'. */
function timeLeft(seconds: number): UiText {
  if (seconds < 120) return msg`${plural({ count: Math.ceil(seconds) }, { one: "# second", other: "# seconds" })}`;
  if (seconds < 7_200)
    return msg`${plural({ count: Math.ceil(seconds / 60) }, { one: "# minute", other: "# minutes" })}`;
  return msg`${plural({ count: Math.ceil(seconds / 3_600) }, { one: "# hour", other: "# hours" })}`;
}

type ChannelVerdict = {
  channel: string;
  verdict: string;
  verdict_code?: string | null;
  verdict_params?: Record<string, unknown>;
};
type Seconds = { seconds: number };
type Limit = { limit: number };
/** Distinguishes the sentences of one code. */
type Reason<Sentences> = { reason: keyof Sentences };

const BAD_REQUEST = {
  address: () => msg`That address could not be read.`,
  nested: () => msg`The request is nested too deeply.`,
  unreadable: () => msg`The request could not be read. Send valid JSON.`,
  given_up: () => msg`The caller hung up before the answer.`,
  empty: () => msg`The request is empty. Send a JSON-RPC message.`,
};

const BUSY = {
  server: () => msg`The server is busy. Try again in a few seconds.`,
  stopping: () => msg`The server is busy or restarting. Try again in a few seconds.`,
  reads: () => msg`Your other calls are still being answered. Try again in a few seconds.`,
  lists: () => msg`Large lists are being read. Try again in a few seconds.`,
  preflights: () => msg`Other bulk messages are being looked at. Try again in a few seconds.`,
  forecasts: () => msg`Too many forecasts are being worked out. Try again in a few seconds.`,
  lead_exports: () => msg`Other lists of leads are being exported. Try again in a few seconds.`,
  lead_imports: () => msg`Other files of leads are being read. Try again in a few seconds.`,
  previews: () => msg`Other keywords are being tried. Try again in a few seconds.`,
  exports: () => msg`Other exports are being put together. Try again in a few seconds.`,
  imports: () => msg`Other exports are being read. Try again in a few seconds.`,
};
/** What the server is busy with. */
export type BusyWith = keyof typeof BUSY;

const TOO_MANY_REQUESTS = {
  ...BUSY,
  attempts: () => msg`Too many attempts. Wait a moment and try again.`,
  calls: () => msg`Too many calls in a short time. Slow down and try again.`,
  requests: () => msg`Too many requests. Wait a moment and try again.`,
  tabs: () => msg`Too many open tabs. Close some and reload.`,
  telegram: ({ seconds }: Partial<Seconds>) =>
    msg`Telegram asks to wait ${{ time: timeLeft(seconds ?? 0) }} before the next try.`,
};

const TOO_LARGE = {
  body: () => msg`That is larger than this call accepts.`,
  media: () => msg`File too large. Max 10MB allowed.`,
  messages: ({ limit }: Partial<Limit>) => msg`Send ${{ limit }} messages at once at most.`,
};

const FILE_TOO_LARGE = {
  leads: ({ megabytes }: { megabytes: number }) =>
    msg`The file is larger than ${{ megabytes }} MB. Split it and import the parts one after another.`,
  export: ({ megabytes }: { megabytes: number }) =>
    msg`The file is larger than ${{ megabytes }} MB. Who runs this installation can allow more (ACCOUNT_IMPORT_MAX_MB).`,
};

const UNSUPPORTED = {
  json: () => msg`This call does not take that content type. Send application/json.`,
  media: () => msg`Attach a picture (PNG, JPEG, GIF, WebP) or a video (MP4, MOV, WebM).`,
};

const NOT_CONNECTED = {
  account: () => msg`Connect a Telegram account first.`,
  file: () => msg`This file belongs to a Telegram account that is not connected now. Connect that account to see it.`,
  import: () => msg`No Telegram account is connected. Connect one, then import its chats.`,
  send: () => msg`No Telegram account is connected. Connect one and send again.`,
};

const NO_STEP_LEFT = {
  send: () => msg`This lead has got every follow-up of its stage.`,
  skip: () => msg`This lead has no follow-up left that could be skipped.`,
};

const UNDO_TOO_LATE = {
  batch: () => msg`This cannot be taken back any more.`,
  move: () => msg`This stage change cannot be taken back any more. Choose the stage again.`,
};

const OTHER_LOGIN = {
  code: () => msg`A login by code is under way. Start the QR login again.`,
  qr: () => msg`A login by QR is under way. Ask for a code again.`,
};

const PASSWORD_INVALID = {
  own: () => msg`That is not your password.`,
  two_step: ({ hint }: { hint?: string | null }) =>
    hint == null ? msg`That password is not right.` : msg`That password is not right. Its hint is: ${{ hint }}.`,
};

const PHONE_FLOOD = {
  codes: () => msg`Too many codes were asked for this phone. Try again in a day.`,
  tries: () => msg`Too many wrong tries for this account. Try again in a day.`,
};

const TOO_MANY_CODES = {
  address: (time: UiText) => msg`Too many codes were asked from here. Ask again in ${{ time }}.`,
  minute: (time: UiText) => msg`A code was sent moments ago. Use it, or ask again in ${{ time }}.`,
  phone: (time: UiText) => msg`Too many codes were asked for this phone. Ask again in ${{ time }}.`,
};

const TELEGRAM_CONNECTED = {
  connected: () => msg`Disconnect Telegram first, import your export, then connect it again.`,
  connecting: () => msg`Telegram is being connected. Import your export before you connect it.`,
};

const WRONG_ADDRESS = {
  host: () => msg`This server is not known by that name. Call the address that PUBLIC_URL names.`,
  origin: () => msg`Pages of other addresses may not call this. Call the address that PUBLIC_URL names.`,
};

const TOO_MANY_TAGS = {
  one: ({ limit }: Limit) =>
    msg`There are ${plural({ limit }, { one: "# tag", other: "# tags" })}, which is the most. Delete a tag first.`,
  file: ({ limit }: Limit) =>
    msg`There would be more than ${plural({ limit }, { one: "# tag", other: "# tags" })}. Name fewer new ones in the file.`,
};

const FIELD_NAME_TAKEN = {
  new: () => msg`Another field has that name already. Choose a different one.`,
  restored: () => msg`Another field has this name by now. Rename it, then bring this one back.`,
};
const TAG_NAME_TAKEN = {
  new: () => msg`Another tag has that name already. Choose a different one.`,
  restored: () => msg`Another tag has this name by now. Rename it, then bring this one back.`,
};
const VIEW_NAME_TAKEN = {
  new: () => msg`Another view has that name already. Choose a different one.`,
  restored: () => msg`Another view has this name by now. Rename it, then bring this one back.`,
};

/** What an account holds, by kind. Counts end at 1,000. */
const HELD = {
  leads: (count: number) => msg`${plural({ count }, { 1000: "1,000 or more leads", one: "# lead", other: "# leads" })}`,
  messages: (count: number) =>
    msg`${plural({ count }, { 1000: "1,000 or more messages", one: "# message", other: "# messages" })}`,
  followups: (count: number) =>
    msg`${plural({ count }, { 1000: "1,000 or more follow-ups", one: "# follow-up", other: "# follow-ups" })}`,
  tags: (count: number) => msg`${plural({ count }, { 1000: "1,000 or more tags", one: "# tag", other: "# tags" })}`,
  fields: (count: number) =>
    msg`${plural({ count }, { 1000: "1,000 or more fields", one: "# field", other: "# fields" })}`,
  views: (count: number) => msg`${plural({ count }, { 1000: "1,000 or more views", one: "# view", other: "# views" })}`,
  snippets: (count: number) =>
    msg`${plural({ count }, { 1000: "1,000 or more snippets", one: "# snippet", other: "# snippets" })}`,
  reminders: (count: number) =>
    msg`${plural({ count }, { 1000: "1,000 or more reminders", one: "# reminder", other: "# reminders" })}`,
  excluded_people: (count: number) =>
    msg`${plural({ count }, { 1000: "1,000 or more excluded people", one: "# excluded person", other: "# excluded people" })}`,
  bulk_messages: (count: number) =>
    msg`${plural({ count }, { 1000: "1,000 or more bulk messages", one: "# bulk message", other: "# bulk messages" })}`,
  sent_messages: (count: number) =>
    msg`${plural({ count }, { 1000: "1,000 or more sent messages", one: "# sent message", other: "# sent messages" })}`,
  lines_of_history: (count: number) =>
    msg`${plural({ count }, { 1000: "1,000 or more lines of history", one: "# line of history", other: "# lines of history" })}`,
  files: (count: number) => msg`${plural({ count }, { 1000: "1,000 or more files", one: "# file", other: "# files" })}`,
  stages: (count: number) =>
    msg`${plural({ count }, { 1000: "1,000 or more stages", one: "# stage", other: "# stages" })}`,
};

const listed = ([first = "", ...more]: readonly UiTextOrString[]): UiTextOrString =>
  more.length === 0 ? first : msg`${{ first }}, ${{ others: listed(more) }}`;

/** The messages of the API's errors, by code. The server words them in English, the page in its own language. */
export const PROBLEM_MESSAGES = {
  ...SIGN_IN_PROBLEMS,
  ...INPUT_PROBLEMS,
  ...ARCHIVE_PROBLEMS,
  account_importing: () => msg`Your export is being imported. Nothing can be changed until the import finishes.`,
  account_in_use: () =>
    msg`This Telegram account is already connected to another Leadloom account. Disconnect it there first.`,
  account_limited: () => STOPPED_MESSAGE,
  account_not_empty: ({ found }: { found: readonly { kind: keyof typeof HELD; n: number }[] }) =>
    msg`This account is not empty: it has ${{ found: listed(found.map(({ kind, n }) => HELD[kind](n))) }}. An export can only be imported into a new account. Nothing was changed.`,
  account_waits: () => msg`Telegram asks this account to wait before it sends again. Try again later.`,
  bad_request: ({ reason }: Reason<typeof BAD_REQUEST>) => BAD_REQUEST[reason](),
  bad_signature: () => msg`The signature does not match this body.`,
  batch_running: () => msg`This is still under way. Stop it, or wait until it is done, and take it back then.`,
  being_erased: () => msg`What was stored of this person is being erased. Try again in a minute.`,
  being_sent: () => msg`This follow-up is being sent right now, so it cannot be skipped any more.`,
  bulk_running: () => msg`A bulk message is already being sent. Please wait until it finishes.`,
  card_provider_answer: () => msg`The card provider gave an address we do not send you to.`,
  card_provider_away: () => msg`The card provider does not answer right now. Try again in a moment.`,
  changed_meanwhile: () =>
    msg`Someone else has changed this in the meantime. Read the lead again, and send a version that combines both changes.`,
  channel_refused: (refusal: ChannelVerdict) =>
    msg`Leadloom cannot post to ${{ channel: refusal.channel }}: ${{ verdict: reasonOf(refusal, "verdict") ?? "" }}`,
  checkout_open: () => msg`This checkout has not been paid. Go back to it, or start a new one.`,
  code_expired: () => msg`That code is no longer valid. Ask for a new one.`,
  code_invalid: () => msg`That code is not right. Check it and try again.`,
  duplicate_order: () => msg`This stage already has a follow-up with that order.`,
  field_name_taken: ({ reason }: Reason<typeof FIELD_NAME_TAKEN>) => FIELD_NAME_TAKEN[reason](),
  fields_changed: () => msg`Your fields were changed while the file was read. Import it again.`,
  file_away: () => msg`The file cannot be fetched from Telegram right now. Try again.`,
  file_too_large: ({ reason, megabytes }: Reason<typeof FILE_TOO_LARGE> & { megabytes: number }) =>
    FILE_TOO_LARGE[reason]({ megabytes }),
  files_wait: () => msg`Telegram asks to wait before more files are fetched.`,
  import_running: () => msg`Chats are being imported already. Wait until that is done, or cancel it.`,
  internal_error: () => msg`Something went wrong on our side. Nothing was lost; please try again.`,
  key_needed: () => msg`This endpoint requires an API key. Create one under Settings and send it as a Bearer token.`,
  key_not_accepted: () => msg`A key cannot do that. Sign in in the browser, and do it there yourself.`,
  key_reused: () => msg`This Idempotency-Key was used for another request. Take a new one for each message.`,
  last_stage_in_use: ({ leads }: { leads: number }) =>
    msg`This is the last stage and it holds ${plural({ leads }, { one: "{leads} lead", other: "{leads} leads" })}. Add another stage first.`,
  login_expired: () => msg`The login session expired. Start again.`,
  login_not_saved: () =>
    msg`Telegram accepted the login, but it could not be saved, so it was ended again. Try again in a moment.`,
  login_refused: ({ error }: { error: string }) => msg`Telegram refused the login (${{ error }}).`,
  media_full: ({ megabytes }: { megabytes: number }) =>
    msg`Your files may take up ${plural({ megabytes }, { one: "# MB", other: "# MB" })} in all. Delete a follow-up or a snippet with a file first: a file that nothing uses is gone a day later.`,
  message_refused: ({ reason }: { reason: string }) => contentMessage(reason),
  method_not_allowed: () => msg`This address does not take that method.`,
  missing_scope: ({ scopes }: { scopes: readonly string[] }) =>
    msg`This key may not do that: it needs the scope ${{ scopes: anyOf(scopes) }}. Call with a key that has it; keys are made in Settings.`,
  no_customer: () => msg`There is nothing to manage yet. Subscribe first.`,
  no_step_left: ({ reason }: Reason<typeof NO_STEP_LEFT>) => NO_STEP_LEFT[reason](),
  no_targets: () => msg`No Leads In Stage.`,
  not_connected: ({ reason }: Reason<typeof NOT_CONNECTED>) => NOT_CONNECTED[reason](),
  not_found: () => msg`There is nothing here under that address. It may have been deleted.`,
  not_sent: () => msg`The message was not sent: the connection to Telegram is busy or away. Try again.`,
  option_in_use: ({ leads, options }: OptionInUse) =>
    msg`${plural({ leads }, { one: "{leads} lead holds", other: "{leads} leads hold" })} ${{ options: quoted(options) }}. Say in move_to which option they get instead, or null to leave them without.`,
  other_login: ({ reason }: Reason<typeof OTHER_LOGIN>) => OTHER_LOGIN[reason](),
  outcome_unknown: () =>
    msg`Telegram has not confirmed the message yet; it may still go out. Look at the lead again in a minute before sending once more.`,
  overloaded: ({ reason }: Reason<typeof BUSY>) => BUSY[reason](),
  password_invalid: ({ reason, hint }: Reason<typeof PASSWORD_INVALID> & { hint?: string | null }) =>
    PASSWORD_INVALID[reason]({ hint: hint ?? null }),
  phone_banned: () => msg`Telegram has banned this phone number. Appeal in the Telegram app.`,
  phone_flood: ({ reason }: Reason<typeof PHONE_FLOOD>) => PHONE_FLOOD[reason](),
  phone_invalid: () => msg`Telegram does not know this phone number. Check the country code.`,
  phone_unregistered: () => msg`This phone has no Telegram account yet. Sign up in the Telegram app first.`,
  qr_expired: () => msg`The QR code was not scanned in time. Start again.`,
  request_timeout: () => msg`The request took too long to arrive. Try again.`,
  restarting: () => msg`The server is restarting. Try again in a few seconds.`,
  resume_too_early: ({ seconds }: Seconds) =>
    msg`Telegram has limited this account. Resume in ${{ time: timeLeft(seconds) }} at the earliest.`,
  row_unreadable: ({ row, problem }: { row: number; problem: RowProblem }) =>
    msg`Row ${{ row }}: ${{ problem: rowText(problem) }}`,
  stage_name_taken: () => msg`Another stage has that name already. Choose a different one.`,
  stale: () =>
    msg`This was changed elsewhere after you read it. Nothing was saved. Compare your version with the current one, then save again.`,
  subscription_not_ended: () =>
    msg`Your subscription could not be ended right now, so nothing was deleted. Try again in a minute.`,
  subscription_required: () => msg`An active subscription is needed for this. Open Billing to subscribe.`,
  tag_name_taken: ({ reason }: Reason<typeof TAG_NAME_TAKEN>) => TAG_NAME_TAKEN[reason](),
  telegram_app_refused: () =>
    msg`Telegram does not accept this server's application id. Its operator must get one of his own at my.telegram.org.`,
  telegram_connected: ({ reason }: Reason<typeof TELEGRAM_CONNECTED>) => TELEGRAM_CONNECTED[reason](),
  telegram_unreachable: () => msg`Telegram does not answer right now. Try again in a moment.`,
  too_large: ({ reason, limit }: Reason<typeof TOO_LARGE> & Partial<Limit>) => TOO_LARGE[reason]({ limit: limit ?? 0 }),
  too_many_codes: ({ reason, seconds }: Reason<typeof TOO_MANY_CODES> & Seconds) =>
    TOO_MANY_CODES[reason](timeLeft(seconds)),
  too_many_fields: ({ limit }: Limit) =>
    msg`There are ${plural({ limit }, { one: "# field", other: "# fields" })}, which is the most. Delete a field first.`,
  too_many_followups: ({ limit }: Limit) =>
    msg`There are ${plural({ limit }, { one: "# follow-up", other: "# follow-ups" })}, which is the most. Delete a follow-up first.`,
  too_many_keys: ({ limit }: Limit) =>
    msg`There are ${plural({ limit }, { one: "# key", other: "# keys" })}, which is the most. Revoke one first.`,
  too_many_keywords: ({ characters, limit }: Limit & { characters: number }) =>
    msg`The keywords of all stages together have ${plural({ characters }, { one: "# character", other: "# characters" })}; ${plural({ limit }, { one: "# is the most", other: "# is the most" })}. Remove some, or shorten long phrases.`,
  too_many_reminders: ({ limit }: Limit) =>
    msg`There are ${plural({ limit }, { one: "# reminder", other: "# reminders" })}, which is the most. Delete a reminder first.`,
  too_many_requests: ({ reason, seconds }: Reason<typeof TOO_MANY_REQUESTS> & Partial<Seconds>) =>
    TOO_MANY_REQUESTS[reason]({ seconds: seconds ?? 0 }),
  too_many_snippets: ({ limit }: Limit) =>
    msg`There are ${plural({ limit }, { one: "# snippet", other: "# snippets" })}, which is the most. Delete a snippet first.`,
  too_many_stages: ({ limit }: Limit) =>
    msg`There are ${plural({ limit }, { one: "# stage", other: "# stages" })}, which is the most. Delete a stage first.`,
  too_many_tags: ({ reason, limit }: Reason<typeof TOO_MANY_TAGS> & Limit) => TOO_MANY_TAGS[reason]({ limit }),
  too_many_views: ({ limit }: Limit) =>
    msg`There are ${plural({ limit }, { one: "# view", other: "# views" })}, which is the most. Delete a view first.`,
  too_many_webhooks: ({ limit }: Limit) =>
    msg`There are ${plural({ limit }, { one: "# webhook", other: "# webhooks" })}, which is the most. Delete one first.`,
  undo_too_late: ({ reason }: Reason<typeof UNDO_TOO_LATE>) => UNDO_TOO_LATE[reason](),
  unreachable: ({ reason }: { reason: string }) => notSentMessage(reason),
  unsupported_media_type: ({ reason }: Reason<typeof UNSUPPORTED>) => UNSUPPORTED[reason](),
  view_name_taken: ({ reason }: Reason<typeof VIEW_NAME_TAKEN>) => VIEW_NAME_TAKEN[reason](),
  webhook_disabled: () => msg`This webhook is switched off. Switch it on first, then send again.`,
  wrong_address: ({ reason }: Reason<typeof WRONG_ADDRESS>) => WRONG_ADDRESS[reason](),
} as const satisfies Record<string, (params: never) => UiTextOrString>;
export type ProblemCode = keyof typeof PROBLEM_MESSAGES;
