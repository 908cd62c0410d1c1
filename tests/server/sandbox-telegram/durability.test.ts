import { Long } from "@mtcute/core";
import { MemoryStorage } from "@mtcute/node";
import { expect, test } from "vitest";
import { startTelegramNetwork } from "../../../sandbox/telegram/index.ts";
import { createClock } from "../../../server/core/clock.ts";
import { Inbox, loggedIn, PHONE, refusal, startClient, startNetwork, temporaryDir } from "./support.ts";

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

test("messages that came while the client was away are fetched once each, slice by slice", async () => {
  const network = await startNetwork();
  const storage = new MemoryStorage();
  const before = await loggedIn(network, PHONE, { storage });
  const inboxBefore = new Inbox(before);
  const { user_id: annaId } = network.receive(PHONE, { from: { first_name: "Anna" }, text: "0" });
  await inboxBefore.next();
  await before.disconnect();
  const expected = Array.from({ length: 250 }, (_none, index) => String(index + 1));
  for (const text of expected) network.receive(PHONE, { from: { user_id: annaId, first_name: "Anna" }, text });
  const after = await startClient(network, { storage, updates: { catchUp: true } });
  const inbox = new Inbox(after);
  await after.connect();
  await after.startUpdatesLoop();
  const arrived: string[] = [];
  while (arrived.length < expected.length) arrived.push((await inbox.next()).text);
  expect(arrived).toEqual(expected);
  network.receive(PHONE, { from: { user_id: annaId, first_name: "Anna" }, text: "live" });
  expect((await inbox.next()).text).toBe("live");
});

test("a client whose connection broke gets what it missed", async () => {
  const network = await startNetwork();
  const client = await loggedIn(network);
  const inbox = new Inbox(client);
  const { user_id: annaId } = network.receive(PHONE, { from: { first_name: "Anna" }, text: "one" });
  await inbox.next();
  network.addFault(PHONE, { method: "help.getNearestDc", error: "DROP_CONNECTION" });
  const nearest = client.call({ _: "help.getNearestDc" });
  for (const text of ["two", "three"]) network.receive(PHONE, { from: { user_id: annaId, first_name: "Anna" }, text });
  await nearest;
  expect([(await inbox.next()).text, (await inbox.next()).text]).toEqual(["two", "three"]);
});

test("revoked sessions are told at once and stay out; the key can log in again", async () => {
  const network = await startNetwork();
  const client = await loggedIn(network);
  network.revoke(PHONE);
  expect(network.account(PHONE).sessions).toEqual([]);
  expect(await refusal(client.getMe())).toBe("SESSION_REVOKED");
  const sent = await client.sendCode({ phone: PHONE });
  if (!("phoneCodeHash" in sent)) throw new Error("logged in without a code");
  const code = network.account(PHONE).login_code ?? "";
  await client.signIn({ phone: PHONE, phoneCodeHash: sent.phoneCodeHash, phoneCode: code });
  expect((await client.getMe()).id).toBe(network.account(PHONE).user_id);
});

test("two programs that use one key at once lose it, one that only reconnects does not", async () => {
  const network = await startNetwork();
  const one = await loggedIn(network);
  const session = await one.exportSession();
  const same = await startClient(network);
  await same.importSession(session);
  expect((await same.getMe()).id).toBe(network.account(PHONE).user_id);
  expect(await refusal(one.getMe())).toBe("AUTH_KEY_DUPLICATED");
  expect(await refusal(same.getMe())).toBe("AUTH_KEY_DUPLICATED");
  expect(network.account(PHONE).sessions).toEqual([]);

  const two = await loggedIn(network);
  const handedOver = await two.exportSession();
  await two.disconnect();
  const successor = await startClient(network);
  await successor.importSession(handedOver);
  expect((await successor.getMe()).id).toBe(network.account(PHONE).user_id);
});

test("temporary keys (PFS) work like the permanent one they are bound to", async () => {
  const network = await startNetwork();
  const client = await loggedIn(network, PHONE, { network: { usePfs: true } });
  const inbox = new Inbox(client);
  network.receive(PHONE, { from: { first_name: "Anna" }, text: "hi" });
  expect((await inbox.next()).text).toBe("hi");
  expect(network.account(PHONE).sessions).toHaveLength(1);
});

test("takes another port when a program has taken its own", async () => {
  const clock = createClock();
  const network = await startNetwork(temporaryDir(), clock);
  const ports = network.connection.dcs.map(({ port }) => port);
  const other = await startTelegramNetwork({ dir: temporaryDir(), clock, ports });
  for (const { port } of other.connection.dcs) expect(ports).not.toContain(port);
  await other.close();
});
