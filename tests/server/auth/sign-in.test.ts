import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { freshEmail, ownAuthServer, PASSWORD, signUp, supabase } from "../../support/auth-server.ts";
import { isRealPostgres } from "../../support/database.ts";
import { createManualJobs } from "../../support/manual-jobs.ts";
import { changeRows, refuseWrites, rowsOf } from "../../support/rows.ts";
import { untilLocked } from "../../support/waiting.ts";
import { startAuth } from "../../../server/auth/index.ts";
import { hashPassword } from "../../../server/auth/passwords.ts";

const server = await ownAuthServer();
const bearer = (token: string) => server.authenticate(`Bearer ${token}`);

test("returns a session with the name on sign-up", async () => {
  const { email, userId, session } = await signUp(server);
  const known = { role: "authenticated", aud: "authenticated", email };
  const user = { ...known, user_metadata: { name: "Ann Lee" } };
  expect(session).toMatchObject({ token_type: "bearer", expires_in: 3600, user });
  const claims = decodeJwt(session.access_token);
  expect(claims).toMatchObject({ ...known, sub: userId });
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600);
  expect(claims["session_id"]).toMatch(/^[0-9a-f-]{36}$/);
});

test("creates one account from ten concurrent sign-ups with one address", async () => {
  const email = freshEmail();
  const spellings = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? email : ` ${email.toUpperCase()} `));
  const signUps = spellings.map((each) => server.client().auth.signUp({ email: each, password: PASSWORD }));
  const refusals = (await Promise.all(signUps)).flatMap(({ error }) => (error === null ? [] : [error]));
  expect(refusals).toHaveLength(9);
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ status: 422, code: "user_already_exists", message: "User already registered" });
});

test("refuses a password that equals the address", async () => {
  const email = freshEmail();
  const { error } = await server.client().auth.signUp({ email, password: email });
  expect(error).toMatchObject({ code: "weak_password", reasons: ["characters"] });
});

test("refuses an invalid address before anything is stored", async () => {
  const long = `${"x".repeat(250)}@example.com`;
  for (const email of ["ann", "ann@", "@b.com", "a b@example.com", "ann@example", long, "ann\u0000@example.com"]) {
    const { error } = await server.client().auth.signUp({ email, password: PASSWORD });
    expect([email, error?.status, error?.code]).toEqual([email, 400, "validation_failed"]);
  }
});

test("responds the same for a wrong password and an unknown address", async () => {
  const { email } = await signUp(server);
  const signIn = async (to: string) =>
    (await server.client().auth.signInWithPassword({ email: to, password: `${PASSWORD}!` })).error;
  const wrong = await signIn(email);
  expect(wrong).toMatchObject({ status: 400, code: "invalid_credentials", message: "Invalid login credentials" });
  expect(await signIn(freshEmail())).toEqual(wrong);
});

test("refuses a token with another signature or algorithm, or without a session", async () => {
  const { session } = await signUp(server);
  const [head = "", payload = "", mac = ""] = session.access_token.split(".");
  const none = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
  const flipped = mac.startsWith("A") ? `B${mac.slice(1)}` : `A${mac.slice(1)}`;
  const forged = [
    `${head}.${payload}.${flipped}`,
    `${none}.${payload}.x`,
    `${none}.${payload}.${mac}`,
    "a.b.c",
    "leadloom-anon",
  ];
  for (const token of forged) await expect(bearer(token)).rejects.toMatchObject({ status: 401 });
  await expect(server.authenticate(undefined)).rejects.toMatchObject({ status: 401, code: "unauthorized" });
});

test("ends exactly the sessions of a local, other or global sign-out", async () => {
  const { email } = await signUp(server);
  const open = async () => {
    const client = supabase(server.url);
    const { data } = await client.auth.signInWithPassword({ email, password: PASSWORD });
    return { client, token: data.session?.access_token ?? "" };
  };
  const [a, b, c] = [await open(), await open(), await open()];
  const alive = async () =>
    (await Promise.allSettled([a, b, c].map(({ token }) => bearer(token)))).map(({ status }) => status === "fulfilled");
  expect(await alive()).toEqual([true, true, true]);
  await a.client.auth.signOut({ scope: "local" });
  expect(await alive()).toEqual([false, true, true]);
  await b.client.auth.signOut({ scope: "others" });
  expect(await alive()).toEqual([false, true, false]);
  await b.client.auth.signOut({ scope: "global" });
  expect(await alive()).toEqual([false, false, false]);
});

test("changes the user's own account; a new password ends all other sessions", async () => {
  const { client, email, session } = await signUp(server);
  const changed = await client.auth.updateUser({ data: { colour: "green" } });
  expect(changed.data.user?.user_metadata).toEqual({ name: "Ann Lee", colour: "green" });
  const same = await client.auth.updateUser({ password: PASSWORD });
  expect(same.error).toMatchObject({ status: 422, code: "same_password" });
  const signIn = (password: string) => server.client().auth.signInWithPassword({ email, password });
  const { data: other } = await signIn(PASSWORD);
  expect((await client.auth.updateUser({ password: "a better horse" })).error).toBeNull();
  await expect(bearer(other.session?.access_token ?? "")).rejects.toMatchObject({ code: "session_not_found" });
  expect(await bearer(session.access_token)).toMatchObject({ email });
  expect((await signIn(PASSWORD)).error?.code).toBe("invalid_credentials");
  expect((await signIn("a better horse")).error).toBeNull();
});

