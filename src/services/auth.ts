import { msg } from "@lingui/core/runtime-macro";
import type { AuthChangeEvent, AuthError, GoTrueClient as AuthClient, Session } from "@supabase/auth-js";
import type { ServerText, UiText, UiTextOrString } from "../../domain/ui-text.ts";
import type { Logger } from "./logger.ts";
import { type StoredSession, isFresh, readStoredSession, sessionOf } from "./session-store.ts";
import type { SafeStorage } from "./storage.ts";

export type OpenSession = Pick<StoredSession, "user" | "accessToken">;

/** A change of the session, in this tab or another. */
export type AuthEvent =
  | { type: "session.started" | "user.updated" | "token.refreshed" | "recovery.started"; session: OpenSession }
  | { type: "session.ended" };

/** A refusal carries the server's message, or a default one. */
export type AuthOutcome<Accepted> = Accepted | { kind: "refused"; message: UiTextOrString };
export type SignInOutcome = AuthOutcome<{ kind: "signedIn" }>;
/** `isConfirmed`: the account can log in without an email confirmation. */
export type SignUpOutcome = AuthOutcome<{ kind: "signedUp"; userId: string | null; isConfirmed: boolean }>;
export type DoneOutcome = AuthOutcome<{ kind: "done" }>;

export type Auth = {
  /** Starts the session check and reports every change, in this tab or another. Returns a function that unsubscribes. */
  subscribe: (listener: (event: AuthEvent) => void) => () => void;
  /** Why the emailed link that opened this page does not work; null if it works, or if there was none. */
  linkProblem: UiTextOrString | null;
  /** The user of the stored session; null for none. */
  storedUserId: () => string | null;
  /** The stored access token, read without a request. */
  accessToken: () => string | null;
  /** Returns a renewed access token, or null if there is none within a few seconds. Signs the page out if the server refuses the session. */
  refresh: () => Promise<string | null>;
  /** Keeps the token fresh while the tab is in the foreground. */
  keepFresh: () => void;
  /** Loads the client before its first use. */
  warmUp: () => void;
  signIn: (input: { email: string; password: string }) => Promise<SignInOutcome>;
  signUp: (input: { email: string; password: string; name: string }) => Promise<SignUpOutcome>;
  /** Ends the session on this device at once, whatever the server responds. */
  signOut: () => Promise<void>;
  requestPasswordReset: (input: { email: string }) => Promise<DoneOutcome>;
  updatePassword: (input: { password: string }) => Promise<DoneOutcome>;
};

export type AuthDeps = {
  storage: SafeStorage;
  storageKey: string;
  /** Imports and creates the client; called once, on first use. */
  loadClient: (noteRefusal: (body: unknown) => void) => Promise<AuthClient>;
  logger: Logger;
  now: () => number;
  /** The origin that emailed links return to. */
  origin: string;
};

const PATIENCE_MS = 5_000;
const SIGN_OUT_PATIENCE_MS = 1_500;
/** The server's refusals of a refresh token whose session has ended; others, such as 429, are temporary. */
const ENDED_STATUSES = [400, 401, 403, 404];

const ACCOUNT_MAY_EXIST = msg`No response from the server. The account may have been created: check your email or try to log in.`;
const LINK_MAY_BE_SENT = msg`No response from the server. The link may have been sent: check your email.`;
const PASSWORD_MAY_HOLD = msg`No response from the server. The new password may have been saved: try again or log in with it.`;

const EVENT_TYPES: Partial<Record<AuthChangeEvent, Exclude<AuthEvent["type"], "session.ended">>> = {
  INITIAL_SESSION: "session.started",
  SIGNED_IN: "session.started",
  USER_UPDATED: "user.updated",
  TOKEN_REFRESHED: "token.refreshed",
  PASSWORD_RECOVERY: "recovery.started",
};

/**
 * Sign-in with the Supabase auth client. The client loads only when the session check or the user needs it: a fresh stored session, or none
 * at all, decides the check without it.
 */
