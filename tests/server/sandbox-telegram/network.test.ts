import { Long } from "@mtcute/core";
import { expect, test } from "vitest";
import { createClock } from "../../../server/core/clock.ts";
import { Inbox, loggedIn, PHONE, startNetwork, temporaryDir } from "./support.ts";

test("the phone shows every chat with its messages both ways, the liveliest first", async () => {
  const network = await startNetwork();
  const client = await loggedIn(network);
  const inbox = new Inbox(client);
  const { user_id: annaId } = network.receive(PHONE, { from: { first_name: "Anna", username: "anna_k" }, text: "hi" });
  await inbox.next();
  const { user_id: benId } = network.receive(PHONE, { from: { first_name: "Ben", is_bot: true }, text: "beep" });
  await inbox.next();
  await client.sendText(annaId, "hello");
  await client.sendText("me", "note to self");
  await client.sendText("leadloom_team", "posted");
  network.receive(PHONE, { from: { user_id: annaId, first_name: "Anna" }, text: "all", in_group: "Gardeners" });
  const shown = network.chats(PHONE).map(({ type, title, is_bot: bot, messages }) => ({
    type,
    title,
    bot,
    said: messages.map(({ from_name: from, out, text }) => `${from}${out ? " (out)" : ""}: ${text}`),
  }));
  expect(shown).toEqual([
    { type: "group", title: "Gardeners", bot: false, said: ["Anna: all"] },
    { type: "channel", title: "Leadloom team", bot: false, said: ["Seller (out): posted"] },
    { type: "user", title: "Saved Messages", bot: false, said: ["Seller (out): note to self"] },
    { type: "user", title: "Anna", bot: false, said: ["Anna: hi", "Seller (out): hello"] },
    { type: "user", title: "Ben", bot: true, said: ["Ben: beep"] },
  ]);
  expect(
    network
      .chats(PHONE)
      .map(({ id }) => id)
      .slice(3),
  ).toEqual([annaId, benId]);
});

test("keeps accounts, messages and ports over a restart, and a repeated send finds its message", async () => {
  const dir = temporaryDir();
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
