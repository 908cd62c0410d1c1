import type { tl } from "@mtcute/core";
import { rpcError } from "../errors.ts";
import { chatById, chatFor } from "../world/groups.ts";
import {
  boxState,
  chatsOf,
  countMessages,
  deleteMessages,
  dialogOf,
  editMessage,
  history,
  isPinned,
  markRead,
  messageById,
  type Message,
} from "../world/messages.ts";
import { messageFor, peerOf, peersOfMessages, pushEvent, toPeer, updatesForEvent } from "../world/updates.ts";
import type { PeerRef, World } from "../world/world.ts";
import { self, type CallContext, type Handlers } from "./context.ts";
import { resolvePeer } from "./peers.ts";

const ownerOf = (peer: PeerRef, selfId: number): number => (peer.type === "channel" ? -peer.id : selfId);

function listed(world: World, selfId: number, messages: Message[]) {
  return {
    messages: messages.map((message) => messageFor(world, selfId, message)),
    topics: [],
    ...peersOfMessages(world, selfId, messages),
  };
}

function dialogFor(world: World, selfId: number, peer: PeerRef, top: number): tl.RawDialog {
  const pinned = isPinned(world, selfId, peer);
  const { read_inbox: readInbox, read_outbox: readOutbox } = dialogOf(world, selfId, peer);
  return {
    _: "dialog",
    ...(pinned ? { pinned } : {}),
    peer: toPeer(peer),
    topMessage: top,
    readInboxMaxId: readInbox,
    readOutboxMaxId: readOutbox,
    unreadCount: countMessages(world, ownerOf(peer, selfId), peer, readInbox, true),
    unreadMentionsCount: 0,
    unreadReactionsCount: 0,
    unreadPollVotesCount: 0,
    notifySettings: { _: "peerNotifySettings" },
    ...(peer.type === "channel" ? { pts: boxState(world, -peer.id).pts } : {}),
  };
}

/** Returns a user's chats: those in the own box and the joined channels, newest message first. */
function dialogs(world: World, selfId: number): { peer: PeerRef; top: Message }[] {
  const channels = world.store.all<{ channel_id: number }>(
    "select channel_id from channel_members where user_id = ? and role <> 'banned'",
    selfId,
  );
  const owners = [selfId, ...channels.map((row) => -row.channel_id)];
  return owners
    .flatMap((ownerId) => chatsOf(world, ownerId).map((chat) => messageById(world, ownerId, chat.top)))
    .filter((message) => message !== undefined)
    .map((top) => ({ peer: peerOf(top), top }))
    .toSorted((a, b) => b.top.date - a.top.date || b.top.sequence - a.top.sequence);
}

function dialogList(world: World, selfId: number, chats: { peer: PeerRef; top: Message }[]) {
  const tops = chats.map(({ top }) => top);
  return {
    dialogs: chats.map(({ peer, top }) => dialogFor(world, selfId, peer, top.id)),
    messages: tops.map((top) => messageFor(world, selfId, top)),
    ...peersOfMessages(world, selfId, tops),
  };
}

const idsOf = (ids: tl.TypeInputMessage[]): number[] =>
  ids.flatMap((input) => (input._ === "inputMessageID" ? [input.id] : []));

function deleteOwn(context: CallContext, ownerId: number, ids: number[]): tl.messages.RawAffectedMessages {
  const { world } = context;
  const twins = ids.flatMap((id) => messageById(world, ownerId, id) ?? []);
  const event = deleteMessages(world, ownerId, ids);
  if (event !== null) pushEvent(world, event, context.session);
  for (const { twin_owner_id: twinOwner, twin_id: twinId } of twins) {
    const twinEvent = twinOwner === null || twinId === null ? null : deleteMessages(world, twinOwner, [twinId]);
    if (twinEvent !== null) pushEvent(world, twinEvent);
  }
  return { _: "messages.affectedMessages", pts: boxState(world, ownerId).pts, ptsCount: event?.pts_count ?? 0 };
}

