import type { tl } from "@mtcute/core";
import { deserializeAll } from "../wire/tl.ts";
import { mediaFor } from "./files.ts";
import { channelById, channelFor, chatById, chatFor, channelMembers } from "./groups.ts";
import { messageById, type BoxEvent, type EventDetail, type Message } from "./messages.ts";
import { personById, userFor } from "./people.ts";
import { unixTime, type PeerRef, type World } from "./world.ts";

export function toPeer(peer: PeerRef): tl.TypePeer {
  if (peer.type === "user") return { _: "peerUser", userId: peer.id };
  return peer.type === "chat" ? { _: "peerChat", chatId: peer.id } : { _: "peerChannel", channelId: peer.id };
}

export const entitiesOf = (stored: Uint8Array): tl.TypeMessageEntity[] =>
  deserializeAll(stored) as unknown as tl.TypeMessageEntity[];

export const peerOf = (message: Message): PeerRef => ({ type: message.peer_type, id: message.peer_id });

const optionalFields = (world: World, viewerId: number, message: Message) => {
  const media = mediaFor(world, viewerId, message.file_id);
  return {
    ...(media === undefined ? {} : { media }),
    ...(message.entities === null ? {} : { entities: entitiesOf(message.entities) }),
    ...(message.edit_date === null ? {} : { editDate: message.edit_date }),
    ...(message.reply_to === null
      ? {}
      : { replyTo: { _: "messageReplyHeader" as const, replyToMsgId: message.reply_to } }),
  };
};

/** Returns the message constructor as `viewerId` sees it. */
export function messageFor(world: World, viewerId: number, message: Message): tl.TypeMessage {
  const peer = peerOf(message);
  if (message.is_deleted) return { _: "messageEmpty", id: message.id, peerId: toPeer(peer) };
  const broadcast = peer.type === "channel" && channelById(world, peer.id)?.kind === "channel";
  const from = message.from_id === null || broadcast ? undefined : toPeer({ type: "user", id: message.from_id });
  return {
    _: "message",
    out: peer.type === "channel" ? message.from_id === viewerId : message.is_out === 1,
    post: broadcast,
    id: message.id,
    ...(from === undefined ? {} : { fromId: from }),
    peerId: toPeer(peer),
    date: message.date,
    message: message.text,
    ...optionalFields(world, viewerId, message),
  };
}

export type Peers = { users: tl.TypeUser[]; chats: tl.TypeChat[] };

/** Returns all users and groups of the messages, as `viewerId` sees them. */
export function peersFor(world: World, viewerId: number, refs: PeerRef[], fromIds: (number | null)[] = []): Peers {
  const userIds = new Set([viewerId, ...fromIds.filter((id) => id !== null)]);
  const chatRefs = new Map<string, PeerRef>();
  for (const ref of refs) {
    if (ref.type === "user") userIds.add(ref.id);
    else chatRefs.set(`${ref.type}${ref.id}`, ref);
  }
  const users = [...userIds].flatMap((id) => personById(world, id) ?? []);
  const chats = [...chatRefs.values()].flatMap((ref): tl.TypeChat[] => {
    const chat = ref.type === "chat" ? chatById(world, ref.id) : undefined;
    if (chat !== undefined) return [chatFor(world, viewerId, chat)];
    const channel = ref.type === "channel" ? channelById(world, ref.id) : undefined;
    return channel === undefined ? [] : [channelFor(world, viewerId, channel)];
  });
  return { users: users.map((person) => userFor(world, viewerId, person)), chats };
}

export const peersOfMessages = (world: World, viewerId: number, messages: Message[]): Peers =>
  peersFor(
    world,
    viewerId,
    messages.map(peerOf),
    messages.map((message) => message.from_id),
  );

