import { msg } from "@lingui/core/runtime-macro";
import { isUploadFailure, OPTED_OUT, PEER_NOT_KNOWN, UPLOAD_FAILED } from "./send-outcome.ts";
import type { UiText } from "./ui-text.ts";

/** Why a person gets no message, as the texts distinguish it. */
type RecipientProblem =
  | "opted_out"
  | "not_known"
  | "deleted"
  | "blocked_you"
  | "blocked_by_you"
  | "contacts_only"
  | "contacts_and_premium"
  | "not_accepting"
  | "paid"
  | "unreachable";

const RECIPIENT_PROBLEMS: Readonly<Record<string, RecipientProblem>> = {
  [OPTED_OUT]: "opted_out",
  [PEER_NOT_KNOWN]: "not_known",
  INPUT_USER_DEACTIVATED: "deleted",
  USER_DELETED: "deleted",
  USER_IS_BLOCKED: "blocked_you",
  YOU_BLOCKED_USER: "blocked_by_you",
  USER_PRIVACY_RESTRICTED: "contacts_only",
  PRIVACY_PREMIUM_REQUIRED: "contacts_and_premium",
  USER_NOT_MUTUAL_CONTACT: "not_accepting",
  CHAT_WRITE_FORBIDDEN: "not_accepting",
};

/** Returns a reason's problem. Reasons with the same problem have the same text. */
export const recipientProblem = (reason: string): RecipientProblem =>
  /^ALLOW_PAYMENT_REQUIRED(_\d+)?$/.test(reason) ? "paid" : (RECIPIENT_PROBLEMS[reason] ?? "unreachable");

const RECIPIENT_CLAUSES: Record<RecipientProblem, UiText> = {
  opted_out: msg({ message: "this person asked for no more messages", comment: "Follows 'Not sent:'." }),
  not_known: msg({
    message: "this person has never written to the connected Telegram account; connect the account that they know",
    comment: "Follows 'Not sent:'.",
  }),
  deleted: msg({ message: "this person deleted the Telegram account", comment: "Follows 'Not sent:'." }),
  blocked_you: msg({ message: "this person blocked you", comment: "Follows 'Not sent:'." }),
  blocked_by_you: msg({
    message: "this person is blocked by you; unblock in Telegram first",
    comment: "Follows 'Not sent:'.",
  }),
  contacts_only: msg({
    message: "this person accepts messages only from their contacts",
    comment: "Follows 'Not sent:'.",
  }),
  contacts_and_premium: msg({
    message: "this person accepts messages only from their contacts and from Premium accounts",
    comment: "Follows 'Not sent:'.",
  }),
  not_accepting: msg({ message: "this person does not accept messages from you", comment: "Follows 'Not sent:'." }),
  paid: msg({ message: "this person asks for paid messages", comment: "Follows 'Not sent:'." }),
  unreachable: msg({ message: "this person cannot be reached on Telegram", comment: "Follows 'Not sent:'." }),
};

/** Returns why a person could not be written to, to follow a colon. */
export const recipientClause = (reason: string): UiText => RECIPIENT_CLAUSES[recipientProblem(reason)];

const NOTHING_GOES_OUT: Record<RecipientProblem, UiText> = {
  opted_out: msg`This person asked for no more messages, so nothing goes out by itself until they write to you or another account reaches them.`,
  not_known: msg`This person has never written to the connected Telegram account; connect the account that they know, so nothing goes out by itself until they write to you or another account reaches them.`,
  deleted: msg`This person deleted the Telegram account, so nothing goes out by itself until they write to you or another account reaches them.`,
  blocked_you: msg`This person blocked you, so nothing goes out by itself until they write to you or another account reaches them.`,
  blocked_by_you: msg`This person is blocked by you; unblock in Telegram first, so nothing goes out by itself until they write to you or another account reaches them.`,
  contacts_only: msg`This person accepts messages only from their contacts, so nothing goes out by itself until they write to you or another account reaches them.`,
  contacts_and_premium: msg`This person accepts messages only from their contacts and from Premium accounts, so nothing goes out by itself until they write to you or another account reaches them.`,
  not_accepting: msg`This person does not accept messages from you, so nothing goes out by itself until they write to you or another account reaches them.`,
  paid: msg`This person asks for paid messages, so nothing goes out by itself until they write to you or another account reaches them.`,
  unreachable: msg`This person cannot be reached on Telegram, so nothing goes out by itself until they write to you or another account reaches them.`,
};

