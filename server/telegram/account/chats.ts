import { Long, type tl } from "@mtcute/core";
import type { TelegramClient } from "@mtcute/node";
import { callErrorOf } from "../rpc-error.ts";
import type { ChatReader, ChatsPage, PeerFacts, PrivateChat, TelegramMessage } from "../types.ts";
import { readMessage, readPeer } from "./normalize.ts";
import type { LinkedAccount } from "./recorder.ts";

const PAGE = 100;
const MOST_MESSAGES = 10_000;
const TIMEOUT_MS = 30_000;
const zero = Long.ZERO;

/** Reads the account's private chats as they are at Telegram, newest first; changes and marks nothing there. */
export function createChatReader(client: TelegramClient, account: LinkedAccount): ChatReader {
  const once = client.withParams({ floodSleepThreshold: 0, maxRetryCount: 0, timeout: TIMEOUT_MS });
  const refusing = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      throw callErrorOf(error) ?? error;
    });
  return {
    listChats: (after) =>
      refusing(async () => {
        const offsetPeer: tl.TypeInputPeer =
          after === null ? { _: "inputPeerEmpty" } : await once.resolvePeer(after.peerId);
        const answer = await once.call({
          _: "messages.getDialogs",
          offsetDate: after?.date ?? 0,
          offsetId: after?.id ?? 0,
          offsetPeer,
          limit: PAGE,
          hash: zero,
        });
        return answer._ === "messages.dialogsNotModified" ? { chats: [], next: null } : pageOf(answer);
      }),
    readChat: (chat, sinceSeconds) =>
      refusing(async () => {
        const peer = await once.resolvePeer(Number(chat.peer.id));
        const found: TelegramMessage[] = [];
        for (let offsetId = 0; found.length < MOST_MESSAGES;) {
          const answer = await once.call({
            _: "messages.getHistory",
            peer,
            offsetId,
            offsetDate: 0,
            addOffset: 0,
            limit: PAGE,
            maxId: 0,
            minId: 0,
            hash: zero,
          });
          const messages = "messages" in answer ? answer.messages : [];
          const last = messages.at(-1);
          const wanted = messages.filter((message) => message._ === "message" && message.date >= sinceSeconds);
          for (const message of wanted)
            if (message._ === "message") found.push(readMessage(account, message, chat.peer));
          if (last === undefined || messages.length < PAGE || (last._ !== "messageEmpty" && last.date < sinceSeconds))
            break;
          offsetId = last.id;
        }
        // Private messages are numbered within the account: their order is the chat's.
        return found.toReversed();
      }),
  };
}

function pageOf(answer: tl.messages.RawDialogs | tl.messages.RawDialogsSlice): ChatsPage {
  const users = new Map(answer.users.flatMap((user) => (user._ === "user" ? [[user.id, user] as const] : [])));
  const dates = new Map(
    answer.messages.flatMap((message) =>
      message._ === "messageEmpty" ? [] : [[placeKey(message.peerId, message.id), message.date] as const],
    ),
  );
  const chats: PrivateChat[] = [];
  let next: ChatsPage["next"] = null;
  for (const dialog of answer.dialogs) {
    if (dialog._ !== "dialog") continue;
    const date = dates.get(placeKey(dialog.peer, dialog.topMessage)) ?? 0;
    if (dialog.pinned !== true && date > 0) next = { date, id: dialog.topMessage, peerId: markedIdOf(dialog.peer) };
    if (dialog.peer._ !== "peerUser") continue;
    const peer: PeerFacts = readPeer(dialog.peer.userId, users.get(dialog.peer.userId) ?? null);
    chats.push({ peer, lastAt: date, isPinned: dialog.pinned === true, readUpTo: dialog.readInboxMaxId });
  }
  return { chats, next: answer._ === "messages.dialogs" || answer.dialogs.length === 0 ? null : next };
}

const markedIdOf = (peer: tl.TypePeer): number => {
  if (peer._ === "peerUser") return peer.userId;
  return peer._ === "peerChat" ? -peer.chatId : -1_000_000_000_000 - peer.channelId;
};
const placeKey = (peer: tl.TypePeer, messageId: number): string => `${markedIdOf(peer)}:${messageId}`;
