import { Long } from "@mtcute/core";
import { expect, test } from "vitest";
import { createClock } from "../../../server/core/clock.ts";
import type { TelegramNetwork } from "../../../sandbox/telegram/index.ts";
import { Inbox, loggedIn, PHONE, refusal, startNetwork, temporaryDir } from "./support.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
  "base64",
);

const anna = { first_name: "Anna", last_name: "Kern", username: "anna_k" };

/** A logged-in client to which Anna has written. */
async function withAnna(network: TelegramNetwork) {
  const client = await loggedIn(network);
  const inbox = new Inbox(client);
  const { user_id: annaId } = network.receive(PHONE, { from: anna, text: "hi" });
  await inbox.next();
  return { client, inbox, annaId };
}

/** A whole PNG of 320 by 240. */
const isSamplePhoto = (bytes: Uint8Array): boolean => {
  const file = Buffer.from(bytes);
  const isWhole = file.subarray(-8, -4).toString("latin1") === "IEND";
  return (
    isWhole &&
    file.subarray(1, 4).toString("latin1") === "PNG" &&
    file.readUInt32BE(16) === 320 &&
    file.readUInt32BE(20) === 240
  );
};

test("what people write is pushed, in order, with who they are", async () => {
  const network = await startNetwork();
  const client = await loggedIn(network);
  const inbox = new Inbox(client);
  const { user_id: id } = network.receive(PHONE, { from: anna, text: "one" });
  for (const text of ["two", "three"]) network.receive(PHONE, { from: { ...anna, user_id: id }, text });
  network.receive(PHONE, { from: { ...anna, user_id: id, is_contact: true }, text: "look", media: "photo" });
  const arrived = [await inbox.next(), await inbox.next(), await inbox.next(), await inbox.next()];
  expect(arrived.map(({ text }) => text)).toEqual(["one", "two", "three", "look"]);
  expect(arrived.map(({ sender }) => sender.displayName)).toEqual(Array(4).fill("Anna Kern"));
  expect(arrived[3]?.media?.type).toBe("photo");
  const photo = arrived[3]?.media;
  if (photo?.type !== "photo") throw new Error("no photo");
  expect(isSamplePhoto(await client.downloadAsBuffer(photo))).toBe(true);
});

test("bots, contacts and groups can be told from people one does not know", async () => {
  const network = await startNetwork();
  const client = await loggedIn(network);
  const inbox = new Inbox(client);
  network.receive(PHONE, { from: { first_name: "Robo", username: "robo_bot", is_bot: true }, text: "beep" });
  const bot = await inbox.next();
  network.receive(PHONE, { from: { first_name: "Cora", is_contact: true }, text: "hi" });
  const contact = await inbox.next();
  network.receive(PHONE, { from: anna, text: "hello all", in_group: "Gardeners" });
  const grouped = await inbox.next();
  network.writeInChannel(PHONE, "leadloom_team", { from: anna, text: "a post" });
  const posted = await inbox.next();
  expect(bot.sender.type === "user" && bot.sender.isBot).toBe(true);
  expect(contact.sender.type === "user" && contact.sender.isContact).toBe(true);
  expect([grouped.chat.type, grouped.chat.displayName, grouped.text]).toEqual(["chat", "Gardeners", "hello all"]);
  expect([posted.chat.type, posted.chat.displayName, posted.text]).toEqual(["chat", "Leadloom team", "a post"]);
});

test("an account of the other data centre downloads what lies on the main one", async () => {
  const network = await startNetwork();
  network.createAccount({ phone: PHONE, dc_id: 4 });
  const client = await loggedIn(network);
  const inbox = new Inbox(client);
  network.receive(PHONE, { from: anna, text: "look", media: "photo" });
  const { media } = await inbox.next();
  if (media?.type !== "photo") throw new Error("no photo");
  expect(isSamplePhoto(await client.downloadAsBuffer(media))).toBe(true);
  expect(network.account(PHONE).sessions).toHaveLength(1);
});

