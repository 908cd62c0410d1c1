import { expect, test } from "vitest";
import { type TestUser } from "../../support/server.ts";
import { sharedServer } from "../../support/servers.ts";

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
  const { body } = await server.call<{ access_token: string }>("POST", "/auth/v1/token?grant_type=password", {
    body: { email: user.email, password: user.password },
  });
  const [first, second] = [await listen(user), await listen({ token: body.access_token })];
  const out = await server.call("POST", "/auth/v1/logout?scope=local", { token: user.token });
  expect(out.status).toBe(204);
  await first.ended;
  expect(second.isOpen()).toBe(true);
  await second.close();
});
