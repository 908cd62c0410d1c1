import { msg, plural } from "@lingui/core/runtime-macro";
import { ARCHIVE_PROBLEMS } from "./archive-problems.ts";
import { INPUT_PROBLEMS } from "./input-problems.ts";
import { channelMessage, contentMessage, STOPPED_MESSAGE } from "./refusal-messages.ts";
import { readCoded, textOfCode } from "./coded.ts";
import type { ServerText, UiText, UiTextOrString } from "./ui-text.ts";

type Reason = { reason: string };
type Title = { title: string };
type Failure = { error: string };
type Username = { username: string };

/** Why something stopped, was switched off or was left out, by code: the server stores it, the page translates it. */
export const STORED_REASONS = {
  ...ARCHIVE_PROBLEMS,
  ...INPUT_PROBLEMS,
  account_limited: () => STOPPED_MESSAGE,
  message_refused: ({ reason }: Reason) => contentMessage(reason),
  channel_unreachable: ({ reason }: Reason) => channelMessage(reason),
  channel_is_person: () => msg`That is a person, not a channel or group.`,
  channel_not_found: () => msg`No channel or group was found under that name.`,
  channel_not_member: ({ title }: Title) => msg`The connected account is not a member of ${{ title }}.`,
  channel_no_posting: ({ title }: Title) => msg`The connected account may not post in ${{ title }}.`,
  channel_private: () => msg`That channel is private and the connected account is not a member.`,
  channel_refused: ({ error }: Failure) => msg`Telegram refused the channel (${{ error }}).`,
  rule_imported: () => msg`It came with an imported export and stays off until you switch it on.`,
  rule_stage_deleted: () => msg`Its stage was deleted.`,
  subscription_ended: () => msg`Your subscription had ended, so the rest was not sent.`,
  account_import_failed: () => msg`Your export could not be imported. Nothing was imported; try again.`,
  account_import_cancelled: () => msg`You cancelled the import. Nothing was imported.`,
  account_import_interrupted: () =>
    msg`The server stopped during the import. Nothing was imported; start the import again.`,
  chat_import_failed: () => msg`The chats could not be read. Start the import again; what was found stays.`,
  session_ended_elsewhere: () => msg`The session was ended from another device. Connect again to go on.`,
  session_unknown: () => msg`Telegram no longer knows this session. Connect again to go on.`,
  session_expired: () => msg`The session has expired at Telegram. Connect again to go on.`,
  session_duplicated: () =>
    msg`Telegram ended the session because it was used from two places at once. Connect again to go on.`,
  session_ended: ({ error }: Failure) => msg`Telegram ended the session (${{ error }}). Connect again to go on.`,
  session_without_access: () =>
    msg`Your subscription ended 30 days ago, so Leadloom logged out of Telegram. Subscribe and connect again to go on.`,
  session_disconnected: () => msg`You disconnected this account.`,
  session_replaced: () => msg`Another login took its place.`,
  account_deleted: () => msg`This Telegram account was deleted.`,
  account_banned: () => msg`Telegram has banned this account. Appeal in the Telegram app, then connect again.`,
  receiver_refused: ({ status }: { status: number }) => msg`The receiver answered ${{ status }}.`,
  receiver_redirected: ({ status }: { status: number }) =>
    msg`The receiver answered ${{ status }}: redirects are not followed.`,
  receiver_slow: ({ seconds }: { seconds: number }) =>
    msg`The receiver did not answer within ${plural({ seconds }, { one: "# second", other: "# seconds" })}.`,
  address_not_found: () => msg`The name of the address could not be found.`,
  address_not_public: () => msg`The address does not lead to the public internet.`,
  address_not_reached: () => msg`The address could not be reached.`,
  connection_refused: () => msg`The connection was refused.`,
  connection_closed: () => msg`The connection was closed without an answer.`,
  connection_failed: ({ error }: Failure) => msg`The connection failed (${{ error }}).`,
  certificate_expired: () => msg`The certificate has expired.`,
  secret_unreadable: () => msg`The signing secret could not be read.`,
  webhook_off_before: () => msg`The webhook was switched off before this could be delivered.`,
  delivery_dropped: ({ days }: { days: number }) =>
    msg`Dropped after ${plural({ days }, { one: "# day", other: "# days" })} without an active subscription.`,
  nothing_delivered: ({ last }: { last: string }) =>
    msg`Switched off: nothing could be delivered for three days. ${{ last: readReason(last).text }}`,
  username_of_several: ({ username }: Username) =>
    msg`Several leads have the username @${{ username }}. Name this one by its Telegram number.`,
  username_unknown: ({ username }: Username) => msg`No lead has the username @${{ username }}.`,
  number_unknown: ({ number }: { number: string }) => msg`No lead has the Telegram number ${{ number }}.`,
  row_names_nobody: () => msg`The row does not name a person.`,
  row_repeats: ({ row }: { row: number }) => msg`Same person as in row ${{ row }}. Only that row counts.`,
} as const satisfies Record<string, (params: never) => UiText>;

/** A stored reason: its code, and its parameters as JSON. */
export const storedReason = <Code extends keyof typeof STORED_REASONS>(
  code: Code,
  ...[params]: Parameters<(typeof STORED_REASONS)[Code]>
): string => (params === undefined ? code : `${code} ${JSON.stringify(params)}`);

type Params = Record<string, unknown>;
const textFor = (code: string | null | undefined, params: Params): UiText | null =>
  textOfCode(STORED_REASONS, code, params);

/** Parses a stored reason. One stored by an earlier version is an English text. */
export function readReason(stored: string): { code: string | null; params: Params; text: UiTextOrString } {
  const { code, params } = readCoded(stored);
  const text = textFor(code, params);
  return text === null ? { code: null, params: {}, text: stored } : { code, params, text };
}

type Answered<Name extends string> = { readonly [Key in Name]?: string | null | undefined } & {
  readonly [Key in `${Name}_code`]?: string | null | undefined;
} & { readonly [Key in `${Name}_params`]?: Params | undefined };

/** Returns the text of a reason; the server's English if its code is unknown, null without a reason. */
export function reasonOf<const Name extends string>(answer: Answered<Name>, name: Name): ServerText | string | null {
  const found: Record<string, unknown> = answer;
  const english = found[name] as string | null | undefined;
  if (english == null) return null;
  const text = textFor(found[`${name}_code`] as string | null, (found[`${name}_params`] as Params | undefined) ?? {});
  return text === null ? english : { ...text, english };
}
