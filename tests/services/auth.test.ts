import { type AuthChangeEvent, AuthRetryableFetchError, type GoTrueClient, type Session } from "@supabase/auth-js";
import { describe, expect, it } from "vitest";
import { type AuthFact, createAuth } from "../../src/services/auth.ts";
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
  const facts: AuthFact[] = [];
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
  return { auth, facts, seen, stop, emit: (event: AuthChangeEvent, next: unknown) => emit(event, next as Session) };
}
const types = (facts: AuthFact[]) => facts.map((fact) => fact.type);

describe("the session check", () => {
  it("of a fresh stored session is answered without loading the client", async () => {
    const { facts, seen } = setUp(stored(3_600));
    await Promise.resolve();
    expect(facts).toEqual([
      { type: "session.started", session: { accessToken: "token-1", expiresAt: NOW + 3_600_000, user: ada } },
    ]);
    expect(seen.loads).toEqual(0);
  });

  it.each([
    ["nothing", null],
    ["a broken text", "{oops"],
    ["an empty object", "{}"],
    ["a session without a user", '{"access_token":"x"}'],
    ["a number", "42"],
  ])("of %s in storage says signed out without loading the client", async (_what, text) => {
    const { facts, seen } = setUp(text);
    await Promise.resolve();
    expect([types(facts), seen.loads]).toEqual([["session.ended"], 0]);
  });

  it("of an expiring session is left to the client", async () => {
    const { facts, seen, emit } = setUp(stored(60));
    await Promise.resolve();
    expect([facts, seen.loads]).toEqual([[], 1]);
    await Promise.resolve();
    emit("TOKEN_REFRESHED", JSON.parse(stored(3_600)));
    emit("INITIAL_SESSION", JSON.parse(stored(3_600)));
    expect(types(facts)).toEqual(["token.refreshed", "session.started"]);
  });

  it("of a link from an e-mail is left to the client", async () => {
    window.history.replaceState(null, "", "/reset-password#access_token=x&type=recovery");
    const { facts, seen, emit } = setUp(null);
    await Promise.resolve();
    await Promise.resolve();
    emit("PASSWORD_RECOVERY", JSON.parse(stored(3_600)));
    expect([types(facts), seen.loads]).toEqual([["recovery.started"], 1]);
  });
});

describe("a link from an e-mail that does not work", () => {
  it.each([
    ["/#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired"],
    ["/login?error_description=Email%20link%20is%20invalid%20or%20has%20expired"],
  ])("such as %s says why", (address) => {
    window.history.replaceState(null, "", address);
    expect(english(setUp(null).auth.linkProblem ?? "")).toEqual("Email link is invalid or has expired");
  });

  it("is not seen where there is none", () => expect(setUp(null).auth.linkProblem).toEqual(null));
});

describe("another tab", () => {
  const announce = (newValue: string | null) => {
    if (newValue === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, newValue);
    window.dispatchEvent(new StorageEvent("storage", { key: KEY, newValue }));
  };

  it("that signs out or in is followed, until nobody listens", async () => {
    const { facts, stop } = setUp(stored(3_600));
    await Promise.resolve();
    announce(null);
    announce(stored(7_200));
    stop();
    announce(null);
    expect(types(facts)).toEqual(["session.started", "session.ended", "session.started"]);
  });

  it("that stores something else is not listened to", async () => {
    const { facts, stop } = setUp(stored(3_600));
    await Promise.resolve();
    window.dispatchEvent(new StorageEvent("storage", { key: "leadloom_theme", newValue: "dark" }));
    expect(types(facts)).toEqual(["session.started"]);
    stop();
  });
});

describe("signing out", () => {
  it("ends the session here even when the server cannot be told", async () => {
    const { auth, facts, seen, stop } = setUp(stored(3_600), { signOut: () => Promise.reject(new Error("offline")) });
    await auth.signOut();
    expect([types(facts), localStorage.getItem(KEY), seen.warnings]).toEqual([
      ["session.started", "session.ended"],
      null,
      ["the server was not told of the sign-out"],
    ]);
    stop();
  });
});

