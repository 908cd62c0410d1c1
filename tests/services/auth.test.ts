import { type AuthChangeEvent, AuthRetryableFetchError, type GoTrueClient, type Session } from "@supabase/auth-js";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AuthEvent, createAuth } from "../../src/services/auth.ts";
import { sessionKeyOf } from "../../src/services/session-store.ts";
import { SIGN_IN_PROBLEMS } from "../../domain/sign-in-problems.ts";
import { english } from "../support/english.ts";
import { createStorage } from "../../src/services/storage.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const KEY = "sb-localhost-auth-token";
const stored = (expiresInSeconds: number) =>
  JSON.stringify({
    access_token: "token-1",
    refresh_token: "refresh-1",
    expires_at: NOW / 1000 + expiresInSeconds,
    user: { id: "ada", email: "ada@example.com" },
  });
const ada = { id: "ada", email: "ada@example.com" };

function setUp(session: string | null, client: Partial<GoTrueClient> = {}, refusal: unknown = null) {
  if (session !== null) localStorage.setItem(KEY, session);
  const facts: AuthEvent[] = [];
  const seen = { loads: 0, warnings: [] as string[] };
  let emit: (event: AuthChangeEvent, next: Session | null) => void = () => {};
  const auth = createAuth({
    storage: createStorage(() => localStorage),
    storageKey: KEY,
    loadClient: async (noteRefusal) => {
      noteRefusal(refusal);
      seen.loads += 1;
      return {
        onAuthStateChange: (callback: typeof emit) => {
          emit = callback;
          return { data: { subscription: { unsubscribe: () => {} } } };
        },
        ...client,
      } as unknown as GoTrueClient;
    },
    logger: { warn: (what) => void seen.warnings.push(what) },
    now: () => NOW,
    origin: "https://leadloom.example",
  });
  const stop = auth.subscribe((fact) => void facts.push(fact));
  onTestFinished(stop);
  return { auth, facts, seen, stop, emit: (event: AuthChangeEvent, next: unknown) => emit(event, next as Session) };
}
const types = (facts: AuthEvent[]) => facts.map((fact) => fact.type);

/** Waits until the check has read the storage and loaded the client. */
const checked = async () => {
  for (let turn = 0; turn < 2; turn += 1) await Promise.resolve();
};

describe("the session check", () => {
  it("accepts a fresh stored session without loading the client", async () => {
    const { facts, seen } = setUp(stored(3_600));
    await checked();
    expect(facts).toEqual([
      { type: "session.started", session: { accessToken: "token-1", expiresAt: NOW + 3_600_000, user: ada } },
    ]);
    expect(seen.loads).toEqual(0);
  });

  it.each([null, "{oops", "{}", '{"access_token":"x"}', "42"])(
    "reports signed out for %j in storage without loading the client",
    async (text) => {
      const { facts, seen } = setUp(text);
      await checked();
      expect([types(facts), seen.loads]).toEqual([["session.ended"], 0]);
    },
  );

  it("leaves an expiring session and an emailed link to the client", async () => {
    const expiring = setUp(stored(60));
    await checked();
    expect([expiring.facts, expiring.seen.loads]).toEqual([[], 1]);
    expiring.emit("TOKEN_REFRESHED", JSON.parse(stored(3_600)));
    expiring.emit("INITIAL_SESSION", JSON.parse(stored(3_600)));
    expect(types(expiring.facts)).toEqual(["token.refreshed", "session.started"]);
    localStorage.clear();
    window.history.replaceState(null, "", "/reset-password#access_token=x&type=recovery");
    const mailed = setUp(null);
    await checked();
    mailed.emit("PASSWORD_RECOVERY", JSON.parse(stored(3_600)));
    expect([types(mailed.facts), mailed.seen.loads]).toEqual([["recovery.started"], 1]);
  });

  it("follows another tab's sign-out and sign-in, until unsubscribed", async () => {
    const { facts, stop } = setUp(stored(3_600));
    await checked();
    const announce = (newValue: string | null, key = KEY) => {
      if (newValue === null) localStorage.removeItem(key);
      else localStorage.setItem(key, newValue);
      window.dispatchEvent(new StorageEvent("storage", { key, newValue }));
    };
    announce("dark", "leadloom_theme");
    announce(null);
    announce(stored(7_200));
    stop();
    announce(null);
    expect(types(facts)).toEqual(["session.started", "session.ended", "session.started"]);
  });
});

