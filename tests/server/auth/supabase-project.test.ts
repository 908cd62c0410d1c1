import { gzipSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createCredentials } from "../../../server/auth/index.ts";
import { type AuthServer, ownAuthServer, signUp, supabase } from "../../support/auth-server.ts";
import { ownProject, startFront, type ProjectAnswer } from "../../support/supabase-project.ts";

const KEYS = { anon: "sb_publishable_1", service: "sb_secret_1" };
let answer: ProjectAnswer;
const { requests, url } = await ownProject(() => answer);
const embedded = await ownAuthServer();
const front = await startFront(embedded, url, KEYS);
afterAll(() => front.stop());
beforeEach(() => {
  requests.length = 0;
  answer = { status: 200, headers: { "content-type": "application/json" }, body: "{}" };
});

const browser = { apikey: "sb_publishable_1", "content-type": "application/json", "sb-forwarded-for": "203.0.113.9" };
const post = (server: AuthServer, path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { method: "POST", headers: { ...browser, ...headers }, body: "{}" });
const seen = () => {
  const headers = requests[0]?.headers ?? {};
  return [headers["apikey"], headers["authorization"], headers["sb-forwarded-for"], headers["x-forwarded-for"]];
};

describe("with a Supabase project", () => {
  test.each([
    "token?grant_type=password",
    "signup",
    "recover",
    "resend",
    "otp",
    "verify",
    "token?grant_type=refresh_token",
  ])("counts %s by the client's own address, whatever address the browser sends", async (call) => {
    await post(front, `/auth/v1/${call}`);
    expect(seen()).toEqual(["sb_secret_1", "Bearer sb_publishable_1", "127.0.0.1", "127.0.0.1"]);
  });

  test("sends the secret key in no call that uses the caller's rights", async () => {
    for (const path of ["/auth/v1/admin/users", "/auth/v1/user", "/auth/v1/token/../admin/users"]) {
      requests.length = 0;
      await post(front, path);
      expect(seen()).toEqual(["sb_publishable_1", undefined, "127.0.0.1", "127.0.0.1"]);
    }
    requests.length = 0;
    await post(front, "/auth/v1/factors/1/verify", { authorization: "Bearer a.b.c" });
    expect(seen()).toEqual(["sb_secret_1", "Bearer a.b.c", "127.0.0.1", "127.0.0.1"]);
  });

  test("receives the address on a password reset, and passes its limit on", async () => {
    const { session } = await signUp(embedded);
    const caller = await embedded.authenticate(`Bearer ${session.access_token}`);
    const credentials = createCredentials(front.deps);
    expect(await credentials.isPassword(caller, "right", "198.51.100.7")).toBe(true);
    expect(seen()).toEqual(["sb_secret_1", "Bearer sb_publishable_1", "198.51.100.7", "198.51.100.7"]);
    answer = { status: 429, headers: { "retry-after": "17" }, body: "{}" };
    const limited = { status: 429, headers: { "retry-after": "17" } };
    await expect(credentials.isPassword(caller, "right", "198.51.100.7")).rejects.toMatchObject(limited);
  });
});

/** The refusals that GoTrue, its gateway and the network send. */
const refusals: (ProjectAnswer & { path: string })[] = [
  { path: "/auth/v1/token", status: 400, body: '{"code":"invalid_credentials","message":"Invalid login credentials"}' },
  {
    path: "/auth/v1/signup",
    status: 429,
    headers: { "retry-after": "60" },
    body: '{"code":429,"error_code":"over_email_send_rate_limit","msg":"email rate limit exceeded"}',
  },
  { path: "/auth/v1/token", status: 429, headers: { "content-type": "text/plain" }, body: "error code: 1015" },
  { path: "/auth/v1/user", status: 502, headers: { "content-type": "text/html" }, body: "<h1>502 Bad Gateway</h1>" },
];

test.each(refusals)("passes $status of $path through unchanged: $body", async (refusal) => {
  const headers = { "content-type": "application/json", "x-sb-error-code": "told", ...refusal.headers };
  for (const isPacked of [false, true]) {
    const packing = isPacked ? { "content-encoding": "gzip" } : {};
    answer = {
      status: refusal.status,
      headers: { ...headers, ...packing, "set-cookie": "__cf_bm=1" },
      body: isPacked ? gzipSync(refusal.body) : refusal.body,
    };
    const got = await post(front, refusal.path);
    expect([got.status, await got.text()]).toEqual([refusal.status, refusal.body]);
    for (const [name, value] of Object.entries(headers)) expect([name, got.headers.get(name)]).toEqual([name, value]);
    expect(got.headers.get("set-cookie")).toBeNull();
  }
});

test("serves rows itself, behind the same gate, without the project", async () => {
  const { data, error, status } = await supabase(front.url, "sb_publishable_1").from("subscriptions").select("*");
  expect([status, data, error?.code]).toEqual([401, null, "42501"]);
  expect(requests).toEqual([]);
});
