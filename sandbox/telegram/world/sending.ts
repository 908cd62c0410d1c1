import type { Long } from "@mtcute/core";
import { isChatMember } from "./groups.ts";
import { addMessage, joinTwins, type BoxEvent, type Content, type Message } from "./messages.ts";
import { accountById } from "./people.ts";
import { pushEvent } from "./updates.ts";
import type { PeerRef, World } from "./world.ts";

export type Sent = { message: Message; event: BoxEvent };

/** Adds an account's message to its own box and to those of its recipients, and pushes it to them. */
export function send(
  world: World,
  accountId: number,
  peer: PeerRef,
  content: Content,
  options: { randomId?: Long; session?: object } = {},
): Sent {
  const placement = { peer, fromId: accountId, out: true, ...(options.randomId ? { randomId: options.randomId } : {}) };
  const sent = addMessage(world, peer.type === "channel" ? -peer.id : accountId, placement, content);
  if (peer.type === "user" && peer.id !== accountId && accountById(world, peer.id) !== undefined) {
    const twin = receive(world, peer.id, { type: "user", id: accountId }, accountId, content);
    joinTwins(world, sent.message, twin.message);
  }
  if (peer.type === "chat") {
    for (const member of accountsInChat(world, peer.id)) {
      if (member !== accountId) receive(world, member, peer, accountId, content);
    }
  }
  pushEvent(world, sent.event, options.session);
  return sent;
}

/** A message from a person put into an account's box, and pushed to its sessions. */
export function receive(world: World, accountId: number, peer: PeerRef, fromId: number, content: Content): Sent {
  const received = addMessage(world, accountId, { peer, fromId, out: false }, content);
  pushEvent(world, received.event);
  return received;
}

const accountsInChat = (world: World, chatId: number): number[] =>
  world.store
    .all<{ user_id: number }>("select user_id from accounts")
    .map((row) => row.user_id)
    .filter((userId) => isChatMember(world, chatId, userId));