test("edits and deletions are pushed", async () => {
  const network = await startNetwork();
  const { client, inbox, annaId } = await withAnna(network);
  const { message_id: id } = network.receive(PHONE, { from: { ...anna, user_id: annaId }, text: "helo" });
  await inbox.next();
  const edited = new Promise<string>((resolve) => client.onEditMessage.add((message) => resolve(message.text)));
  network.editMessage(PHONE, id, "hello");
  expect(await edited).toBe("hello");
  const deleted = new Promise<number[]>((resolve) =>
    client.onDeleteMessage.add(({ messageIds }) => resolve(messageIds)),
  );
  network.deleteMessage(PHONE, id);
  expect(await deleted).toEqual([id]);
  expect(network.chats(PHONE)[0]?.messages.map(({ text }) => text)).toEqual(["hi"]);
});

test("texts and media are delivered and listed in order with type and random id", async () => {
  const clock = createClock();
  clock.jump(86_400_000);
  const network = await startNetwork(temporaryDir(), clock);
  const { client, annaId } = await withAnna(network);
  const text = await client.sendText(annaId, "hello Anna", { randomId: Long.fromString("-77") });
  const photo = await client.sendMedia(annaId, { type: "photo", file: PIXEL, fileName: "p.png" }, { caption: "see" });
  const video = await client.sendMedia(annaId, {
    type: "video",
    file: Buffer.alloc(100_000, 7),
    fileName: "v.mp4",
    fileMime: "video/mp4",
  });
  const sent = network.sent(PHONE);
  expect(sent.map(({ at: _at, random_id: _random, ...rest }) => rest)).toEqual([
    { to_user_id: annaId, text: "hello Anna", media_type: null, message_id: text.id },
    { to_user_id: annaId, text: "see", media_type: "photo", message_id: photo.id },
    { to_user_id: annaId, text: "", media_type: "video", message_id: video.id },
  ]);
  expect(sent[0]?.random_id).toBe("-77");
  expect(Date.parse(sent[0]?.at ?? "") - Date.now()).toBeGreaterThan(86_000_000);
  expect(text.date.getTime()).toBe(Date.parse(sent[0]?.at ?? ""));
});

test("a repeat while the first is still running is refused for now", async () => {
  const network = await startNetwork();
  const { client, annaId } = await withAnna(network);
  const peer = await client.resolvePeer(annaId);
  const call = { _: "messages.sendMessage", peer, message: "slow", randomId: Long.fromNumber(99) } as const;
  network.addFault(PHONE, { method: "messages.sendMessage", error: "SLOW_500" });
  const first = client.call(call);
  expect(await refusal(client.call(call, { maxRetryCount: 0 }))).toBe("RANDOM_ID_DUPLICATE");
  await first;
  expect(network.sent(PHONE)).toHaveLength(1);
});

test("a fault before delivery loses the message; it can be for one person and several times", async () => {
  const network = await startNetwork();
  const { client, annaId } = await withAnna(network);
  const { user_id: benId } = network.receive(PHONE, { from: { first_name: "Ben" }, text: "hey" });
  network.addFault(PHONE, { method: "messages.sendMessage", error: "PEER_FLOOD", to_user_id: annaId, times: 2 });
  expect(await refusal(client.sendText(annaId, "a"))).toBe("PEER_FLOOD");
  await client.sendText(benId, "b");
  expect(await refusal(client.sendText(annaId, "a"))).toBe("PEER_FLOOD");
  await client.sendText(annaId, "a");
  expect(network.sent(PHONE).map(({ text }) => text)).toEqual(["b", "a"]);
});

test("a flood wait lasts until its time is over by the network's clock", async () => {
  const clock = createClock();
  const network = await startNetwork(temporaryDir(), clock);
  const { client, annaId } = await withAnna(network);
  const patient = await loggedIn(network);
  network.addFault(PHONE, { method: "messages.sendMessage", error: "FLOOD_WAIT_3600" });
  const waiting = await client.sendText(annaId, "a").catch((error: unknown) => error);
  expect(waiting).toMatchObject({ code: 420, text: "FLOOD_WAIT_%d", seconds: 3600 });
  const peer = await patient.resolvePeer(annaId).catch(() => null);
  expect(peer).toBeNull();
  clock.jump(1800_000);
  const me = { _: "messages.sendMessage", peer: { _: "inputPeerSelf" }, message: "x", randomId: Long.ONE } as const;
  const later = await patient.call(me).catch((error: unknown) => error);
  expect(later).toMatchObject({ code: 420, seconds: 1800 });
  clock.jump(1801_000);
  const third = await loggedIn(network);
  await third.call(me);
  expect(network.sent(PHONE).map(({ text }) => text)).toEqual(["x"]);
});

