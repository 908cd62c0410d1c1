import { expect, test } from "vitest";
import { createClock } from "../../../server/core/clock.ts";
import { SandboxError, type TelegramNetwork } from "../../../sandbox/telegram/index.ts";
import { Inbox, loggedIn, PHONE, refusal, startNetwork, temporaryDir } from "./support.ts";

/** Status and code of the lever's refusal. */
function refused(pull: () => unknown): [number, string] {
  try {
    pull();
  } catch (error) {
    if (error instanceof SandboxError) return [error.status, error.code];
    throw error;
  }
  throw new Error("the lever was not refused");
}

test("an account is made once, with a phone, a username and a data centre that can be", async () => {
  const network = await startNetwork();
  const account = network.createAccount({
    phone: "0049 (151) 1234".replace("00", ""),
    username: "@mia_k",
    first_name: "Mia",
  });
  expect(account).toEqual({
    phone: "+491511234",
    user_id: 5_000_000_001,
    first_name: "Mia",
    last_name: null,
    username: "mia_k",
    dc_id: 2,
    has_password: false,
    login_code: null,
    sessions: [],
  });
  expect(network.accounts()).toEqual([account]);
  expect(refused(() => network.createAccount({ phone: "+491511234" }))).toEqual([409, "phone_taken"]);
  expect(refused(() => network.createAccount({ phone: "hello" }))).toEqual([422, "invalid"]);
  expect(refused(() => network.createAccount({ phone: "+491511235", username: "MIA_K" }))).toEqual([
    409,
    "username_taken",
  ]);
  expect(refused(() => network.createAccount({ phone: "+491511235", dc_id: 9 }))).toEqual([422, "invalid"]);
  expect(refused(() => network.account("+491511239"))).toEqual([404, "unknown_account"]);
});

test.each<[string, (network: TelegramNetwork) => unknown, [number, string]]>([
  ["an empty message", (to) => to.receive(PHONE, { from: { first_name: "A" }, text: "" }), [422, "invalid"]],
  [
    "a message too long",
    (to) => to.receive(PHONE, { from: { first_name: "A" }, text: "x".repeat(4097) }),
    [422, "invalid"],
  ],
  ["a writer without a name", (to) => to.receive(PHONE, { from: { first_name: "" }, text: "x" }), [422, "invalid"]],
  ["a message that is not there", (to) => to.editMessage(PHONE, 9, "x"), [404, "unknown_message"]],
  ["a person who is not there", (to) => to.block(PHONE, 9), [404, "unknown_person"]],
  ["a session that is not there", (to) => to.revoke(PHONE, "9"), [404, "unknown_session"]],
  ["a channel that is not there", (to) => to.setChannelRole(PHONE, "nowhere", "admin"), [404, "unknown_channel"]],
  [
    "a taken channel name",
    (to) => to.createChannel({ username: "leadloom_team", title: "x" }),
    [409, "username_taken"],
  ],
  ["a fault of no method", (to) => to.addFault(PHONE, { method: "send", error: "PEER_FLOOD" }), [422, "invalid"]],
  ["a fault of no error", (to) => to.addFault(PHONE, { method: "a.b", error: "peer flood" }), [422, "invalid"]],
  ["a fault never", (to) => to.addFault(PHONE, { method: "a.b", error: "PEER_FLOOD", times: 0 }), [422, "invalid"]],
])("%s is refused in plain words", async (_name, pull, expected) => {
  const network = await startNetwork();
  network.createAccount({ phone: PHONE });
  expect(refused(() => pull(network))).toEqual(expected);
});

test("whoever watches is told of changes, until they stop watching", async () => {
  const network = await startNetwork();
  let count = 0;
  const told = new Promise<void>((resolve) => {
    const stop = network.onChange(() => {
      count += 1;
      stop();
      resolve();
    });
  });
  network.createAccount({ phone: PHONE });
  await told;
  const again = new Promise<void>((resolve) => network.onChange(() => resolve()));
  network.receive(PHONE, { from: { first_name: "Anna" }, text: "hi" });
  await again;
  expect(count).toBe(1);
});

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

test("a person reads, renames, deletes the account and cannot write any more", async () => {
  const network = await startNetwork();
  const client = await loggedIn(network);
  const inbox = new Inbox(client);
  const { user_id: annaId } = network.receive(PHONE, { from: { first_name: "Anna" }, text: "hi" });
  await inbox.next();
  const sent = await client.sendText(annaId, "hello");
  const read = new Promise<number>((resolve) => client.onHistoryRead.add((update) => resolve(update.maxReadId)));
  network.read(PHONE, annaId);
  expect(await read).toBe(sent.id);
  network.receive(PHONE, { from: { user_id: annaId, first_name: "Anna Maria" }, text: "new name" });
  await inbox.next();
  expect((await client.getUser(annaId)).displayName).toBe("Anna Maria");
  network.deletePerson(PHONE, annaId);
  expect(refused(() => network.receive(PHONE, { from: { user_id: annaId, first_name: "A" }, text: "x" }))).toEqual([
    409,
    "deleted",
  ]);
  expect((await client.getUser(annaId)).isDeleted).toBe(true);
});

test("faults are listed while they last and cleared with the waits they began", async () => {
  const clock = createClock();
  const network = await startNetwork(temporaryDir(), clock);
  const client = await loggedIn(network);
  network.addFault(PHONE, { method: "users.getUsers", error: "FLOOD_WAIT_3600", times: 2 });
  expect(await refusal(client.getMe())).toBe("FLOOD_WAIT_%d");
  expect(network.faults(PHONE)).toEqual([
    { method: "users.getUsers", error: "FLOOD_WAIT_3600", to_user_id: undefined, times: 1, after_delivery: false },
  ]);
  network.clearFaults(PHONE);
  expect(network.faults(PHONE)).toEqual([]);
  const other = await loggedIn(network);
  expect((await other.getMe()).id).toBe(network.account(PHONE).user_id);
});