/** Returns the update for an event; null if its message was deleted since. */
export function updateOf(world: World, viewerId: number, event: BoxEvent): tl.TypeUpdate | null {
  const { ids, peer } = JSON.parse(event.detail) as EventDetail;
  const { pts, pts_count: ptsCount, owner_id: ownerId } = event;
  const channelId = -ownerId;
  if (event.kind === "delete") {
    return ownerId > 0
      ? { _: "updateDeleteMessages", messages: ids, pts, ptsCount }
      : { _: "updateDeleteChannelMessages", channelId, messages: ids, pts, ptsCount };
  }
  const [first = 0] = ids;
  if (event.kind === "read_inbox" || event.kind === "read_outbox") {
    if (peer === undefined) return null;
    const read = { peer: toPeer(peer), maxId: first, pts, ptsCount };
    return event.kind === "read_outbox"
      ? { _: "updateReadHistoryOutbox", ...read }
      : { _: "updateReadHistoryInbox", ...read, stillUnreadCount: 0 };
  }
  const row = messageById(world, ownerId, first);
  if (row === undefined || row.is_deleted) return null;
  const message = messageFor(world, viewerId, row);
  if (ownerId > 0) {
    return { _: event.kind === "new" ? "updateNewMessage" : "updateEditMessage", message, pts, ptsCount };
  }
  return { _: event.kind === "new" ? "updateNewChannelMessage" : "updateEditChannelMessage", message, pts, ptsCount };
}

export function updatesWith(world: World, updates: tl.TypeUpdate[], peers: Peers): tl.RawUpdates {
  return { _: "updates", updates, ...peers, date: unixTime(world), seq: 0 };
}

/** Returns the complete response or push for one event. */
export function updatesForEvent(world: World, viewerId: number, event: BoxEvent): tl.RawUpdates {
  const { ids, peer } = JSON.parse(event.detail) as EventDetail;
  const messages = ids.flatMap((id) => messageById(world, event.owner_id, id) ?? []);
  const update = updateOf(world, viewerId, event);
  const channel: PeerRef[] = event.owner_id < 0 ? [{ type: "channel", id: -event.owner_id }] : [];
  const peers = peersFor(
    world,
    viewerId,
    [...messages.map(peerOf), ...channel, ...(peer === undefined ? [] : [peer])],
    messages.map((message) => message.from_id),
  );
  return updatesWith(world, update === null ? [] : [update], peers);
}

/** A private text in its short form, which the network uses if both users know each other. */
function shortMessage(message: Message, event: BoxEvent): tl.RawUpdateShortMessage {
  return {
    _: "updateShortMessage",
    out: message.is_out === 1,
    id: message.id,
    userId: message.peer_id,
    message: message.text,
    pts: event.pts,
    ptsCount: event.pts_count,
    date: message.date,
    ...(message.entities === null ? {} : { entities: entitiesOf(message.entities) }),
  };
}

function isAcquainted(world: World, message: Message): boolean {
  return (
    world.store.get(
      "select 1 from messages where owner_id = ? and peer_type = 'user' and peer_id = ? and id < ? limit 1",
      message.owner_id,
      message.peer_id,
      message.id,
    ) !== undefined
  );
}

/** Pushes a box's event to everyone who sees the box, after the transaction has committed. */
export function pushEvent(world: World, event: BoxEvent, exceptSession?: object): void {
  const viewers = event.owner_id > 0 ? [event.owner_id] : channelMembers(world, -event.owner_id);
  for (const viewerId of viewers) {
    const [firstId = 0] = (JSON.parse(event.detail) as EventDetail).ids;
    const message = event.kind === "new" ? messageById(world, event.owner_id, firstId) : undefined;
    const short =
      message?.peer_type === "user" &&
      message.peer_id !== message.owner_id &&
      message.file_id === null &&
      message.reply_to === null &&
      isAcquainted(world, message);
    const updates = short ? shortMessage(message, event) : updatesForEvent(world, viewerId, event);
    world.store.afterCommit(() => world.hub.pushToUser(viewerId, updates, exceptSession));
  }
  world.store.afterCommit(() => world.changed());
}
