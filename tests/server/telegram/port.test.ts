import { randomUUID } from "node:crypto";
import type { tl } from "@mtcute/core";
import type { TelegramClient } from "@mtcute/node";
import { expect, test, vi } from "vitest";
import { createWork } from "../../../server/core/work.ts";
import type { Db } from "../../../server/db/index.ts";
import type { StoredMedia } from "../../../server/outbox/port.ts";
import { readMedia } from "../../../server/telegram/account/media.ts";
import { createPort } from "../../../server/telegram/account/port.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { PHONE, startConnected, type Telegram } from "./support.ts";
import { addRow } from "../../support/rows.ts";
import { PNG } from "../../support/files.ts";

/** Stores a picture of the user. `loads` counts how often its bytes are read. */
async function storedPicture(telegram: Telegram, owner_id: string) {
  const picture = { id: randomUUID(), kind: "image", mime: "image/png", extension: "png" } as const;
  await addRow(telegram.deps.db, "media", { ...picture, owner_id, sha256: "x", size: PNG.length });
  const load = vi.fn<() => Promise<Buffer>>(async () => PNG);
  return { load, media: { ...picture, load } satisfies StoredMedia };
}

test("reports a refusal by Telegram's name, without a retry", async () => {
  const { telegram, port, to } = await startConnected();
  const refusals: [error: string, seconds: number | null, text?: string][] = [
    ["FLOOD_WAIT_3600", 3_600],
    ["SLOWMODE_WAIT_12", 12],
    ["FLOOD_PREMIUM_WAIT_5", 5],
    ["PEER_FLOOD", null],
    ["USER_IS_BLOCKED", null],
    ["ALLOW_PAYMENT_REQUIRED_10", null],
    ["500:RANDOM_ID_DUPLICATE", null, "RANDOM_ID_DUPLICATE"],
  ];
  for (const [index, [error, seconds, text = error]] of refusals.entries()) {
    telegram.network.clearFaults(PHONE);
    telegram.network.addFault(PHONE, { method: "messages.sendMessage", error, times: 1 });
    const call = port.sendText({ to, text: "hello", randomId: BigInt(index + 1) });
    await expect(call, error).rejects.toMatchObject({ text, seconds });
    expect(telegram.network.faults(PHONE), error).toEqual([]);
  }
  expect(telegram.network.sent(PHONE)).toEqual([]);
});

test("cuts a long file name before an emoji, because the database refuses half of one", () => {
  const attributes = [{ _: "documentAttributeFilename", fileName: `${"a".repeat(254)}😀.pdf` }];
  const document = { _: "document", mimeType: "application/pdf", size: 1, attributes };
  const message = { _: "messageMediaDocument", document } as tl.TypeMessageMedia;
  expect(readMedia(message).media?.name).toBe("a".repeat(254));
});

test("refuses an unknown peer without a request to Telegram", async () => {
  const { port } = await startConnected();
  for (const [telegramUserId, text] of [
    ["999999999", "PEER_NOT_KNOWN"],
    ["0", "PEER_ID_INVALID"],
    ["not a number", "PEER_ID_INVALID"],
  ] as const)
    await expect(port.sendText({ to: { telegramUserId }, text: "hello", randomId: 1n })).rejects.toMatchObject({
      code: 400,
      text,
    });
});

test("does not send a message whose peer is found too late", async () => {
  const clock = createVirtualClock(createWork());
  const found = Promise.withResolvers<unknown>();
  const call = vi.fn<() => void>();
  const client = { withParams: () => ({ resolvePeer: () => found.promise, call }) } as unknown as TelegramClient;
  const port = createPort(client, { db: null as unknown as Db, clock }, randomUUID());
  const refused = port
    .sendText({ to: { telegramUserId: "7" }, text: "late", randomId: 1n })
    .catch((error: unknown) => error);
  await clock.pass(5_000);
  expect(await refused).toMatchObject({ code: 503, text: "ADDRESS_LATE" });
  found.resolve({ _: "inputPeerSelf" });
  await clock.pass(60_000);
  expect(call).not.toHaveBeenCalled();
});

test("leaves the outcome open after a lost response, and retries with the same id", async () => {
  const { telegram, port, to } = await startConnected();
  const drop = { method: "messages.sendMessage", error: "DROP_CONNECTION", times: 1, after_delivery: true };
  telegram.network.addFault(PHONE, drop);
  const send = () => port.sendText({ to, text: "once", randomId: -9_223_372_036_854_775_808n });
  const outcomes = await Promise.allSettled([send()]);
  const again = await send();
  expect(telegram.network.sent(PHONE)).toHaveLength(1);
  expect(again.messageId).toBe(telegram.network.sent(PHONE)[0]?.message_id);
  const named = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.messageId] : []));
  expect(named.filter((messageId) => messageId !== again.messageId)).toEqual([]);
});

