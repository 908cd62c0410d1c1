import type { tl } from "@mtcute/core";
import { rpcError } from "../errors.ts";
import { channelById, chatById, isChatMember, type Channel } from "../world/groups.ts";
import { messageById } from "../world/messages.ts";
import { personById, type Person } from "../world/people.ts";
import { accessHash, type PeerRef, type World } from "../world/world.ts";

type UserInput = { userId: number; accessHash: { eq(other: unknown): boolean } };

function requireUser(world: World, viewerId: number, input: UserInput, error: string): Person {
  const person = personById(world, input.userId);
  const known =
    person !== undefined && input.accessHash.eq(accessHash(world, viewerId, { type: "user", id: input.userId }));
  if (!known) throw rpcError(error);
  return person;
}

/** Resolves a user through a message that the account has ("min" peers). */
function userFromMessage(
  world: World,
  viewerId: number,
  userId: number,
  peer: tl.TypeInputPeer,
  msgId: number,
): Person {
  const { type, id } = resolvePeer(world, viewerId, peer);
  const message = messageById(world, type === "channel" ? -id : viewerId, msgId);
  const person = message?.from_id === userId ? personById(world, userId) : undefined;
  if (person === undefined) throw rpcError("MSG_ID_INVALID");
  return person;
}

/** Resolves an InputUser, if its access hash is the account's own. */
export function resolveUser(world: World, viewerId: number, input: tl.TypeInputUser): Person {
  if (input._ === "inputUserSelf") {
    const person = personById(world, viewerId);
    if (person !== undefined) return person;
  }
  if (input._ === "inputUser") return requireUser(world, viewerId, input, "USER_ID_INVALID");
  if (input._ === "inputUserFromMessage") {
    return userFromMessage(world, viewerId, input.userId, input.peer, input.msgId);
  }
  throw rpcError("USER_ID_INVALID");
}

/** Resolves an InputChannel, if its access hash is the account's own. */
export function resolveChannel(world: World, viewerId: number, input: tl.TypeInputChannel): Channel {
  if (input._ !== "inputChannel") throw rpcError("CHANNEL_INVALID");
  const channel = channelById(world, input.channelId);
  const known =
    channel !== undefined && input.accessHash.eq(accessHash(world, viewerId, { type: "channel", id: input.channelId }));
  if (!known) throw rpcError("CHANNEL_INVALID");
  return channel;
}

/** Resolves an InputPeer; throws PEER_ID_INVALID if it is unknown or its access hash is another account's. */
export function resolvePeer(world: World, viewerId: number, input: tl.TypeInputPeer): PeerRef {
  switch (input._) {
    case "inputPeerSelf":
      return { type: "user", id: viewerId };
    case "inputPeerUser":
      return { type: "user", id: requireUser(world, viewerId, input, "PEER_ID_INVALID").user_id };
    case "inputPeerUserFromMessage":
      return { type: "user", id: userFromMessage(world, viewerId, input.userId, input.peer, input.msgId).user_id };
    case "inputPeerChat":
      if (chatById(world, input.chatId) === undefined || !isChatMember(world, input.chatId, viewerId)) {
        throw rpcError("PEER_ID_INVALID");
      }
      return { type: "chat", id: input.chatId };
    case "inputPeerChannel":
      return {
        type: "channel",
        id: resolveChannel(world, viewerId, {
          _: "inputChannel",
          channelId: input.channelId,
          accessHash: input.accessHash,
        }).channel_id,
      };
    default:
      throw rpcError("PEER_ID_INVALID");
  }
}