/** Returns why automatic messages to a person are paused. */
export const unreachableMessage = (reason: string): UiText => NOTHING_GOES_OUT[recipientProblem(reason)];

const EACH_OF_THEM: Record<RecipientProblem, UiText> = {
  opted_out: msg`Each of them asked for no more messages.`,
  not_known: msg`Each of them has never written to the connected Telegram account; connect the account that they know.`,
  deleted: msg`Each of them deleted the Telegram account.`,
  blocked_you: msg`Each of them blocked you.`,
  blocked_by_you: msg`Each of them is blocked by you; unblock in Telegram first.`,
  contacts_only: msg`Each of them accepts messages only from their contacts.`,
  contacts_and_premium: msg`Each of them accepts messages only from their contacts and from Premium accounts.`,
  not_accepting: msg`Each of them does not accept messages from you.`,
  paid: msg`Each of them asks for paid messages.`,
  unreachable: msg`Each of them cannot be reached on Telegram.`,
};

/** Returns why some people would get no bulk message. */
export const eachRecipientMessage = (reason: string): UiText => EACH_OF_THEM[recipientProblem(reason)];

/** Returns why a channel takes no messages. */
export const channelMessage = (reason: string): UiText =>
  recipientProblem(reason) === "not_accepting"
    ? msg`The channel does not accept messages from you.`
    : msg`The channel cannot be reached on Telegram.`;

/** Returns that a message did not leave because of its recipient, and why. */
export const notSentMessage = (reason: string): UiText => msg`Not sent: ${{ cause: recipientClause(reason) }}.`;

const CONTENT_MESSAGES: Readonly<Record<string, UiText>> = {
  MESSAGE_EMPTY: msg`The message is empty.`,
  MESSAGE_TOO_LONG: msg`The message is too long for Telegram. Shorten it to 4,096 characters.`,
  MEDIA_CAPTION_TOO_LONG: msg`The text beside a picture or video is too long for Telegram. Shorten it to 1,024 characters.`,
  PHOTO_INVALID_DIMENSIONS: msg`Telegram does not accept the picture's dimensions. Choose another picture.`,
  [UPLOAD_FAILED]: msg`The picture or video could not be uploaded to Telegram. Attach it once more, or another one, and try again.`,
  DOCUMENT_INVALID: msg`Telegram does not accept the attached file. Choose another one.`,
};
const OTHER_CONTENT = msg`Telegram does not accept this message. Change its text or its picture or video and try again.`;

/** Returns why Telegram refused the message itself, and what to do. */
export const contentMessage = (reason: string): UiText =>
  CONTENT_MESSAGES[isUploadFailure(reason) ? UPLOAD_FAILED : reason] ?? OTHER_CONTENT;

const CONTENT_NOT_SENT: Readonly<Record<string, UiText>> = {
  MESSAGE_EMPTY: msg({ message: "the message is empty", comment: "Follows 'Not sent:'." }),
  MESSAGE_TOO_LONG: msg({
    message: "the message is too long for Telegram. Shorten it to 4,096 characters",
    comment: "Follows 'Not sent:'.",
  }),
  MEDIA_CAPTION_TOO_LONG: msg({
    message: "the text beside a picture or video is too long for Telegram. Shorten it to 1,024 characters",
    comment: "Follows 'Not sent:'.",
  }),
  PHOTO_INVALID_DIMENSIONS: msg({
    message: "Telegram does not accept the picture's dimensions. Choose another picture",
    comment: "Follows 'Not sent:'.",
  }),
  DOCUMENT_INVALID: msg({
    message: "Telegram does not accept the attached file. Choose another one",
    comment: "Follows 'Not sent:'.",
  }),
};
const OTHER_CONTENT_NOT_SENT = msg({
  message: "Telegram does not accept this message. Change its text or its picture or video and try again",
  comment: "Follows 'Not sent:'.",
});

/** Returns the same to follow a colon, without its full stop. */
export const contentClause = (reason: string): UiText => CONTENT_NOT_SENT[reason] ?? OTHER_CONTENT_NOT_SENT;

export const STOPPED_MESSAGE = msg`Telegram limits how many people this account may write to. Automatic messages rest; wait at least an hour, then resume them on the Connect page. You can still send by hand.`;