export function createAuth({ storage, storageKey, loadClient, logger, now, origin }: AuthDeps): Auth {
  const listeners = new Set<(event: AuthEvent) => void>();
  const notify = (event: AuthEvent) => {
    for (const listener of listeners) listener(event);
  };
  const stored = () => readStoredSession(storage, storageKey);
  const endSession = () => {
    storage.remove(storageKey);
    notify({ type: "session.ended" });
  };

  // Supabase warns that awaiting its client inside this callback deadlocks, so this only forwards the event.
  const forward = (event: AuthChangeEvent, session: Session | null) => {
    const known = sessionOf(session);
    const type = EVENT_TYPES[event];
    if (known && type) notify({ type, session: known });
    else if (event === "SIGNED_OUT" || event === "INITIAL_SESSION") notify({ type: "session.ended" });
  };

  /** The parameters of the last refusal, by code. */
  const params = new Map<string, Record<string, unknown>>();
  const refusalOf = async (error: AuthError, unknown?: UiText) =>
    ({ kind: "refused", message: await messageOf(error, params, unknown) }) as const;
  let loading: Promise<AuthClient> | null = null;
  const client = () => {
    loading ??= loadClient((body) => {
      const refusal = body as { error_code?: unknown; params?: Record<string, unknown> } | null;
      if (typeof refusal?.error_code === "string") params.set(refusal.error_code, refusal.params ?? {});
    }).then(
      (loaded) => {
        loaded.onAuthStateChange(forward);
        return loaded;
      },
      (error: unknown) => {
        loading = null; // a chunk that failed to load may load the next time
        throw error;
      },
    );
    return loading;
  };
  const warmUp = () => void client().catch((error: unknown) => logger.warn("the sign-in client did not load", error));

  const onStorage = (event: StorageEvent) => {
    if (event.key !== null && event.key !== storageKey) return;
    const session = stored();
    notify(session ? { type: "session.started", session } : { type: "session.ended" });
  };

  return {
    linkProblem: linkProblemOf(window.location),
    subscribe(listener) {
      listeners.add(listener);
      window.addEventListener("storage", onStorage);
      const session = stored();
      if (comesFromMail(window.location)) warmUp();
      else if (session === null) queueMicrotask(() => notify({ type: "session.ended" }));
      else if (isFresh(session, now())) queueMicrotask(() => notify({ type: "session.started", session }));
      else
        void client().catch((error: unknown) => {
          logger.warn("the sign-in client did not load", error);
          notify({ type: "session.ended" });
        });
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) window.removeEventListener("storage", onStorage);
      };
    },
    storedUserId: () => stored()?.user.id ?? null,
    accessToken: () => stored()?.accessToken ?? null,
    async refresh() {
      const renewal = client().then(async (auth) => {
        const before = stored()?.accessToken;
        const { data, error } = await auth.refreshSession();
        const isRefused = error !== null && ENDED_STATUSES.includes(error.status ?? 0);
        // The client keeps a refused session until its access token expires. If another tab has renewed it, it stays.
        if (isRefused && stored()?.accessToken === before) endSession();
        return data.session?.access_token ?? null;
      });
      return await within(PATIENCE_MS, renewal, null).catch(() => null);
    },
    keepFresh() {
      void client()
        .then((auth) => auth.startAutoRefresh())
        .catch((error: unknown) => logger.warn("the session is not kept fresh", error));
    },
    warmUp,
    async signIn({ email, password }) {
      const { error } = await (await client()).signInWithPassword({ email, password });
      return error ? refusalOf(error) : { kind: "signedIn" };
    },
    async signUp({ email, password, name }) {
      const { data, error } = await (
        await client()
      ).signUp({
        email,
        password,
        // The server fills the profile from this if the email is confirmed before the first sign-in.
        options: { data: { name }, emailRedirectTo: `${origin}/login` },
      });
      if (error) return refusalOf(error, ACCOUNT_MAY_EXIST);
      const { user } = data;
      return { kind: "signedUp", userId: user?.id ?? null, isConfirmed: typeof user?.email_confirmed_at === "string" };
    },
    async signOut() {
      const attempt = client().then((auth) => auth.signOut({ scope: "local" }));
      const result = await within(SIGN_OUT_PATIENCE_MS, attempt, null).catch((error: unknown) => ({ error }));
      if (result?.error) logger.warn("the server was not told of the sign-out", result.error);
      endSession();
    },
    async requestPasswordReset({ email }) {
      const auth = await client();
      const { error } = await auth.resetPasswordForEmail(email, { redirectTo: `${origin}/reset-password` });
      return error ? refusalOf(error, LINK_MAY_BE_SENT) : { kind: "done" };
    },
    async updatePassword({ password }) {
      const { error } = await (await client()).updateUser({ password });
      return error ? refusalOf(error, PASSWORD_MAY_HOLD) : { kind: "done" };
    },
  };
}

/** True if the address carries the result of an emailed link: a session, a code or an error. */
const comesFromMail = ({ hash, search }: Location) =>
  /(?:^|[#&])(?:access_token|error_description|error_code)=/.test(hash) ||
  /[?&](?:code|error_description)=/.test(search);

function linkProblemOf({ hash, search }: Location): UiTextOrString | null {
  const read = (name: string) => new URLSearchParams(hash.slice(1)).get(name) ?? new URLSearchParams(search).get(name);
  return read("error_code") === "otp_expired" ? msg`Email link is invalid or has expired` : read("error_description");
}

/**
 * Returns a message for the client's error, which for some outages is `{}` or a parser error. `unknown` is the message if there was no
 * response.
 */
async function messageOf(
  error: AuthError,
  params: ReadonlyMap<string, Record<string, unknown>>,
  unknown?: UiText,
): Promise<UiTextOrString> {
  // The client reports every gateway status so; 503 is the server's own refusal.
  const isUnanswered = error.name === "AuthRetryableFetchError" && error.status !== 503;
  if (unknown !== undefined && isUnanswered) return unknown;
  const isUnreadable = !/[a-z]{2}/i.test(error.message) || /is not valid JSON|Unexpected token/i.test(error.message);
  if (isUnreadable) return msg`The server’s response could not be read. Try again.`;
  if (isUnanswered) return shownAs(msg`No response from the server.`, error);
  return (await wordedBy(error, params)) ?? error.message;
}

/** Returns a text whose English is the error's own. */
const shownAs = (text: UiText, { message }: { message: string }): ServerText => ({ ...text, english: message });

/** Returns the message of a refusal by its code; null if the code or its parameters are not known. */
async function wordedBy(
  { name, code = name === "AuthSessionMissingError" ? "session_not_found" : "", message }: AuthError,
  params: ReadonlyMap<string, Record<string, unknown>>,
): Promise<ServerText | null> {
  try {
    const { SIGN_IN_PROBLEMS } = await import("../../domain/sign-in-problems.ts");
    if (!Object.hasOwn(SIGN_IN_PROBLEMS, code)) return null;
    const text = SIGN_IN_PROBLEMS[code as keyof typeof SIGN_IN_PROBLEMS] as (given: unknown) => UiText;
    return shownAs(text(params.get(code) ?? {}), { message });
  } catch {
    return null;
  }
}

const within = <T, Late>(milliseconds: number, work: Promise<T>, late: Late): Promise<T | Late> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
