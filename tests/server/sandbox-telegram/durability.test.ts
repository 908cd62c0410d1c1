import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Long } from "@mtcute/core";
import { MemoryStorage } from "@mtcute/node";
import { expect, test } from "vitest";
import {
  startTelegramNetwork,
  type AccountView,
  type SentView,
  type TelegramConnection,
  type TelegramNetwork,
} from "../../../sandbox/telegram/index.ts";
import { freePort } from "../../support/ports.ts";
import {
  afterTest,
  followsUpdates,
  Inbox,
  loggedIn,
  MovableClock,
  PHONE,
  refusal,
  startClient,
  startNetwork,
  temporaryDir,
} from "./support.ts";

const MAIN = fileURLToPath(new URL("../../../sandbox/telegram/main.ts", import.meta.url));

type Standalone = {
  process: ChildProcess;
  connection: TelegramConnection;
  pull<Result>(lever: string, ...args: unknown[]): Promise<Result>;
};

/** Ports that nobody takes by chance while the network is down. */
const keptPorts = async () => [await freePort(), await freePort()];

/** The network as a process of its own, which can be killed. */
async function startStandalone(dir: string): Promise<Standalone> {
  const child = spawn(process.execPath, [MAIN, dir], { stdio: ["ignore", "pipe", "inherit"] });
  afterTest(() => {
    child.kill("SIGKILL");
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { connection, levers } = JSON.parse(line) as { connection: TelegramConnection; levers: string };
  return {
    process: child,
    connection,
    async pull<Result>(lever: string, ...args: unknown[]): Promise<Result> {
      const response = await fetch(`${levers}/${lever}`, { method: "POST", body: JSON.stringify(args) });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as Result;
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

test("all that was answered outlives kill -9 of the network, and the client goes on where it was", async () => {
  const dir = temporaryDir();
  await (await startTelegramNetwork({ dir, clock: new MovableClock(), ports: await keptPorts() })).close();
  const first = await startStandalone(dir);
  await first.pull("createAccount", { phone: PHONE, first_name: "Mia" });
  const network = { connection: first.connection } as TelegramNetwork;
  const client = await startClient(network);
  const inbox = new Inbox(client);
  const sent = await client.sendCode({ phone: PHONE });
  if (!("phoneCodeHash" in sent)) throw new Error("logged in without a code");
  const { login_code: code } = await first.pull<AccountView>("account", PHONE);
  await client.signIn({ phone: PHONE, phoneCodeHash: sent.phoneCodeHash, phoneCode: code ?? "" });
  await followsUpdates(client);
  const { user_id: annaId } = await first.pull<{ user_id: number }>("receive", PHONE, {
    from: { first_name: "Anna" },
    text: "hi",
  });
  await inbox.next();
  const randomIds = Array.from({ length: 20 }, (_none, index) => Long.fromNumber(index + 1));
  for (const randomId of randomIds) await client.sendText(annaId, `message ${randomId.toString()}`, { randomId });
  await first.pull("addFault", PHONE, { method: "messages.sendMessage", error: "FLOOD_WAIT_9", times: 3 });
  await kill(first.process);

  const second = await startStandalone(dir);
  expect(second.connection).toEqual(first.connection);
  await second.pull("clearFaults", PHONE);
  expect((await second.pull<AccountView>("account", PHONE)).sessions).toHaveLength(1);
  const texts = randomIds.map((randomId) => `message ${randomId.toString()}`);
  expect((await second.pull<SentView[]>("sent", PHONE)).map(({ text }) => text)).toEqual(texts);
  for (const randomId of randomIds) await client.sendText(annaId, "again", { randomId });
  await second.pull("receive", PHONE, { from: { user_id: annaId, first_name: "Anna" }, text: "still here?" });
  expect((await inbox.next()).text).toBe("still here?");
  expect((await second.pull<SentView[]>("sent", PHONE)).map(({ text }) => text)).toEqual(texts);
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

test("two thousand messages come in and go out in seconds", async () => {
  const network = await startNetwork();
  const client = await loggedIn(network);
  const inbox = new Inbox(client);
  const { user_id: annaId } = network.receive(PHONE, { from: { first_name: "Anna" }, text: "0" });
  await inbox.next();
  for (let sent = 1; sent <= 1000; sent += 1) {
    network.receive(PHONE, { from: { user_id: annaId, first_name: "Anna" }, text: String(sent) });
  }
  const numbers = Array.from({ length: 1000 }, (_none, index) => index + 1);
  const arrived: string[] = [];
  while (arrived.length < 1000) arrived.push((await inbox.next()).text);
  expect(arrived).toEqual(numbers.map(String));
  await Promise.all(numbers.map((number) => client.sendText(annaId, `out ${number}`)));
  expect(network.sent(PHONE)).toHaveLength(1000);
});

test("a port taken by another program is replaced, a free one is kept", async () => {
  const dir = temporaryDir();
  const clock = new MovableClock();
  const network = await startTelegramNetwork({ dir, clock, ports: await keptPorts() });
  const { dcs, publicKeyPem } = network.connection;
  await network.close();
  const again = await startTelegramNetwork({ dir, clock });
  expect(again.connection).toMatchObject({ dcs, publicKeyPem });
  const other = await startTelegramNetwork({ dir: temporaryDir(), clock, ports: dcs.map(({ port }) => port) });
  for (const { port } of other.connection.dcs) expect(dcs.map((dc) => dc.port)).not.toContain(port);
  await Promise.all([again.close(), other.close()]);
});
