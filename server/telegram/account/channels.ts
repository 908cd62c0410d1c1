import { Long, type tl } from "@mtcute/core";
import { getMarkedPeerId, parseMarkedPeerId } from "@mtcute/core/utils.js";
import type { TelegramClient } from "@mtcute/node";
import type { Db } from "../../db/index.ts";
import { TelegramCallError, callErrorOf } from "../call-error.ts";

/** Telegram rejects the stored access hash. */
const STALE = /^(CHANNEL_INVALID|PEER_ID_INVALID)$/;

/** How an account addresses the channels and groups of reminders. */
export type Channels = {
  /**
   * Calls with the channel's address. A stale stored address is looked up again, once.
   * @param channel '@name', a marked id such as -1001234567890, or 'me'
   * @throws TelegramCallError CHANNEL_INVALID when the account knows no such channel
   */
  withPeer<T>(channel: string, call: (peer: tl.TypeInputPeer) => Promise<T>): Promise<T>;
};

/**
 * Resolves channels by name, or by id among the account's own chats; right after a login a private channel is known only there. Found
 * addresses are stored, so that a reminder needs no lookup.
 */
export function createChannels(client: TelegramClient, db: Db, accountId: string): Channels {
  const readStored = async (channel: string): Promise<tl.RawInputPeerChannel | null> => {
    const row = await db
      .selectFrom("telegram_channels")
      .select(["channel_id", "access_hash"])
      .where("account_id", "=", accountId)
      .where("channel", "=", channel)
      .executeTakeFirst();
    if (row === undefined) return null;
    return { _: "inputPeerChannel", channelId: Number(row.channel_id), accessHash: Long.fromString(row.access_hash) };
  };
  const store = (channel: string, { channelId, accessHash }: tl.RawInputPeerChannel) => {
    const found = { channel_id: channelId, access_hash: accessHash.toString() };
    return db
      .insertInto("telegram_channels")
      .values({ account_id: accountId, channel, ...found })
      .onConflict((conflict) => conflict.columns(["account_id", "channel"]).doUpdateSet(found))
      .execute();
  };
  const find = async (channel: string): Promise<tl.TypeInputPeer> => {
    const peer = /^-?\d+$/.test(channel)
      ? await findByNumber(client, Number(channel))
      : await findByName(client, channel);
    if (peer._ === "inputPeerChannel") await store(channel, peer);
    return peer;
  };
  return {
    async withPeer(channel, call) {
      const name = channel.trim();
      if (name === "me") return call({ _: "inputPeerSelf" });
      const known = await readStored(name);
      if (known === null) return call(await find(name));
      try {
        return await call(known);
      } catch (error) {
        if (!STALE.test(callErrorOf(error)?.text ?? "")) throw error;
        return call(await find(name));
      }
    },
  };
}

async function findByName(client: TelegramClient, name: string): Promise<tl.TypeInputPeer> {
  const username = name.replace(/^@/, "");
  const { peer, chats } = await client.call({ _: "contacts.resolveUsername", username });
  if (peer._ === "peerUser") return { _: "inputPeerUser", userId: peer.userId, accessHash: Long.ZERO };
  for (const chat of chats) {
    if (peer._ !== "peerChannel" || chat._ !== "channel" || chat.id !== peer.channelId) continue;
    if (chat.accessHash !== undefined)
      return { _: "inputPeerChannel", channelId: chat.id, accessHash: chat.accessHash };
  }
  throw new TelegramCallError(400, "CHANNEL_INVALID");
}

async function findByNumber(client: TelegramClient, marked: number): Promise<tl.TypeInputPeer> {
  const [type, id] = parseMarkedPeerId(marked);
  if (type === "user") return { _: "inputPeerUser", userId: id, accessHash: Long.ZERO };
  if (type === "chat") return { _: "inputPeerChat", chatId: id };
  for await (const { peer } of client.iterDialogs({ archived: "keep" })) {
    const { inputPeer } = peer;
    if (inputPeer._ === "inputPeerChannel" && getMarkedPeerId(inputPeer) === marked) return inputPeer;
  }
  throw new TelegramCallError(400, "CHANNEL_INVALID");
}
