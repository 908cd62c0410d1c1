import { expect, test } from "vitest";
import { createCredentials } from "../../../server/auth/index.ts";
import { finishErasures } from "../../../server/privacy/leaving.ts";
import { sharedServer } from "../../support/servers.ts";
import { rowOf, rowsOf } from "../../support/rows.ts";

const server = await sharedServer();

test("logs out at Telegram, ends the subscription and erases everything", async () => {
  const ann = await server.signUp();
  const subscription = `/sandbox/billing/subscriptions/${encodeURIComponent(ann.email)}`;
  await server.call("POST", subscription, { body: { status: "active" } });
  const { phone } = await server.connect(ann);
  await server.receive(phone, { first_name: "Kim" }, "hello there");
  const customer = await rowOf(server.deps.db, "subscriptions", { user_id: ann.userId }, ["provider_customer_id"]);
  const exported = await server.call("GET", "/api/account/export", { token: ann.token });
  expect(exported.body).toMatchObject({ leads: [{ name: "Kim" }], messages: [{ text: "hello there" }] });

  const gone = await server.call("DELETE", "/api/account", { token: ann.token, body: { password: ann.password } });
  expect([gone.status, gone.body]).toEqual([200, { success: true }]);

  const account = await server.call("GET", `/sandbox/telegram/accounts/${encodeURIComponent(phone)}`);
  expect(account.body).toMatchObject({ sessions: [] });
  expect((await server.call("GET", "/api/leads", { token: ann.token })).status).toBe(401);
  const again = await server.signUp(ann.email);
  expect(again.userId).not.toBe(ann.userId);
  const synced = await server.call("POST", "/api/billing/sync", { token: again.token });
  expect([synced.status, synced.body]).toEqual([200, { status: null }]);
  expect(customer.provider_customer_id).toMatch(/^cus_/);
  await server.idle();
  const rows = await rowsOf(server.deps.db, "subscriptions", { provider_customer_id: customer.provider_customer_id });
  expect(rows).toEqual([]);
});

test("logs out an account that was connected while the user's account was closed", async () => {
  const { deps } = server;
  const ann = await server.subscriber();
  const { phone } = await server.connect(ann);
  const credentials = createCredentials(deps);
  await credentials.close(ann.userId);
  const sessions = async () => {
    const url = `/sandbox/telegram/accounts/${encodeURIComponent(phone)}`;
    return (await server.call<{ sessions: unknown[] }>("GET", url)).body.sessions;
  };
  await finishErasures(deps, credentials, { userId: ann.userId });
  await server.idle();
  expect(await sessions()).toEqual([]);
  await finishErasures(deps, credentials, { userId: ann.userId });
  expect(await rowsOf(deps.db, "account_erasures", { user_id: ann.userId })).toEqual([]);
});