test("uploads a file once per account, and reuses it until it expires", async () => {
  const { telegram, user, port, to } = await startConnected();
  const { media, load } = await storedPicture(telegram, user);
  await port.sendMedia({ to, caption: "look", media, randomId: 1n });
  await port.sendMedia({ to, caption: "again", media, randomId: 2n });
  expect(load).toHaveBeenCalledTimes(1);
  telegram.network.addFault(PHONE, { method: "messages.sendMedia", error: "FILE_REFERENCE_EXPIRED", times: 1 });
  await port.sendMedia({ to, caption: "once more", media, randomId: 3n });
  expect(load).toHaveBeenCalledTimes(2);
  const photos = ["look", "again", "once more"].map((text) => ({ text, media_type: "photo" }));
  expect(telegram.network.sent(PHONE)).toMatchObject(photos);
});

test("applies an upload's flood wait to the account, and sends nothing", async () => {
  const { telegram, user, port, to } = await startConnected();
  const { media } = await storedPicture(telegram, user);
  const send = (load: StoredMedia["load"] = media.load) =>
    port.sendMedia({ to, caption: "look", media: { ...media, load }, randomId: 1n });
  const fails = (error: string) => telegram.network.addFault(PHONE, { method: "upload.saveFilePart", error, times: 1 });
  const away = send(() => Promise.reject(new Error("the database is away")));
  await expect(away).rejects.toMatchObject({ code: 503, text: "UPLOAD_FAILED" });
  fails("FLOOD_WAIT_3600");
  await expect(send()).rejects.toMatchObject({ code: 420, text: "FLOOD_WAIT_3600", seconds: 3_600 });
  expect(telegram.network.sent(PHONE)).toEqual([]);
  telegram.network.clearFaults(PHONE);
  telegram.clock.advance(3_600);
  fails("FLOOD_WAIT_1");
  await send();
  expect(telegram.network.sent(PHONE)).toMatchObject([{ text: "look", media_type: "photo" }]);
});

test("finds a channel by name or id, and says whether the account may post", async () => {
  const { telegram, port } = await startConnected();
  expect(await port.checkChannel("me")).toEqual({ ok: true, title: "Saved Messages" });
  expect(await port.checkChannel("@nobody_has_this")).toEqual({ ok: false, reason: "channel_not_found" });
  expect(await port.checkChannel("@leadloom_team")).toEqual({ ok: true, title: "Leadloom team" });
  const closed = telegram.network.createChannel({ username: "closed_news", title: "Closed news", open: false });
  expect(await port.checkChannel("closed_news")).toMatchObject({ ok: false });
  telegram.network.writeInChannel(PHONE, "closed_news", { from: { first_name: "Editor" }, text: "news" });
  telegram.network.setChannelRole(PHONE, "closed_news", "admin");
  expect(await port.checkChannel("@closed_news")).toEqual({ ok: true, title: "Closed news" });
  expect(await port.checkChannel(String(closed.id))).toEqual({ ok: true, title: "Closed news" });
  const sent = await port.sendText({ to: { channel: "@closed_news" }, text: "stuck: Anna", randomId: 8n });
  expect(telegram.network.sent(PHONE)).toMatchObject([{ to_user_id: closed.id, message_id: sent.messageId }]);
  await port.sendText({ to: { channel: "me" }, text: "note", randomId: 9n });
  expect(telegram.network.sent(PHONE)).toHaveLength(2);
});

test("finds a private channel by id after a login, and after its hash changed", async () => {
  const { telegram, account, port } = await startConnected();
  for (let index = 0; index < 120; index += 1)
    telegram.network.receive(PHONE, { from: { first_name: `Person ${index}` }, text: "hi" });
  const { id } = telegram.network.createChannel({ username: "inner_circle", title: "Inner circle", open: false });
  telegram.clock.advance(-86_400);
  telegram.network.writeInChannel(PHONE, "inner_circle", { from: { first_name: "Editor" }, text: "news" });
  telegram.clock.advance(86_400);
  telegram.network.setChannelRole(PHONE, "inner_circle", "admin");
  const forget = (table: "telegram_peers" | "telegram_channels") =>
    telegram.deps.db.deleteFrom(table).where("account_id", "=", account.accountId).execute();
  await forget("telegram_peers");
  const channel = String(id);
  expect(await port.checkChannel(channel)).toEqual({ ok: true, title: "Inner circle" });
  await port.sendText({ to: { channel }, text: "first", randomId: 21n });
  await telegram.deps.db.updateTable("telegram_channels").set({ access_hash: "1" }).execute();
  await port.sendText({ to: { channel }, text: "second", randomId: 22n });
  const sent = ["first", "second"].map((text) => ({ to_user_id: id, text }));
  expect(telegram.network.sent(PHONE)).toMatchObject(sent);
  await expect(port.sendText({ to: { channel: "-1001999999999" }, text: "x", randomId: 23n })).rejects.toMatchObject({
    text: "CHANNEL_INVALID",
  });
});
