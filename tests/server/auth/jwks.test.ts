import http from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signUp, startAuthServer, type AuthServer } from "../../support/auth-server.ts";

const keys = await generateKeyPair("ES256", { extractable: true });
const others = await generateKeyPair("ES256", { extractable: true });
let issuer: http.Server;
let asked = 0;
let isAway = false;
let embedded: AuthServer;
let server: AuthServer;

beforeAll(async () => {
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: "k1", alg: "ES256" }] });
  issuer = http.createServer((_request, response) => {
    asked += 1;
    if (isAway) return response.writeHead(502).end("bad gateway");
    return response.setHeader("content-type", "application/json").end(jwks);
  });
  await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
  const { port } = issuer.address() as { port: number };
  embedded = await startAuthServer();
  server = await startFor(`http://127.0.0.1:${port}`);
});
afterAll(async () => {
  await server.stop();
  await embedded.stop();
  issuer.close();
});

const startFor = (url: string) =>
  startAuthServer({
    share: embedded.deps,
    env: {
      SUPABASE_URL: url,
      SUPABASE_ANON_KEY: "k",
      SUPABASE_SERVICE_ROLE_KEY: "k",
      DATABASE_URL: "postgres://shared-with-the-first/server",
    },
  });

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

test("a token signed with the project's published key opens the routes, and the key is asked for once", async () => {
  for (let index = 0; index < 3; index += 1) {
    const { authorization, userId } = await tokenFor({});
    expect(await server.authenticate(authorization)).toMatchObject({ id: userId, email: "a@example.com" });
  }
  expect(asked).toBe(1);
});

test("a token of another key, role, audience or without a session is refused", async () => {
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

test("while the keys cannot be had it is an outage, not a sign-out, and a token of no make is refused all the same", async () => {
  isAway = true;
  const { authorization } = await tokenFor({});
  const fresh = [
    await startFor(`http://127.0.0.1:${(issuer.address() as { port: number }).port}`),
    await startFor("http://127.0.0.1:9"),
  ];
  for (const away of fresh) {
    await expect(away.authenticate(authorization)).rejects.toMatchObject({ status: 503, code: "sign_in_away" });
    await expect(away.authenticate("Bearer a.b.c")).rejects.toMatchObject({ status: 401, code: "bad_jwt" });
    await away.stop();
  }
  isAway = false;
});
