import type { tl } from "@mtcute/core";
import type { LoginClient, SessionKeys } from "./login-client.ts";

/** What a person's browser may ask of a login under way. */
export type LoginCommand =
  | { name: "verify-code"; phone: string; code: string }
  | { name: "verify-password"; password: string }
  | { name: "qr-url" }
  | { name: "qr-complete"; timeoutSeconds: number };

export type LoginAnswer =
  | { result: "connected"; phone: string | null }
  | { result: "password_needed"; hint: string | null }
  | { result: "qr"; qr_url: string; expires_at: string };

/** A login under way: in the memory of one process, for five minutes at most, gone with a restart. */
export type LoginAttempt = {
  readonly id: string;
  readonly userId: string;
  /** milliseconds since 1970 by the server's clock */
  readonly expiresAt: number;
  /**
   * @param signal aborts when the browser went away
   * @throws ProblemError with the answer for the person; the attempt goes on unless it says otherwise
   */
  run(command: LoginCommand, signal: AbortSignal): Promise<LoginAnswer>;
  close(): Promise<void>;
};

/** What becomes of a completed login. */
export type Connector = {
  /** @throws ProblemError 409 when another user has this Telegram account connected */
  admit(userId: string, telegramUserId: string): Promise<void>;
  /** Makes the session the user's connected account, or ends it at Telegram. @throws as `admit`, 503 when it could not be stored */
  connect(userId: string, session: SessionKeys): Promise<{ phone: string | null }>;
};

/** Hands a logged-in session over to the product, or logs it out again when that fails. */
export async function completeLogin(
  login: LoginClient,
  connector: Connector,
  userId: string,
  user: tl.RawUser,
): Promise<{ phone: string | null }> {
  let session: SessionKeys;
  try {
    await connector.admit(userId, String(user.id));
    session = await login.handOver(user);
  } catch (error) {
    await login.call({ _: "auth.logOut" }).catch(() => {});
    await login.close();
    throw error;
  }
  return connector.connect(userId, session);
}

export const asUser = (authorization: tl.auth.TypeAuthorization): tl.RawUser | null =>
  authorization._ === "auth.authorization" && authorization.user._ === "user" ? authorization.user : null;
