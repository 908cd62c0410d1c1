import { expect, test } from "vitest";
import { sharedServer, type TestUser } from "../../support/server.ts";

const server = await sharedServer();

/** Opens the event stream of a tab; `ended` resolves when the server closes it. */
async function listen(user: Pick<TestUser, "token">) {
  const response = await fetch(`${server.url}/api/events`, { headers: { authorization: `Bearer ${user.token}` } });
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error("no stream");
  await reader.read();
  let isOpen = true;
  const ended = (async () => {
    while (!(await reader.read()).done);
    isOpen = false;
  })();
  return { ended, isOpen: () => isOpen, close: () => reader.cancel() };
}

test("ends the event stream of a tab that signs out, not of another tab", async () => {
  const user = await server.signUp();
  const other = { ...user };
  await server.renew(other);
  const [first, second] = [await listen(user), await listen(other)];
  const out = await server.call("POST", "/auth/v1/logout?scope=local", { token: user.token });
  expect(out.status).toBe(204);
  await first.ended;
  expect(second.isOpen()).toBe(true);
  await second.close();
});