test("people who block, delete themselves or restrict who writes are refused with Telegram's words", async () => {
  const network = await startNetwork();
  const { client, annaId } = await withAnna(network);
  const send = () => refusal(client.sendText(annaId, "hello"));
  network.block(PHONE, annaId);
  expect(await send()).toBe("USER_IS_BLOCKED");
  network.unblock(PHONE, annaId);
  network.setPrivacy(PHONE, annaId, "USER_PRIVACY_RESTRICTED");
  expect(await send()).toBe("USER_PRIVACY_RESTRICTED");
  network.setPrivacy(PHONE, annaId, "PRIVACY_PREMIUM_REQUIRED");
  expect(await send()).toBe("PRIVACY_PREMIUM_REQUIRED");
  network.setPrivacy(PHONE, annaId, null);
  await client.blockUser(annaId);
  expect(await send()).toBe("YOU_BLOCKED_USER");
  await client.unblockUser(annaId);
  await client.sendText(annaId, "hello");
  network.deletePerson(PHONE, annaId);
  expect(await send()).toBe("INPUT_USER_DEACTIVATED");
  expect(network.sent(PHONE)).toHaveLength(1);
});

test("empty and over-long texts and captions are refused", async () => {
  const network = await startNetwork();
  const { client, annaId } = await withAnna(network);
  expect(await refusal(client.sendText(annaId, "  "))).toBe("MESSAGE_EMPTY");
  expect(await refusal(client.sendText(annaId, "x".repeat(4097)))).toBe("MESSAGE_TOO_LONG");
  const photo = { type: "photo" as const, file: PIXEL, fileName: "p.png" };
  expect(await refusal(client.sendMedia(annaId, photo, { caption: "x".repeat(1025) }))).toBe("MEDIA_CAPTION_TOO_LONG");
  await client.sendText(annaId, "x".repeat(4096));
  await client.sendMedia(annaId, photo, { caption: "x".repeat(1024) });
  expect(network.sent(PHONE)).toHaveLength(2);
});

test("channels take posts from those who may post", async () => {
  const network = await startNetwork();
  const client = await loggedIn(network);
  const channel = network.createChannel({ username: "sales_room", title: "Sales room" });
  network.createChannel({ username: "closed_room", title: "Closed", open: false });
  network.createChannel({ username: "closed_chat", title: "Closed chat", kind: "supergroup", open: false });
  const post = await client.sendText("sales_room", "Reminder: call Anna");
  await client.sendText("@leadloom_team", "second");
  expect(await refusal(client.sendText("closed_room", "no"))).toBe("CHAT_ADMIN_REQUIRED");
  expect(await refusal(client.sendText("closed_chat", "no"))).toBe("CHAT_WRITE_FORBIDDEN");
  network.setChannelRole(PHONE, "closed_room", "admin");
  await client.sendText("closed_room", "yes");
  const sent = network.sent(PHONE);
  expect(sent.map(({ text }) => text)).toEqual(["Reminder: call Anna", "second", "yes"]);
  expect(sent[0]).toMatchObject({ to_user_id: channel.id, message_id: post.id });
  expect(channel.id).toBeLessThan(-1_000_000_000_000);
  expect((await client.getChat("sales_room")).title).toBe("Sales room");
  expect((await client.getFullChat("sales_room")).title).toBe("Sales room");
});

test("a fault can silence the socket: the client notices, comes back and its message is there once", async () => {
  const network = await startNetwork();
  const { client, annaId } = await withAnna(network);
  network.addFault(PHONE, { method: "messages.sendMessage", error: "HALF_OPEN", after_delivery: true });
  await client.sendText(annaId, "still there?");
  expect(network.sent(PHONE).map(({ text }) => text)).toEqual(["still there?"]);
});
