import { storedReason } from "../../domain/stored-reasons.ts";

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
 * What a refusal says about the session itself: the reason to store when it is gone for good, else null.
 * Any 401 but SESSION_PASSWORD_NEEDED means logged out (as in TDLib).
 */
export function sessionLoss(code: number, text: string): string | null {
  if (text === "SESSION_PASSWORD_NEEDED") return null;
  if (code !== 401 && text !== "AUTH_KEY_DUPLICATED") return null;
  return Object.hasOwn(REASONS, text)
    ? storedReason(REASONS[text as keyof typeof REASONS])
    : storedReason("session_ended", { error: text });
}
