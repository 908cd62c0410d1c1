import type { Long, tl } from "@mtcute/core";
import { serialize } from "../wire/tl.ts";
import { unixTime, type PeerRef, type PeerType, type World } from "./world.ts";

export type Message = {
  sequence: number;
  owner_id: number;
  id: number;
  peer_type: PeerType;
  peer_id: number;
  from_id: number | null;
  is_out: number;
  date: number;
  edit_date: number | null;
  text: string;
  entities: Uint8Array | null;
  file_id: number | null;
  reply_to: number | null;
  random_id: string | null;
  is_deleted: number;
  twin_owner_id: number | null;
  twin_id: number | null;
};

export type Content = {
  text: string;
  entities?: tl.TypeMessageEntity[] | undefined;
  fileId?: number | null;
  replyTo?: number | undefined;
};

export type EventKind = "new" | "edit" | "delete" | "read_inbox" | "read_outbox";
export type BoxEvent = { owner_id: number; pts: number; pts_count: number; kind: EventKind; detail: string };

/** What an event refers to: message ids, and for reads the chat. */
export type EventDetail = { ids: number[]; peer?: PeerRef };

export const boxState = (world: World, ownerId: number): { pts: number; last_message_id: number } =>
  world.store.get<{ pts: number; last_message_id: number }>("select * from boxes where owner_id = ?", ownerId) ?? {
    pts: 1,
    last_message_id: 0,
  };

/** Advances the box's pts and stores the event, so that a client that missed it can request it (updates.getDifference). */
function addEvent(world: World, ownerId: number, kind: EventKind, detail: EventDetail): BoxEvent {
  const { store } = world;
  const count = kind === "read_inbox" || kind === "read_outbox" ? 1 : detail.ids.length;
  store.run("update boxes set pts = pts + ? where owner_id = ?", count, ownerId);
  const event = {
    owner_id: ownerId,
    pts: boxState(world, ownerId).pts,
    pts_count: count,
    kind,
    detail: JSON.stringify(detail),
  };
  store.run(
    "insert into events (owner_id, pts, pts_count, kind, detail) values (?, ?, ?, ?, ?)",
    event.owner_id,
    event.pts,
    event.pts_count,
    event.kind,
    event.detail,
  );
  return event;
}

export const eventsAfter = (world: World, ownerId: number, pts: number, limit: number): BoxEvent[] =>
  world.store.all<BoxEvent>(
    "select * from events where owner_id = ? and pts > ? order by pts limit ?",
    ownerId,
    pts,
    limit,
  );

export const messageById = (world: World, ownerId: number, id: number): Message | undefined =>
  world.store.get<Message>("select * from messages where owner_id = ? and id = ?", ownerId, id);

type Placement = { peer: PeerRef; fromId: number | null; out: boolean; randomId?: Long };

