import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, expect, test } from "vitest";
import { ownAuthServer, signUp } from "../../support/auth-server.ts";
import { ownProject, startFront } from "../../support/supabase-project.ts";

const keys = await generateKeyPair("ES256", { extractable: true });
const others = await generateKeyPair("ES256", { extractable: true });
const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: "k1", alg: "ES256" }] });
const headers = { "content-type": "application/json" };
let isAway = false;
const { requests, url } = await ownProject(() =>
  isAway ? { status: 502, body: "" } : { status: 200, headers, body: jwks },
);
const embedded = await ownAuthServer();
const server = await startFront(embedded, url);
afterAll(() => server.stop());

async function tokenFor(claims: Record<string, unknown>, key = keys.privateKey) {
  const { session, userId } = await signUp(embedded);
  const { sessionId } = await embedded.authenticate(`Bearer ${session.access_token}`);
  const token = await new SignJWT({ role: "authenticated", session_id: sessionId, email: "a@example.com", ...claims })
    .setProtectedHeader({ alg: "ES256", kid: "k1" })
    .setSubject(userId)
    .setAudience("authenticated")
    .setExpirationTime("1h")
    .sign(key);
  return { authorization: `Bearer ${token}`, userId, hs256: `Bearer ${session.access_token}` };
}

test("accepts a token signed with the project's published key, fetched once", async () => {
  for (let index = 0; index < 3; index += 1) {
    const { authorization, userId } = await tokenFor({});
    expect(await server.authenticate(authorization)).toMatchObject({ id: userId, email: "a@example.com" });
  }
  expect(requests).toHaveLength(1);
});

test("refuses a token of another key, role or audience, or without a session", async () => {
  const refused = [
    (await tokenFor({}, others.privateKey)).authorization,
    (await tokenFor({ role: "anon" })).authorization,
    (await tokenFor({ role: "service_role" })).authorization,
    (await tokenFor({ session_id: undefined })).authorization,
    (await tokenFor({ session_id: crypto.randomUUID() })).authorization,
    (await tokenFor({})).hs256,
  ];
  for (const authorization of refused)
    await expect(server.authenticate(authorization)).rejects.toMatchObject({ status: 401 });
});

test("reports an outage without the keys, but still refuses a malformed token", async () => {
  isAway = true;
  const { authorization } = await tokenFor({});
  const fresh = [await startFront(embedded, url), await startFront(embedded, "http://127.0.0.1:9")];
  for (const away of fresh) {
    await expect(away.authenticate(authorization)).rejects.toMatchObject({ status: 503, code: "sign_in_away" });
    await expect(away.authenticate("Bearer a.b.c")).rejects.toMatchObject({ status: 401, code: "bad_jwt" });
    await away.stop();
  }
});
