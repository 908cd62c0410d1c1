import type { tl } from "@mtcute/core";
import { type Clock, withTimeout } from "../../core/clock.ts";
import type { LoginClient, SessionKeys } from "./login-client.ts";

/** A browser's command to a login in progress. */
export type LoginCommand =
  | { name: "verify-code"; phone: string; code: string }
  | { name: "verify-password"; password: string }
  | { name: "qr-url" }
  | { name: "qr-complete"; timeoutSeconds: number };

export type LoginAnswer =
  | { result: "connected"; phone: string | null }
  | { result: "password_needed"; hint: string | null }
  | { result: "qr"; qr_url: string; expires_at: string };

/** A login in progress: in the memory of one process, for at most five minutes; lost on restart. */
export type LoginAttempt = {
  readonly id: string;
  readonly userId: string;
  /** Unix time in milliseconds, by the server's clock */
  readonly expiresAt: number;
  /**
   * @param signal aborts when the browser disconnects
   * @throws ProblemError for the user; the attempt continues unless the error says otherwise
   */
  run(command: LoginCommand, signal: AbortSignal): Promise<LoginAnswer>;
  close(): Promise<void>;
};

/** Receives completed logins. */
export type Connector = {
  /** @throws ProblemError 409 if another user has connected this Telegram account, 422 if the user's account is being deleted */
  admit(userId: string, telegramUserId: string): Promise<void>;
  /** Stores the session as the user's account, or logs it out. @throws as `admit`, 503 if it could not be stored */
  connect(userId: string, session: SessionKeys): Promise<{ phone: string | null }>;
};

/** Shorter than a shutdown may take, and longer than the log-out of an account that the login replaces. */
const COMPLETE_WITHIN_MS = 10_000;

/**
 * Waits up to ten seconds for a login that may be completing. With a closed client, its session could neither be stored nor logged out.
 * @returns whether it has ended
 */
export const waitForLogin = (clock: Pick<Clock, "after">, login: Promise<unknown>): Promise<boolean> =>
  withTimeout(
    clock,
    COMPLETE_WITHIN_MS,
    login.then(() => true),
    () => false,
  );

/** Passes a logged-in session to the connector, or logs it out if that fails. */
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