/** Adds a message to a box, with the box's next id. */
export function addMessage(
  world: World,
  ownerId: number,
  placement: Placement,
  content: Content,
): { message: Message; event: BoxEvent } {
  const { store } = world;
  store.run("update boxes set last_message_id = last_message_id + 1 where owner_id = ?", ownerId);
  const id = boxState(world, ownerId).last_message_id;
  const entities = content.entities === undefined || content.entities.length === 0 ? null : serialize(content.entities);
  store.run(
    `insert into messages (owner_id, id, peer_type, peer_id, from_id, is_out, date, text, entities, file_id, reply_to, random_id)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ownerId,
    id,
    placement.peer.type,
    placement.peer.id,
    placement.fromId,
    placement.out ? 1 : 0,
    unixTime(world),
    content.text,
    entities,
    content.fileId ?? null,
    content.replyTo ?? null,
    placement.randomId?.toString() ?? null,
  );
  const message = messageById(world, ownerId, id);
  if (message === undefined) throw new Error("an added message was not found");
  return { message, event: addEvent(world, ownerId, "new", { ids: [id] }) };
}

/** Adds an old message to a box without an update; clients find it in the chat's history. */
export function addOldMessage(
  world: World,
  ownerId: number,
  placement: Placement,
  content: Content,
  date: number,
): void {
  const { store } = world;
  store.run("update boxes set last_message_id = last_message_id + 1 where owner_id = ?", ownerId);
  store.run(
    "insert into messages (owner_id, id, peer_type, peer_id, from_id, is_out, date, text) values (?, ?, ?, ?, ?, ?, ?, ?)",
    ownerId,
    boxState(world, ownerId).last_message_id,
    placement.peer.type,
    placement.peer.id,
    placement.fromId,
    placement.out ? 1 : 0,
    date,
    content.text,
  );
}

/** Links the two copies of a message in two users' boxes, so that edits and deletions apply to both. */
export function joinTwins(world: World, a: Message, b: Message): void {
  const sql = "update messages set twin_owner_id = ?, twin_id = ? where sequence = ?";
  world.store.run(sql, b.owner_id, b.id, a.sequence);
  world.store.run(sql, a.owner_id, a.id, b.sequence);
}

export function editMessage(world: World, message: Message, content: Content): BoxEvent {
  const entities = content.entities === undefined || content.entities.length === 0 ? null : serialize(content.entities);
  world.store.run(
    "update messages set text = ?, entities = ?, edit_date = ?, file_id = coalesce(?, file_id) where sequence = ?",
    content.text,
    entities,
    unixTime(world),
    content.fileId ?? null,
    message.sequence,
  );
  return addEvent(world, message.owner_id, "edit", { ids: [message.id] });
}

/** Deletes existing messages; returns null if there are none. */
export function deleteMessages(world: World, ownerId: number, ids: number[]): BoxEvent | null {
  const there = ids.filter((id) => messageById(world, ownerId, id)?.is_deleted === 0);
  if (there.length === 0) return null;
  for (const id of there) {
    world.store.run("update messages set is_deleted = 1 where owner_id = ? and id = ?", ownerId, id);
  }
  return addEvent(world, ownerId, "delete", { ids: there });
}

export type Dialog = { read_inbox: number; read_outbox: number };

export const dialogOf = (world: World, ownerId: number, peer: PeerRef): Dialog =>
  world.store.get<Dialog>(
    "select read_inbox, read_outbox from dialogs where owner_id = ? and peer_type = ? and peer_id = ?",
    ownerId,
    peer.type,
    peer.id,
  ) ?? { read_inbox: 0, read_outbox: 0 };

export const isPinned = (world: World, ownerId: number, peer: PeerRef): boolean =>
  world.store.get(
    "select 1 from pinned_dialogs where owner_id = ? and peer_type = ? and peer_id = ?",
    ownerId,
    peer.type,
    peer.id,
  ) !== undefined;

export function pinDialog(world: World, ownerId: number, peer: PeerRef): void {
  world.store.run(
    "insert or ignore into pinned_dialogs (owner_id, peer_type, peer_id) values (?, ?, ?)",
    ownerId,
    peer.type,
    peer.id,
  );
}

/** Deletes a box's past events: clients that missed them learn that there were too many. */
export function forgetEvents(world: World, ownerId: number): void {
  world.store.run("delete from events where owner_id = ?", ownerId);
}

/** Marks messages up to `maxId` as read; returns null if they already were. */
export function markRead(
  world: World,
  ownerId: number,
  peer: PeerRef,
  side: "read_inbox" | "read_outbox",
  maxId: number,
): BoxEvent | null {
  if (dialogOf(world, ownerId, peer)[side] >= maxId) return null;
  world.store.run(
    `insert into dialogs (owner_id, peer_type, peer_id, ${side}) values (?, ?, ?, ?) on conflict do update set ${side} = excluded.${side}`,
    ownerId,
    peer.type,
    peer.id,
    maxId,
  );
  return addEvent(world, ownerId, side, { ids: [maxId], peer });
}

/** Returns a chat's messages, newest first, before `beforeId` if that is above zero. */
export const history = (world: World, ownerId: number, peer: PeerRef, beforeId: number, limit: number): Message[] =>
  world.store.all<Message>(
    `select * from messages where owner_id = ? and peer_type = ? and peer_id = ? and is_deleted = 0 and (? = 0 or id < ?)
     order by id desc limit ?`,
    ownerId,
    peer.type,
    peer.id,
    beforeId,
    beforeId,
    limit,
  );

export const countMessages = (
  world: World,
  ownerId: number,
  peer: PeerRef,
  aboveId: number,
  incoming: boolean,
): number =>
  world.store.get<{ n: number }>(
    `select count(*) as n from messages where owner_id = ? and peer_type = ? and peer_id = ? and is_deleted = 0 and id > ?
     ${incoming ? "and is_out = 0" : ""}`,
    ownerId,
    peer.type,
    peer.id,
    aboveId,
  )?.n ?? 0;

/** Returns the chats of a box, newest message first. */
export const chatsOf = (world: World, ownerId: number): (PeerRef & { top: number })[] =>
  world.store.all<PeerRef & { top: number }>(
    `select peer_type as type, peer_id as id, max(id) as top from messages where owner_id = ? and is_deleted = 0
     group by peer_type, peer_id order by top desc`,
    ownerId,
  );