test.skipIf(!isRealPostgres)("refuses a password that is changed while it is checked", async () => {
  const { email } = await signUp(server);
  const { db } = server.deps;
  const { signIn } = await db.transaction().execute(async (tx) => {
    await changeRows(tx, "auth.users", { email }, { encrypted_password: await hashPassword("a better horse") });
    const request = server.client().auth.signInWithPassword({ email, password: PASSWORD });
    await untilLocked(db, 1);
    return { signIn: request };
  });
  expect((await signIn).error?.code).toBe("invalid_credentials");
});

test("keeps the password when the other sessions cannot be ended", async () => {
  const { client, email } = await signUp(server);
  const { data: other } = await server.client().auth.signInWithPassword({ email, password: PASSWORD });
  const accept = await refuseWrites(server.deps.db, "delete", "auth.sessions");
  expect((await client.auth.updateUser({ password: "a better horse" })).error?.status).toBe(500);
  await accept();
  expect((await client.auth.updateUser({ password: "a better horse" })).error).toBeNull();
  await expect(bearer(other.session?.access_token ?? "")).rejects.toMatchObject({ code: "session_not_found" });
});

test("returns its own code for a password reset without email", async () => {
  const { error } = await server.client().auth.resetPasswordForEmail(freshEmail());
  expect(error).toMatchObject({ status: 422, code: "email_not_configured" });
  const settings = await fetch(`${server.url}/auth/v1/settings`);
  expect(await settings.json()).toMatchObject({ mailer_autoconfirm: true, external: { email: true } });
});

test.each([
  ["/signup", "{", 400, "bad_json"],
  ["/signup", "[]", 400, "bad_json"],
  ["/signup", '{"email":"ann@example.com"}', 400, "validation_failed"],
  ["/signup", '{"email":"a1@example.com","password":"long enough 1","data":{"x":"\\u0000"}}', 400, "validation_failed"],
  ["/token?grant_type=magic", "{}", 400, "invalid_grant"],
  ["/token?grant_type=refresh_token", '{"refresh_token":"nonsense"}', 400, "refresh_token_not_found"],
  ["/nowhere", "{}", 404, "not_found"],
])("refuses %s with %s in GoTrue's shape", async (path, body, status, code) => {
  const response = await server.post(path, body);
  expect([response.status, await response.json()]).toMatchObject([status, { error_code: code }]);
});

test("gives a free address to one of several concurrent users", async () => {
  const users = await Promise.all(Array.from({ length: 8 }, () => signUp(server)));
  const email = freshEmail("wanted");
  const answers = await Promise.all(users.map(({ client }) => client.auth.updateUser({ email })));
  const refused = answers.flatMap(({ error }) => (error === null ? [] : [[error.status, error.code]]));
  expect(refused).toEqual(Array.from({ length: 7 }, () => [422, "email_exists"]));
});

type Answer = { access_token?: string; refresh_token?: string; error_code?: string };

const refresh = async (token: string): Promise<Answer> => {
  const response = await server.post("/token?grant_type=refresh_token", { refresh_token: token });
  return (await response.json()) as Answer;
};

test("returns the same token to twenty tabs that refresh at once", async () => {
  const { session } = await signUp(server);
  const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(session.refresh_token)));
  expect(answers.map(({ error_code }) => error_code)).toEqual(answers.map(() => undefined));
  expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(1);
  expect((await refresh(answers[0]?.refresh_token ?? "")).error_code).toBeUndefined();
});

test("accepts a used refresh token for 10 s; later it ends the session", async () => {
  const { session, email } = await signUp(server);
  const owners = await refresh(session.refresh_token);
  server.clock.advance(9);
  expect((await refresh(session.refresh_token)).error_code).toBeUndefined();
  expect(await bearer(owners.access_token ?? "")).toMatchObject({ email });
  server.clock.advance(2);
  expect((await refresh(session.refresh_token)).error_code).toBe("refresh_token_already_used");
  expect((await refresh(owners.refresh_token ?? "")).error_code).toBe("refresh_token_not_found");
  await expect(bearer(owners.access_token ?? "")).rejects.toMatchObject({ code: "session_not_found" });
});

test("refuses a forged refresh token without ending a session", async () => {
  const { session } = await signUp(server);
  const bytes = Buffer.from(session.refresh_token, "base64url");
  const forgeries = Array.from({ length: bytes.length }, (_, index) => {
    const copy = Buffer.from(bytes);
    copy[index] = (copy[index] ?? 0) ^ 1;
    return copy.toString("base64url");
  });
  for (const forged of [...forgeries, "", "x", session.access_token, `${session.refresh_token}=`]) {
    expect((await refresh(forged)).error_code).toBe(forged === "" ? "validation_failed" : "refresh_token_not_found");
  }
  expect((await refresh(session.refresh_token)).error_code).toBeUndefined();
});

test("deletes a session that is unused for sixty days", async () => {
  const { session, userId } = await signUp(server);
  server.clock.advance(60 * 86_400 + 1);
  expect((await refresh(session.refresh_token)).error_code).toBe("refresh_token_not_found");
  const jobs = createManualJobs(server.deps, { runsWork: true });
  await startAuth({ ...server.deps, jobs });
  await jobs.trigger("auth-sweep");
  await server.idle();
  expect(await rowsOf(server.deps.db, "auth.sessions", { user_id: userId })).toEqual([]);
});

test("stores no token in the database", async () => {
  const { session, userId } = await signUp(server);
  const { refresh_token: next = "" } = await refresh(session.refresh_token);
  const rows = await rowsOf(server.deps.db, "auth.sessions", { user_id: userId });
  expect(rows).toHaveLength(1);
  const stored = JSON.stringify(rows);
  for (const secret of [session.access_token, session.refresh_token, next]) expect(stored).not.toContain(secret);
});
