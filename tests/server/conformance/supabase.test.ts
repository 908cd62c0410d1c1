import { createClient } from "@supabase/supabase-js";
import { afterAll, describe, expect, test } from "vitest";
import { freshEmail, ownAuthServer, PASSWORD, supabase } from "../../support/auth-server.ts";
import { supabaseCases, type Target } from "../../support/supabase-cases.ts";
import { startFront } from "../../support/supabase-project.ts";

const person = (client: Target["client"]) => async () => {
  const signedIn = client();
  const email = freshEmail();
  const { data, error } = await signedIn.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { full_name: "Ann" } },
  });
  if (error !== null || data.user === null) throw error ?? new Error("no user");
  return { client: signedIn, email, password: PASSWORD, userId: data.user.id };
};

const embedded = await ownAuthServer();
const { auth } = embedded.deps.config;
if (auth.kind !== "embedded") throw new Error("the first server must own its sign-in");
const keys = { anon: auth.anonKey };
const proxy = await startFront(embedded, embedded.url, keys, { SUPABASE_JWT_SECRET: auth.jwtSecret });
afterAll(() => proxy.stop());

describe("the embedded sign-in and the proxy", () => {
  test.each(supabaseCases)("$name", async ({ run, expected }) => {
    const direct = () => supabase(embedded.url);
    expect(await run({ client: direct, person: person(direct) })).toEqual(expected);
    const proxied = () => supabase(proxy.url);
    expect(await run({ client: proxied, person: person(proxied) })).toEqual(expected);
  });

  test("accepts a token of either side until a sign-out", async () => {
    const { client } = await person(() => supabase(proxy.url))();
    const { data } = await client.auth.getSession();
    const authorization = `Bearer ${data.session?.access_token ?? ""}`;
    expect(await proxy.authenticate(authorization)).toMatchObject({ id: data.session?.user.id });
    await client.auth.signOut();
    const code = () =>
      proxy.authenticate(authorization).then(
        () => "open",
        (error: { code: string }) => error.code,
      );
    await proxy.idle();
    expect(await code()).toBe("session_not_found");
  });

  test("creates the users row on an emailed account's first call", async () => {
    const { client, userId } = await person(() => supabase(proxy.url))();
    const { data } = await client.auth.getSession();
    await proxy.authenticate(`Bearer ${data.session?.access_token ?? ""}`);
    expect((await client.from("users").select("id,name").single()).data).toEqual({ id: userId, name: "Ann" });
  });

  test("reports an unreachable upstream as an outage, not a sign-out", async () => {
    const away = await startFront(embedded, "http://127.0.0.1:9");
    const { error } = await supabase(away.url).auth.signInWithPassword({ email: freshEmail(), password: PASSWORD });
    expect(error).toMatchObject({ name: "AuthRetryableFetchError", status: 503 });
    await away.stop();
  });
});

const { CONFORMANCE_SUPABASE_URL: url, CONFORMANCE_ANON_KEY: key, CONFORMANCE_SERVICE_ROLE_KEY: service } = process.env;

describe.runIf(url !== undefined && key !== undefined && service !== undefined)("a real Supabase project", () => {
  const client = () => supabase(url ?? "", key);
  const admin = () =>
    createClient(url ?? "", service ?? "", { auth: { autoRefreshToken: false, persistSession: false } });
  const confirmed = async () => {
    const email = freshEmail();
    const { data, error } = await admin().auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    if (error !== null) throw error;
    const signedIn = client();
    await signedIn.auth.signInWithPassword({ email, password: PASSWORD });
    return { client: signedIn, email, password: PASSWORD, userId: data.user.id };
  };
  test.each(supabaseCases)("$name", async ({ run, expected }) => {
    expect(await run({ client, person: confirmed })).toEqual(expected);
  });
});
