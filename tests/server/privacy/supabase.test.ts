import http from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCredentials } from "../../../server/auth/index.ts";
import { signUp, startAuthServer, type AuthServer } from "../../support/auth-server.ts";

/** What Supabase's sign-in is asked for when an account ends, with its answers. */
const asked: { line: string; key: string | undefined; body: string }[] = [];
let answerWith = 200;
let supabase: http.Server;
let server: AuthServer;
let front: AuthServer;

beforeAll(async () => {
  supabase = http.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      asked.push({ line: `${request.method} ${request.url}`, key: request.headers["apikey"]?.toString(), body });
      response.writeHead(answerWith, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => supabase.listen(0, "127.0.0.1", resolve));
  server = await startAuthServer();
  front = await startAuthServer({
    share: server.deps,
    env: {
      SUPABASE_URL: `http://127.0.0.1:${(supabase.address() as { port: number }).port}`,
      SUPABASE_ANON_KEY: "public key",
      SUPABASE_SERVICE_ROLE_KEY: "service key",
      DATABASE_URL: "postgres://shared-with-the-first/server",
    },
  });
});
afterAll(async () => {
  await front.stop();
  await server.stop();
  supabase.close();
});

test("on Supabase the password is checked by its sign-in, and the account erased by its admin call", async () => {
  const { session, email, userId } = await signUp(server);
  const caller = await server.authenticate(`Bearer ${session.access_token}`);
  const credentials = createCredentials(front.deps);
  expect(await credentials.isPassword(caller, "right", "127.0.0.1")).toBe(true);
  answerWith = 400;
  expect(await credentials.isPassword(caller, "wrong", "127.0.0.1")).toBe(false);
  answerWith = 200;
  await credentials.erase(userId);
  expect(asked).toEqual([
    {
      line: "POST /auth/v1/token?grant_type=password",
      key: "public key",
      body: JSON.stringify({ email, password: "right" }),
    },
    {
      line: "POST /auth/v1/token?grant_type=password",
      key: "public key",
      body: JSON.stringify({ email, password: "wrong" }),
    },
    { line: `DELETE /auth/v1/admin/users/${userId}`, key: "service key", body: "" },
  ]);
});

test("a sign-in that is away is neither a wrong password nor an erased account", async () => {
  const { session, userId } = await signUp(server);
  const caller = await server.authenticate(`Bearer ${session.access_token}`);
  const credentials = createCredentials(front.deps);
  answerWith = 502;
  await expect(credentials.isPassword(caller, "right", "127.0.0.1")).rejects.toMatchObject({
    status: 503,
    code: "sign_in_away",
  });
  await expect(credentials.erase(userId)).rejects.toMatchObject({ status: 503, code: "sign_in_away" });
});
