import { expect, test } from "vitest";
import { createCredentials } from "../../../server/auth/index.ts";
import { finishErasures } from "../../../server/privacy/leaving.ts";
import { rowOf, rowsOf } from "../../support/rows.ts";
import { sharedServer } from "../../support/server.ts";

const server = await sharedServer();

test("logs out at Telegram, ends the subscription and erases everything", async () => {
  const ann = await server.signUp();
  await server.bill(ann, { status: "active" });
  const { phone } = await server.connect(ann);
  await server.receive(phone, { first_name: "Kim" }, "hello there");
  const customer = await rowOf(server.deps.db, "subscriptions", { user_id: ann.userId }, ["provider_customer_id"]);
  const exported = await ann.call("GET", "/account/export");
  expect(exported.body).toMatchObject({ leads: [{ name: "Kim" }], messages: [{ text: "hello there" }] });

  const gone = await ann.call("DELETE", "/account", { password: ann.password });
  expect([gone.status, gone.body]).toEqual([200, { success: true }]);

  expect(await server.sandbox(phone)).toMatchObject({ sessions: [] });
  expect((await ann.call("GET", "/leads")).status).toBe(401);
  const again = await server.signUp(ann.email);
  expect(again.userId).not.toBe(ann.userId);
  const synced = await again.call("POST", "/billing/sync");
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
  const sessions = async () => (await server.sandbox<{ sessions: unknown[] }>(phone)).sessions;
  await finishErasures(deps, credentials, { userId: ann.userId });
  await server.idle();
  expect(await sessions()).toEqual([]);
  await finishErasures(deps, credentials, { userId: ann.userId });
  expect(await rowsOf(deps.db, "account_erasures", { user_id: ann.userId })).toEqual([]);
});
