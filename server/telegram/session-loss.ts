const REASONS: Record<string, string> = {
  AUTH_KEY_UNREGISTERED: "The session was ended from another device. Connect again to go on.",
  AUTH_KEY_INVALID: "Telegram no longer knows this session. Connect again to go on.",
  SESSION_REVOKED: "The session was ended from another device. Connect again to go on.",
  SESSION_EXPIRED: "The session has expired at Telegram. Connect again to go on.",
  USER_DEACTIVATED: "This Telegram account was deleted.",
  USER_DEACTIVATED_BAN: "Telegram has banned this account. Appeal in the Telegram app, then connect again.",
  AUTH_KEY_DUPLICATED:
    "Telegram ended the session because it was used from two places at once. Connect again to go on.",
};

/**
 * What a refusal says about the session itself: the words for the person when it is gone for good, else null.
 * Any 401 but SESSION_PASSWORD_NEEDED means logged out (as in TDLib).
 */
export function sessionLoss(code: number, text: string): string | null {
  if (text === "SESSION_PASSWORD_NEEDED") return null;
  if (code !== 401 && text !== "AUTH_KEY_DUPLICATED") return null;
  return REASONS[text] ?? `Telegram ended the session (${text}). Connect again to go on.`;
}
