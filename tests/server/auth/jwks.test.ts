import http from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signUp, startAuthServer, type AuthServer } from "../../support/auth-server.ts";

const keys = await generateKeyPair("ES256", { extractable: true });
const others = await generateKeyPair("ES256", { extractable: true });
let issuer: http.Server;
let asked = 0;
let embedded: AuthServer;
let server: AuthServer;

beforeAll(async () => {
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: "k1", alg: "ES256" }] });
  issuer = http.createServer((_request, response) => {
    asked += 1;
    response.setHeader("content-type", "application/json").end(jwks);
  });
  await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
  const { port } = issuer.address() as { port: number };
  embedded = await startAuthServer();
  server = await startAuthServer({
    share: embedded.deps,
    env: {
      SUPABASE_URL: `http://127.0.0.1:${port}`,
      SUPABASE_ANON_KEY: "k",
      SUPABASE_SERVICE_ROLE_KEY: "k",
      DATABASE_URL: "postgres://shared-with-the-first/server",
    },
  });
});
afterAll(async () => {
  await server.stop();
  await embedded.stop();
  issuer.close();
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
