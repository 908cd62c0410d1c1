import type { tl } from "@mtcute/core";
import type { TelegramClient } from "@mtcute/node";
import { isChannelRefusal } from "../../../domain/send-outcome.ts";
import { storedReason } from "../../../domain/stored-reasons.ts";
import { callErrorOf } from "../call-error.ts";
import type { Channels } from "./channels.ts";

const NOT_FOUND = storedReason("channel_not_found");

type ChannelCheck = { ok: true; title: string } | { ok: false; reason: string };

/**
 * Checks whether this account can post to a channel. If not, returns the reason to store.
 * @throws on a wait, a missing response or a lost session, none of which is a verdict on the channel
 */
export async function checkChannel(client: TelegramClient, channels: Channels, channel: string): Promise<ChannelCheck> {
  if (channel.trim() === "me") return { ok: true, title: "Saved Messages" };
  try {
    return await channels.withPeer(channel, async (peer) => {
      if (peer._ === "inputPeerUser") return { ok: false, reason: storedReason("channel_is_person") };
      if (peer._ === "inputPeerChat") {
        const { chats } = await client.call({ _: "messages.getChats", id: [peer.chatId] });
        return checkChat(chats[0]);
      }
      if (peer._ !== "inputPeerChannel") return { ok: false, reason: NOT_FOUND };
      const { chats } = await client.call({
        _: "channels.getChannels",
        id: [{ _: "inputChannel", channelId: peer.channelId, accessHash: peer.accessHash }],
      });
      return checkChat(chats[0]);
    });
  } catch (error) {
    const refusal = callErrorOf(error);
    if (refusal === null || !isChannelRefusal(refusal.text)) throw error;
    return { ok: false, reason: reasonOf(refusal.text) };
  }
}

function checkChat(chat: tl.TypeChat | undefined): ChannelCheck {
  switch (chat?._) {
    case "channel":
      if (mayPost(chat)) return { ok: true, title: chat.title };
      return chat.left === true
        ? { ok: false, reason: storedReason("channel_not_member", { title: chat.title }) }
        : { ok: false, reason: storedReason("channel_no_posting", { title: chat.title }) };
    case "chat":
      return chat.left === true || chat.deactivated === true
        ? { ok: false, reason: storedReason("channel_not_member", { title: chat.title }) }
        : { ok: true, title: chat.title };
    default:
      return { ok: false, reason: NOT_FOUND };
  }
}

function mayPost(chat: tl.RawChannel): boolean {
  if (chat.creator === true) return true;
  if (chat.broadcast === true) return chat.adminRights?.postMessages === true;
  const isMuted =
    chat.bannedRights?.sendMessages === true ||
    (chat.adminRights === undefined && chat.defaultBannedRights?.sendMessages === true);
  return chat.left !== true && !isMuted;
}

function reasonOf(text: string): string {
  if (/^(USERNAME_|PEER_ID_INVALID|CHANNEL_INVALID|CHAT_ID_INVALID)/.test(text)) return NOT_FOUND;
  if (text === "CHANNEL_PRIVATE") return storedReason("channel_private");
  return storedReason("channel_refused", { error: text });
}
