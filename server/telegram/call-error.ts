import { MtPeerNotFoundError, tl } from "@mtcute/core";
import { PEER_NOT_KNOWN } from "../../domain/send-outcome.ts";
import { storedReason } from "../../domain/stored-reasons.ts";

/** Telegram's refusal of a call. `text` is the error name with its number, such as FLOOD_WAIT_5; `seconds` is that number for a wait. */
export class TelegramCallError extends Error {
  override readonly name = "TelegramCallError";
  readonly code: number;
  readonly text: string;
  readonly seconds: number | null;
  constructor(code: number, text: string, options?: ErrorOptions) {
    super(`${code} ${text}`, options);
    this.code = code;
    this.text = text;
    const wait = /_WAIT_(\d+)$/.exec(text);
    this.seconds = wait === null ? null : Number(wait[1]);
  }
}

/** Converts mtcute's error to Telegram's text ('FLOOD_WAIT_5', where mtcute's `text` is 'FLOOD_WAIT_%d'); null if it is not a refusal. */
export function callErrorOf(error: unknown): TelegramCallError | null {
  if (error instanceof TelegramCallError) return error;
  if (error instanceof MtPeerNotFoundError) return new TelegramCallError(400, PEER_NOT_KNOWN, { cause: error });
  if (!(error instanceof tl.RpcError)) return null;
  const [, written = error.text] = /^Telegram API error -?\d+: (.+)$/.exec(error.message) ?? [];
  return new TelegramCallError(error.code, written, { cause: error });
}

/** Runs a call. @throws TelegramCallError when Telegram refuses it; other errors stay as they are */
export async function withCallErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw callErrorOf(error) ?? error;
  }
}

const REASONS = {
  AUTH_KEY_UNREGISTERED: "session_ended_elsewhere",
  AUTH_KEY_INVALID: "session_unknown",
  SESSION_REVOKED: "session_ended_elsewhere",
  SESSION_EXPIRED: "session_expired",
  USER_DEACTIVATED: "account_deleted",
  USER_DEACTIVATED_BAN: "account_banned",
  AUTH_KEY_DUPLICATED: "session_duplicated",
} as const;

/**
 * Returns the reason to store if the refusal means that the session ended for good, else null.
 * Any 401 but SESSION_PASSWORD_NEEDED means logged out (as in TDLib).
 */
export function sessionLoss(code: number, text: string): string | null {
  if (text === "SESSION_PASSWORD_NEEDED") return null;
  if (code !== 401 && text !== "AUTH_KEY_DUPLICATED") return null;
  return Object.hasOwn(REASONS, text)
    ? storedReason(REASONS[text as keyof typeof REASONS])
    : storedReason("session_ended", { error: text });
}