describe("signing in", () => {
  const signInWith = (message: string) =>
    setUp(null, {
      signInWithPassword: async () => ({ data: { user: null, session: null }, error: { message } }),
    } as unknown as Partial<GoTrueClient>);

  it.each([
    ["Invalid login credentials", "Invalid login credentials"],
    ["Failed to fetch", "Failed to fetch"],
    ["{}", "The server’s response could not be read. Try again."],
    [`Unexpected token '<', "<html>" is not valid JSON`, "The server’s response could not be read. Try again."],
  ])("that fails with %s says: %s", async (message, text) => {
    const { auth, stop } = signInWith(message);
    expect(await auth.signIn({ email: "a@b.c", password: "x" })).toEqual({ kind: "refused", message: text });
    stop();
  });
});

it("a refusal is worded by its code and the parameters of the answer, and in English as the server wrote it", async () => {
  const params = { reason: "length", limit: 8 } as const;
  const error = { code: "weak_password", message: "Password should be at least 8 characters." };
  const client = { updateUser: async () => ({ error }) } as unknown as Partial<GoTrueClient>;
  const { auth, stop } = setUp(null, client, { error_code: error.code, params });
  const { id, values } = SIGN_IN_PROBLEMS.weak_password(params);
  const outcome = await auth.updatePassword({ password: "x" });
  expect(outcome).toMatchObject({ kind: "refused", message: { id, values, english: error.message } });
  stop();
});

describe("the key of the stored session", () => {
  it.each([
    ["localhost", "sb-localhost-auth-token"],
    ["127.0.0.1", "sb-127-auth-token"],
    ["app.leadloom.example", "sb-app-auth-token"],
  ])("on %s is %s, as the client's own", (host, key) => expect(sessionKeyOf(host)).toEqual(key));
});

describe("a sign-up", () => {
  it.each([
    ["2026-11-21T12:00:00Z", true],
    [null, false],
    [undefined, false],
  ])(
    "says whether the account needs no confirmation: email_confirmed_at %s",
    async (email_confirmed_at, isConfirmed) => {
      const answer = async () => ({ data: { user: { id: "ada", email_confirmed_at } }, error: null });
      const { auth } = setUp(null, { signUp: answer } as never);
      const outcome = await auth.signUp({ email: "a@b.c", password: "x", name: "Ada" });
      expect(outcome).toEqual({ kind: "signedUp", userId: "ada", isConfirmed });
    },
  );
});

describe("an auth call without a response", () => {
  const offline = async () => ({ data: { user: null }, error: new AuthRetryableFetchError("Failed to fetch", 0) });
  const busy = async () => ({
    data: { user: null },
    error: new AuthRetryableFetchError("The server is restarting.", 503),
  });
  const start = (answer: typeof offline) =>
    setUp(null, { signUp: answer, updateUser: answer, resetPasswordForEmail: answer } as never).auth;

  it("says what may have happened all the same", async () => {
    const auth = start(offline);
    const outcomes = [
      await auth.signUp({ email: "a@b.c", password: "x", name: "Ada" }),
      await auth.requestPasswordReset({ email: "a@b.c" }),
      await auth.updatePassword({ password: "x" }),
    ];
    expect(outcomes.map((outcome) => "message" in outcome && outcome.message)).toEqual([
      "No response from the server. The account may have been created: check your email or try to log in.",
      "No response from the server. The link may have been sent: check your email.",
      "No response from the server. The new password may have been saved: try again or log in with it.",
    ]);
  });

  it("gives the server's reason when there is one", async () => {
    expect(await start(busy).updatePassword({ password: "x" })).toEqual({
      kind: "refused",
      message: "The server is restarting.",
    });
  });
});
