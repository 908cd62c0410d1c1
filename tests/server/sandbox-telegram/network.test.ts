import { Long } from "@mtcute/core";
import { expect, test } from "vitest";
import { createClock } from "../../../server/core/clock.ts";
import { newFolder } from "../../support/run-folder.ts";
import { Inbox, loggedIn, PHONE, startNetwork } from "./support.ts";

test("keeps accounts, messages and ports across a restart, and deduplicates sends", async () => {
  const dir = newFolder();
  const clock = createClock();
  const first = await startNetwork(dir, clock);
  const client = await loggedIn(first);
  const inbox = new Inbox(client);
  const { user_id: annaId } = first.receive(PHONE, { from: { first_name: "Anna" }, text: "hi" });
  await inbox.next();
  const randomIds = Array.from({ length: 5 }, (_none, index) => Long.fromNumber(index + 1));
  for (const randomId of randomIds) await client.sendText(annaId, `message ${randomId.toString()}`, { randomId });
  await first.close();

  const second = await startNetwork(dir, clock);
  expect(second.connection.dcs).toEqual(first.connection.dcs);
  expect(second.connection.publicKeyPem).toEqual(first.connection.publicKeyPem);
  expect(second.account(PHONE).sessions).toHaveLength(1);
  for (const randomId of randomIds) await client.sendText(annaId, "again", { randomId });
  second.receive(PHONE, { from: { user_id: annaId, first_name: "Anna" }, text: "still here?" });
  expect((await inbox.next()).text).toBe("still here?");
  const texts = randomIds.map((randomId) => `message ${randomId.toString()}`);
  expect(second.sent(PHONE).map(({ text }) => text)).toEqual(texts);
});

test("keeps the full name of a person who writes again from the sandbox page", async () => {
  const network = await startNetwork();
  network.createAccount({ phone: PHONE });
  const from = { first_name: "Anna", last_name: "Kern" };
  const { user_id } = network.receive(PHONE, { from, text: "hi" });
  network.receive(PHONE, { from: { user_id, first_name: "" }, text: "still here?" });
  expect(network.chats(PHONE).map(({ title }) => title)).toEqual(["Anna Kern"]);
});
