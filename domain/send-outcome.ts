/**
 * What Telegram's response to a send means, for all kinds of sends. Add new codes here.
 * - `recipient`: this person cannot receive messages; others can
 * - `content`: the message itself is refused, so it would be for everyone
 * - `wait`: the whole account pauses; `chatWait`: this chat pauses
 * - `stopped`: Telegram's spam limit; automated sends stop until the user resumes them
 * - `sessionLost`: the account must be connected again
 * - `inFlight`: the first call with this id is still running
 * - `upload`: the file must be uploaded again
 * - `unsent`: it was not sent; the conditions are checked again before the retry; an upload that keeps failing is given up
 * - `unknown`: it may have been delivered; only a retry with the same id tells
 */
export type SendOutcome =
  | {
      kind: "recipient" | "content" | "stopped" | "sessionLost" | "inFlight" | "upload" | "unsent" | "unknown";
      reason: string;
    }
  | { kind: "wait" | "chatWait"; seconds: number; reason: string };

/** A refusal as reported by the client library. `text` is the error's name with its number, such as FLOOD_WAIT_5. */
export type Refusal = { code: number; text: string };

/** The connected account has never met this person: another account of the same owner may have. */
export const PEER_NOT_KNOWN = "PEER_NOT_KNOWN";

/** The person's address was not known in time: nothing was sent to Telegram. */
export const ADDRESS_LATE = "ADDRESS_LATE";

/** The message's file could not be uploaded to Telegram: the person received nothing. */
export const UPLOAD_FAILED = "UPLOAD_FAILED";

const RECIPIENT = new Set([
  PEER_NOT_KNOWN,
  "INPUT_USER_DEACTIVATED",
  "USER_DELETED",
  "USER_IS_BLOCKED",
  "YOU_BLOCKED_USER",
  "PEER_ID_INVALID",
  "PEER_ID_NOT_SUPPORTED",
  "USER_ID_INVALID",
  "USER_INVALID",
  "INPUT_USER_INVALID",
  "USER_IS_BOT",
  "BOT_DOMAIN_INVALID",
  "ENTITY_NOT_FOUND",
  "PEER_NOT_FOUND",
  "CHAT_WRITE_FORBIDDEN",
  "CHAT_RESTRICTED",
  "CHAT_FORBIDDEN",
  "CHAT_ID_INVALID",
  "CHAT_ADMIN_REQUIRED",
  "CHAT_SEND_PLAIN_FORBIDDEN",
  "CHAT_SEND_MEDIA_FORBIDDEN",
  "CHAT_SEND_PHOTOS_FORBIDDEN",
  "CHAT_SEND_VIDEOS_FORBIDDEN",
  "CHAT_SEND_GIFS_FORBIDDEN",
  "CHAT_GUEST_SEND_FORBIDDEN",
  "CHANNEL_INVALID",
  "CHANNEL_PRIVATE",
  "CHANNEL_PUBLIC_GROUP_NA",
  "USERNAME_INVALID",
  "USERNAME_NOT_OCCUPIED",
  "USER_NOT_PARTICIPANT",
  "USER_BANNED_IN_CHANNEL",
  "USER_PRIVACY_RESTRICTED",
  "USER_NOT_MUTUAL_CONTACT",
  "PRIVACY_PREMIUM_REQUIRED",
  "PREMIUM_ACCOUNT_REQUIRED",
  "PAYMENT_REQUIRED",
  "PAYMENT_UNSUPPORTED",
  "BALANCE_TOO_LOW",
  "TOPIC_CLOSED",
  "TOPIC_DELETED",
  "VOICE_MESSAGES_FORBIDDEN",
]);
const RECIPIENT_NUMBERED = /^ALLOW_PAYMENT_REQUIRED(_\d+)?$/;

const SESSION_LOST = new Set([
  "AUTH_KEY_UNREGISTERED",
  "AUTH_KEY_INVALID",
  "AUTH_KEY_DUPLICATED",
  "AUTH_KEY_PERM_EMPTY",
  "SESSION_REVOKED",
  "SESSION_EXPIRED",
  "USER_DEACTIVATED",
  "USER_DEACTIVATED_BAN",
]);

const STOPPED = new Set(["PEER_FLOOD", "FROZEN_METHOD_INVALID", "USER_RESTRICTED", "CHAT_SEND_SPAM_FORBIDDEN"]);
const UPLOAD =
  /^(FILE_REFERENCE_(EXPIRED|INVALID|EMPTY)|FILE_PART_\d+_MISSING|FILE_PARTS?_(INVALID|MISSING|EMPTY|SIZE_INVALID|LENGTH_INVALID|SIZE_CHANGED)|FILE_ID_INVALID|FILE_MIGRATE_\d+|MD5_CHECKSUM_INVALID)$/;
