import { afterAll, expect, test } from "vitest";
import { createCredentials } from "../../../server/auth/index.ts";
import { ownAuthServer, signUp } from "../../support/auth-server.ts";
import { ownProject, startFront } from "../../support/supabase-project.ts";

/** The requests to Supabase's sign-in when an account is deleted, and their responses. */
let answerWith = 200;
const headers = { "content-type": "application/json" };
const { requests, url } = await ownProject(() => ({ status: answerWith, headers, body: "{}" }));
const server = await ownAuthServer();
const front = await startFront(server, url, { anon: "public key", service: "service key" });
afterAll(() => front.stop());

test("checks the password and deletes the account through Supabase", async () => {
  const { session, email, userId } = await signUp(server);
  const caller = await server.authenticate(`Bearer ${session.access_token}`);
  const credentials = createCredentials(front.deps);
  expect(await credentials.isPassword(caller, "right", "127.0.0.1")).toBe(true);
  answerWith = 400;
  expect(await credentials.isPassword(caller, "wrong", "127.0.0.1")).toBe(false);
  answerWith = 200;
  await credentials.erase(userId);
  const password = (word: string) => [
    "POST /auth/v1/token?grant_type=password",
    "public key",
    JSON.stringify({ email, password: word }),
  ];
  expect(requests.map((one) => [one.line, one.headers["apikey"], one.body])).toEqual([
    password("right"),
    password("wrong"),
    [`DELETE /auth/v1/admin/users/${userId}`, "service key", ""],
  ]);
});

test("reports an unreachable sign-in as neither wrong password nor deletion", async () => {
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