it.each([
  ["/login", null],
  [
    "/#error=access_denied&error_code=otp_expired&error_description=Token+has+expired",
    "Email link is invalid or has expired",
  ],
  ["/login?error_description=Email%20link%20is%20invalid", "Email link is invalid"],
])("reads why an emailed link does not work from %s: %s", (address, problem) => {
  window.history.replaceState(null, "", address);
  const { linkProblem } = setUp(null).auth;
  expect(linkProblem && english(linkProblem)).toEqual(problem);
});

it.each([
  ["ends the session when its refresh token is refused", 400, stored(3_600), true],
  ["keeps the session while the server refuses for another reason", 429, stored(3_600), false],
  ["keeps a session that another tab has renewed", 400, stored(3_600).replace("token-1", "token-2"), false],
])("%s", async (_title, status, now, isEnded) => {
  const refreshSession = async () => {
    localStorage.setItem(KEY, now);
    return { data: { session: null, user: null }, error: { status } };
  };
  const { auth, facts } = setUp(stored(3_600), { refreshSession } as never);
  expect(await auth.refresh()).toEqual(null);
  expect([types(facts), localStorage.getItem(KEY)]).toEqual([
    ["session.started", ...(isEnded ? ["session.ended"] : [])],
    isEnded ? null : now,
  ]);
});

it("ends the session on sign-out even when the server is unreachable", async () => {
  const { auth, facts, seen } = setUp(stored(3_600), { signOut: () => Promise.reject(new Error("offline")) });
  await auth.signOut();
  expect(types(facts)).toEqual(["session.started", "session.ended"]);
  expect(localStorage.getItem(KEY)).toBeNull();
  expect(seen.warnings).toEqual(["the server was not told of the sign-out"]);
});

it.each([
  ["Invalid login credentials", "Invalid login credentials"],
  ["Failed to fetch", "Failed to fetch"],
  ["{}", "The server’s response could not be read. Try again."],
  [`Unexpected token '<', "<html>" is not valid JSON`, "The server’s response could not be read. Try again."],
])("reports a sign-in failure %s as: %s", async (message, text) => {
  const answer = async () => ({ data: { user: null, session: null }, error: { message } });
  const { auth } = setUp(null, { signInWithPassword: answer } as never);
  expect(await auth.signIn({ email: "a@b.c", password: "x" })).toEqual({ kind: "refused", message: text });
});

it("translates a refusal by code and parameters, with the server's English", async () => {
  const params = { reason: "length", limit: 8 } as const;
  const error = { code: "weak_password", message: "Password should be at least 8 characters." };
  const { auth } = setUp(null, { updateUser: async () => ({ error }) } as never, { error_code: error.code, params });
  const { id, values } = SIGN_IN_PROBLEMS.weak_password(params);
  const outcome = await auth.updatePassword({ password: "x" });
  expect(outcome).toMatchObject({ kind: "refused", message: { id, values, english: error.message } });
});

it.each([
  ["localhost", "sb-localhost-auth-token"],
  ["127.0.0.1", "sb-127-auth-token"],
  ["app.leadloom.example", "sb-app-auth-token"],
])("uses the client's own storage key: on %s %s", (host, key) => expect(sessionKeyOf(host)).toEqual(key));

it.each([
  ["2026-11-21T12:00:00Z", true],
  [null, false],
  [undefined, false],
])("reports whether a sign-up with email_confirmed_at %s is confirmed: %s", async (email_confirmed_at, isConfirmed) => {
  const answer = async () => ({ data: { user: { id: "ada", email_confirmed_at } }, error: null });
  const { auth } = setUp(null, { signUp: answer } as never);
  const outcome = await auth.signUp({ email: "a@b.c", password: "x", name: "Ada" });
  expect(outcome).toEqual({ kind: "signedUp", userId: "ada", isConfirmed });
});

it("says what may have happened without a response, and any server reason", async () => {
  let error = new AuthRetryableFetchError("Failed to fetch", 0);
  const answer = async () => ({ data: { user: null }, error });
  const { auth } = setUp(null, { signUp: answer, updateUser: answer, resetPasswordForEmail: answer } as never);
  const outcomes = [
    await auth.signUp({ email: "a@b.c", password: "x", name: "Ada" }),
    await auth.requestPasswordReset({ email: "a@b.c" }),
    await auth.updatePassword({ password: "x" }),
  ];
  error = new AuthRetryableFetchError("The server is restarting.", 503);
  outcomes.push(await auth.updatePassword({ password: "x" }));
  expect(outcomes.map((outcome) => "message" in outcome && outcome.message)).toEqual([
    "No response from the server. The account may have been created: check your email or try to log in.",
    "No response from the server. The link may have been sent: check your email.",
    "No response from the server. The new password may have been saved: try again or log in with it.",
    "The server is restarting.",
  ]);
});