const CONTENT =
  /^(MESSAGE_(EMPTY|TOO_LONG)|MEDIA_.+|PHOTO_.+|IMAGE_.+|VIDEO_.+|DOCUMENT_INVALID|ENTIT(Y|IES)_.+|ENTITY_BOUNDS_INVALID|FILE_TITLE_EMPTY|FILE_EMTPY|FILE_CONTENT_TYPE_INVALID|EXTERNAL_URL_INVALID|WEBPAGE_.+|RANDOM_ID_(EMPTY|INVALID)|SCHEDULE_.+|REPLY_.+|INPUT_(METHOD|REQUEST|FETCH)_.+|MSG_ID_INVALID|MESSAGE_ID_INVALID|TTL_MEDIA_INVALID|FILE_PART_TOO_BIG|WEBDOCUMENT_.+)$/;
const WAIT = /^(?:FLOOD|FLOOD_PREMIUM|FLOOD_TEST_PHONE)_WAIT_(\d+)$/;
const CHAT_WAIT = /^SLOWMODE_WAIT_(\d+)$/;

/** Reads a thrown value as Telegram's refusal, or null when no answer came at all. */
export function refusalOf(error: unknown): Refusal | null {
  if (typeof error !== "object" || error === null) return null;
  const { code, text } = error as { code?: unknown; text?: unknown };
  return typeof code === "number" && typeof text === "string" ? { code, text } : null;
}

/** Classifies what a send threw. Anything that is not certainly a refusal counts as possibly delivered. */
export function classifySendError(error: unknown): SendOutcome {
  const refusal = refusalOf(error);
  if (refusal === null) return { kind: "unknown", reason: "NO_ANSWER" };
  const { code, text } = refusal;
  const wait = WAIT.exec(text);
  if (wait !== null) return { kind: "wait", seconds: Number(wait[1]), reason: text };
  const chatWait = CHAT_WAIT.exec(text);
  if (chatWait !== null) return { kind: "chatWait", seconds: Number(chatWait[1]), reason: text };
  if (text === ADDRESS_LATE || text === UPLOAD_FAILED) return { kind: "unsent", reason: text };
  if (text === "RANDOM_ID_DUPLICATE") return { kind: "inFlight", reason: text };
  if (STOPPED.has(text)) return { kind: "stopped", reason: text };
  if (SESSION_LOST.has(text)) return { kind: "sessionLost", reason: text };
  // A call that timed out is reported as code 400: it was not refused.
  if (text.toUpperCase() === "TIMEOUT" || /^(MSG_WAIT_.+|CONNECTION_.+)$/.test(text))
    return { kind: "unknown", reason: text };
  if (RECIPIENT.has(text) || RECIPIENT_NUMBERED.test(text)) return { kind: "recipient", reason: text };
  if (UPLOAD.test(text)) return { kind: "upload", reason: text };
  if (CONTENT.test(text)) return { kind: "content", reason: text };
  if (code === 401 && text !== "SESSION_PASSWORD_NEEDED") return { kind: "sessionLost", reason: text };
  if (code === 420) return { kind: "wait", seconds: 60, reason: text };
  if (code === 400 || code === 403 || code === 406) return { kind: "recipient", reason: text };
  return { kind: "unknown", reason: text };
}

/** True if a message's file could not be uploaded, or Telegram refused the upload. */
export const isUploadFailure = (reason: string): boolean => reason === UPLOAD_FAILED || UPLOAD.test(reason);

/** True for a refusal of the message itself, or of its file. */
export const isContentRefusal = (reason: string): boolean =>
  isUploadFailure(reason) || classifySendError({ code: 400, text: reason }).kind === "content";

/** Refusals that mean a channel never accepts messages from this account. Others say nothing about the channel. */
export const isChannelRefusal = (reason: string): boolean =>
  /^(CHANNEL_(INVALID|PRIVATE|PUBLIC_GROUP_NA)|CHAT_(WRITE_FORBIDDEN|RESTRICTED|FORBIDDEN|ID_INVALID|ADMIN_REQUIRED|SEND_PLAIN_FORBIDDEN|GUEST_SEND_FORBIDDEN)|USERNAME_(INVALID|NOT_OCCUPIED)|PEER_ID_INVALID|PEER_ID_NOT_SUPPORTED|USER_BANNED_IN_CHANNEL|USER_NOT_PARTICIPANT)$/.test(
    reason,
  );

/** True when Telegram says that a file no longer exists. Any other refusal may pass. */
export const isFileGone = (refusal: Refusal | null): boolean =>
  refusal !== null && /^(FILE_ID_INVALID|LOCATION_INVALID)$/.test(refusal.text);

/** Applies to every account. */
export const isGone = (reason: string): boolean => reason === "INPUT_USER_DEACTIVATED" || reason === "USER_DELETED";

/** The reason for not sending to a lead who opted out. */
export const OPTED_OUT = "OPTED_OUT";
