import { Long, type tl } from "@mtcute/core";
import { getMarkedPeerId, parseMarkedPeerId, toggleChannelIdMark } from "@mtcute/core/utils.js";
import type { TelegramClient } from "@mtcute/node";
import { callErrorOf, withCallErrors } from "../call-error.ts";
import type { PeerFacts, TelegramMessage } from "../../../domain/telegram-message.ts";
import type { ChatPlace, ChatReader, ChatsPage, HistoryPage, PrivateChat } from "../types.ts";
import { readMessage, readPeer } from "./normalize.ts";
import type { LinkedAccount } from "./recorder.ts";

const PAGE = 100;
const MOST_MESSAGES = 10_000;
const TIMEOUT_MS = 30_000;
const zero = Long.ZERO;

/**
 * Reads the account's private chats from Telegram, newest first, without changing anything there.
 * @param keepPerson stores the access hash of a chat's peer
 */
export function createChatReader(
  client: TelegramClient,
  account: LinkedAccount,
  keepPerson: (user: tl.RawUser) => Promise<void>,
): ChatReader {
  const once = client.withParams({ floodSleepThreshold: 0, maxRetryCount: 0, timeout: TIMEOUT_MS });
  /** Users of the listed chats; the address book drops strangers when there are many. */
  const people = new WeakMap<PrivateChat, tl.RawUser>();
  const peerOf = async (chat: PrivateChat): Promise<tl.TypeInputPeer> => {
    const user = people.get(chat);
    return user?.accessHash === undefined || user.min === true
      ? once.resolvePeer(Number(chat.peer.id))
      : { _: "inputPeerUser", userId: user.id, accessHash: user.accessHash };
  };
  const readPage = async (chat: PrivateChat, before: number): Promise<HistoryPage> => {
    const peer = await peerOf(chat);
    const answer = await once.call({
      _: "messages.getHistory",
      peer,
      offsetId: before,
      offsetDate: 0,
      addOffset: 0,
      limit: PAGE,
      maxId: 0,
      minId: 0,
      hash: zero,
    });
    const found = "messages" in answer ? answer.messages : [];
    const messages = found.flatMap((message) =>
      message._ === "message" ? [readMessage(account, message, chat.peer)] : [],
    );
    const dates = found.flatMap((message) => (message._ === "messageEmpty" ? [] : [message.date]));
    // A page shorter than requested is not the end: Telegram omits messages that it must not show.
    const isAll = !("count" in answer) || (before === 0 && found.length >= answer.count);
    return { messages, older: isAll ? null : (found.at(-1)?.id ?? null), oldestDate: Math.min(...dates) };
  };
  return {
    listChats: (after) =>
      withCallErrors(async () => {
        const answer = await once.call({
          _: "messages.getDialogs",
          offsetDate: after?.date ?? 0,
          offsetId: after?.id ?? 0,
          offsetPeer: after === null ? { _: "inputPeerEmpty" } : await offsetPeerOf(once, after),
          limit: PAGE,
          hash: zero,
        });
        return answer._ === "messages.dialogsNotModified" ? { chats: [], next: null } : pageOf(answer, people);
      }),
    readPage: (chat, before) => withCallErrors(() => readPage(chat, before)),
    readChat: (chat, sinceSeconds, isOver) =>
      withCallErrors(async () => {
        const found: TelegramMessage[] = [];
        for (let before: number | null = 0; before !== null && found.length < MOST_MESSAGES;) {
          if (isOver()) return null;
          const page: HistoryPage = await readPage(chat, before);
          found.push(...page.messages.filter(({ date }) => Date.parse(date) >= sinceSeconds * 1000));
          before = page.oldestDate < sinceSeconds ? null : page.older;
        }
        // Private messages are numbered per account, so their order is the chat's order.
        return found.toReversed();
      }),
    async keep(chat) {
      const user = people.get(chat);
      if (user !== undefined) await keepPerson(user);
    },
  };
}

/** Uses the access hash from the list. Without one, the message's date and id suffice. */
async function offsetPeerOf(client: TelegramClient, { peerId, accessHash }: ChatPlace): Promise<tl.TypeInputPeer> {
  const [type, id] = parseMarkedPeerId(peerId);
  if (accessHash !== undefined && type === "user")
    return { _: "inputPeerUser", userId: id, accessHash: Long.fromString(accessHash) };
  if (accessHash !== undefined && type === "channel")
    return { _: "inputPeerChannel", channelId: id, accessHash: Long.fromString(accessHash) };
  try {
    return await client.resolvePeer(peerId);
  } catch (error) {
    if (callErrorOf(error) === null) throw error;
    return { _: "inputPeerEmpty" };
  }
}

function pageOf(
  answer: tl.messages.RawDialogs | tl.messages.RawDialogsSlice,
  people: WeakMap<PrivateChat, tl.RawUser>,
): ChatsPage {
  const users = new Map(answer.users.flatMap((user) => (user._ === "user" ? [[user.id, user] as const] : [])));
  const hashes = new Map<number, Long | undefined>(
    answer.chats.flatMap((chat) =>
      chat._ === "channel" ? [[toggleChannelIdMark(chat.id), chat.accessHash] as const] : [],
    ),
  );
  for (const { id, accessHash } of users.values()) hashes.set(id, accessHash);
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
    if (dialog.pinned !== true && date > 0) {
      const peerId = getMarkedPeerId(dialog.peer);
      const accessHash = hashes.get(peerId)?.toString();
      next = { date, id: dialog.topMessage, peerId, ...(accessHash === undefined ? {} : { accessHash }) };
    }
    if (dialog.peer._ !== "peerUser") continue;
    const user = users.get(dialog.peer.userId) ?? null;
    const peer: PeerFacts = readPeer(dialog.peer.userId, user);
    const { topMessage: lastId, readInboxMaxId: readUpTo } = dialog;
    const chat = { peer, lastAt: date, lastId, isPinned: dialog.pinned === true, readUpTo };
    if (user !== null) people.set(chat, user);
    chats.push(chat);
  }
  return { chats, next: answer._ === "messages.dialogs" || answer.dialogs.length === 0 ? null : next };
}

const placeKey = (peer: tl.TypePeer, messageId: number): string => `${getMarkedPeerId(peer)}:${messageId}`;
