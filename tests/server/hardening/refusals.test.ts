import { expect, test } from "vitest";
import { sharedServer } from "../../support/servers.ts";

const server = await sharedServer();

test("someone without a subscription is noted in the audit log once an hour, however often the page asks", async () => {
  const user = await server.signUp();
  const ask = async () => expect((await server.call("GET", "/api/leads", { token: user.token })).status).toBe(402);
  const noted = async () =>
    (
      await server.deps.db
        .selectFrom("audit_log")
        .select("id")
        .where("user_id", "=", user.userId)
        .where("action", "=", "access_refused")
        .execute()
    ).length;
  for (let turn = 0; turn < 3; turn += 1) await ask();
  await expect.poll(noted).toBe(1);
  await server.advance(3_000);
  await ask();
  await server.advance(601);
  const again = await server.call<{ access_token: string }>("POST", "/auth/v1/token?grant_type=refresh_token", {
    body: { refresh_token: user.refreshToken },
    headers: { apikey: "leadloom-anon" },
  });
  expect((await server.call("GET", "/api/stages", { token: again.body.access_token })).status).toBe(402);
  await expect.poll(noted).toBe(2);
});