export const messageMethods: Handlers = {
  "messages.getHistory": (context, { peer, offsetId, limit }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const ref = resolvePeer(world, selfId, peer);
    const ownerId = ownerOf(ref, selfId);
    const found = history(world, ownerId, ref, offsetId, Math.min(Math.max(limit, 0), 100));
    const count = countMessages(world, ownerId, ref, 0, false);
    const list = listed(world, selfId, found);
    return ref.type === "channel"
      ? { _: "messages.channelMessages", pts: boxState(world, ownerId).pts, count, ...list }
      : { _: "messages.messagesSlice", count, ...list };
  },
  "messages.getMessages": (context, { id }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const found = idsOf(id).flatMap((messageId) => messageById(world, selfId, messageId) ?? []);
    return { _: "messages.messages", ...listed(world, selfId, found) };
  },
  "channels.getMessages": (context, { channel, id }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    if (channel._ !== "inputChannel") throw rpcError("CHANNEL_INVALID");
    const ref = resolvePeer(world, selfId, { ...channel, _: "inputPeerChannel" });
    const found = idsOf(id).flatMap((messageId) => messageById(world, -ref.id, messageId) ?? []);
    return { _: "messages.messages", ...listed(world, selfId, found) };
  },
  "messages.getDialogs": (context, { limit, offsetDate, offsetId, offsetPeer }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const all = dialogs(world, selfId);
    const isAtTop = ({ peer }: { peer: PeerRef }) => isPinned(world, selfId, peer);
    const others = all.filter((chat) => !isAtTop(chat));
    // Chats within the same second are ordered by arrival of their messages.
    const last =
      offsetPeer._ === "inputPeerEmpty"
        ? undefined
        : messageById(world, ownerOf(resolvePeer(world, selfId, offsetPeer), selfId), offsetId);
    const isBehind = ({ date, id, sequence }: Message) =>
      date < offsetDate || (date === offsetDate && (last === undefined ? id < offsetId : sequence < last.sequence));
    // Pinned chats come first, whatever their age.
    const left = offsetDate === 0 ? [...all.filter(isAtTop), ...others] : others.filter(({ top }) => isBehind(top));
    const slice = left.slice(0, Math.min(Math.max(limit, 1), 100));
    const list = dialogList(world, selfId, slice);
    return slice.length < all.length
      ? { _: "messages.dialogsSlice", count: all.length, ...list }
      : { _: "messages.dialogs", ...list };
  },
  "messages.getPeerDialogs": (context, { peers }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const wanted = peers.flatMap((input) =>
      input._ === "inputDialogPeer" ? [resolvePeer(world, selfId, input.peer)] : [],
    );
    const chats = dialogs(world, selfId).filter(({ peer }) =>
      wanted.some((ref) => ref.type === peer.type && ref.id === peer.id),
    );
    return {
      _: "messages.peerDialogs",
      ...dialogList(world, selfId, chats),
      state: { _: "updates.state", ...boxState(world, selfId), qts: 0, date: 0, seq: 0, unreadCount: 0 },
    };
  },
  "messages.readHistory": (context, { peer, maxId }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const ref = resolvePeer(world, selfId, peer);
    const [newest] = history(world, selfId, ref, 0, 1);
    const event = markRead(world, selfId, ref, "read_inbox", maxId === 0 ? (newest?.id ?? 0) : maxId);
    if (event !== null) pushEvent(world, event, context.session);
    return { _: "messages.affectedMessages", pts: boxState(world, selfId).pts, ptsCount: event === null ? 0 : 1 };
  },
  "messages.editMessage": (context, { peer, id, message: text, entities }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const ref = resolvePeer(world, selfId, peer);
    const row = messageById(world, ownerOf(ref, selfId), id);
    if (row === undefined || row.is_deleted) throw rpcError("MESSAGE_ID_INVALID");
    if (row.from_id !== selfId) throw rpcError("MESSAGE_AUTHOR_REQUIRED");
    if (text === undefined || text === "") throw rpcError("MESSAGE_EMPTY");
    if (text === row.text) throw rpcError("MESSAGE_NOT_MODIFIED");
    const event = editMessage(world, row, { text, entities });
    pushEvent(world, event, context.session);
    const twin = row.twin_owner_id === null ? undefined : messageById(world, row.twin_owner_id, row.twin_id ?? 0);
    if (twin !== undefined) pushEvent(world, editMessage(world, twin, { text, entities }));
    return updatesForEvent(world, selfId, event);
  },
  "messages.deleteMessages": (context, { id }) => deleteOwn(context, self(context).user_id, id),
  "channels.deleteMessages": (context, { channel, id }) => {
    if (channel._ !== "inputChannel") throw rpcError("CHANNEL_INVALID");
    const { user_id: selfId } = self(context);
    const ref = resolvePeer(context.world, selfId, { ...channel, _: "inputPeerChannel" });
    return deleteOwn(context, -ref.id, id);
  },
  "messages.setTyping": (context, { peer }) => {
    resolvePeer(context.world, self(context).user_id, peer);
    return true;
  },
  "messages.getChats": (context, { id }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const chats = id.flatMap((chatId) => chatById(world, chatId) ?? []);
    return { _: "messages.chats", chats: chats.map((chat) => chatFor(world, selfId, chat)) };
  },
};
