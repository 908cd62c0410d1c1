import type { Long, tl } from "@mtcute/core";
import { rpcError } from "../errors.ts";
import { channelById, mayPost, channelRole } from "../world/groups.ts";
import { mediaFor } from "../world/files.ts";
import { boxState, messageById, type Content, type Message } from "../world/messages.ts";
import { hasBlocked, isContact, personById, type Account } from "../world/people.ts";
import { send } from "../world/sending.ts";
import { entitiesOf, messageFor, peersOfMessages, updatesWith } from "../world/updates.ts";
import type { PeerRef, World } from "../world/world.ts";
import { self, type CallContext, type Handlers } from "./context.ts";
import { storeMedia } from "./media.ts";
import { resolvePeer } from "./peers.ts";

const LONGEST_TEXT = 4096;
const LONGEST_CAPTION = 1024;

/** Refuses sends that the recipient does not accept (https://core.telegram.org/method/messages.sendMessage#possible-errors). */
function checkRecipient(world: World, account: Account, peer: PeerRef): void {
  if (peer.type === "channel") {
    const channel = channelById(world, peer.id);
    if (channel === undefined) throw rpcError("CHANNEL_INVALID");
    if (channelRole(world, channel.channel_id, account.user_id) === "banned") throw rpcError("CHANNEL_PRIVATE");
    if (mayPost(world, channel, account.user_id)) return;
    throw rpcError(channel.kind === "channel" ? "CHAT_ADMIN_REQUIRED" : "CHAT_WRITE_FORBIDDEN");
  }
  if (peer.type === "chat" || peer.id === account.user_id) return;
  const person = personById(world, peer.id);
  if (person === undefined) throw rpcError("PEER_ID_INVALID");
  if (person.is_deleted) throw rpcError("INPUT_USER_DEACTIVATED");
  if (hasBlocked(world, person.user_id, account.user_id)) throw rpcError("USER_IS_BLOCKED");
  if (hasBlocked(world, account.user_id, person.user_id)) throw rpcError("YOU_BLOCKED_USER");
  if (person.privacy !== null && !isContact(world, person.user_id, account.user_id)) throw rpcError(person.privacy);
}

type SendRequest = { peer: tl.TypeInputPeer; randomId: Long; replyTo?: tl.TypeInputReplyTo };

const ownerOf = (peer: PeerRef, accountId: number): number => (peer.type === "channel" ? -peer.id : accountId);

/**
 * Sends once per account, peer and random_id, forever: a repeat gets the first message, does not change pts and is not delivered
 * (https://core.telegram.org/api/updates, "random_id").
 */
function sendOnce(
  context: CallContext,
  request: SendRequest,
  makeContent: () => Content,
): { message: Message; pts: number; repeated: boolean } {
  const { world } = context;
  const account = self(context);
  if (request.randomId.isZero()) throw rpcError("RANDOM_ID_EMPTY");
  const peer = resolvePeer(world, account.user_id, request.peer);
  const slot = [account.user_id, `${peer.type}:${peer.id}`, request.randomId.toString()] as const;
  const first = world.store.get<{ owner_id: number; message_id: number }>(
    "select owner_id, message_id from random_ids where user_id = ? and peer = ? and random_id = ?",
    ...slot,
  );
  const message = first === undefined ? undefined : messageById(world, first.owner_id, first.message_id);
  if (message !== undefined) return { message, pts: boxState(world, message.owner_id).pts, repeated: true };

  const content = makeContent();
  checkRecipient(world, account, peer);
  const sent = send(
    world,
    account.user_id,
    peer,
    { ...content, replyTo: replyId(world, ownerOf(peer, account.user_id), request.replyTo) },
    {
      randomId: request.randomId,
      session: context.session,
    },
  );
  world.store.run(
    "insert into random_ids (user_id, peer, random_id, owner_id, message_id) values (?, ?, ?, ?, ?)",
    ...slot,
    sent.message.owner_id,
    sent.message.id,
  );
  return { message: sent.message, pts: sent.event.pts, repeated: false };
}

function replyId(world: World, ownerId: number, replyTo: tl.TypeInputReplyTo | undefined): number | undefined {
  if (replyTo?._ !== "inputReplyToMessage") return undefined;
  if (messageById(world, ownerId, replyTo.replyToMsgId)?.is_deleted !== 0) throw rpcError("REPLY_MESSAGE_ID_INVALID");
  return replyTo.replyToMsgId;
}

function sentUpdates(context: CallContext, randomId: Long, sent: ReturnType<typeof sendOnce>): tl.RawUpdates {
  const { world } = context;
  const { user_id: selfId } = self(context);
  const { message, pts, repeated } = sent;
  const update = {
    _: message.owner_id > 0 ? ("updateNewMessage" as const) : ("updateNewChannelMessage" as const),
    message: messageFor(world, selfId, message),
    pts,
    ptsCount: repeated ? 0 : 1,
  };
  return updatesWith(
    world,
    [{ _: "updateMessageID", id: message.id, randomId }, update],
    peersOfMessages(world, selfId, [message]),
  );
}

function textContent(text: string, entities: tl.TypeMessageEntity[] | undefined): Content {
  if (text.trim() === "") throw rpcError("MESSAGE_EMPTY");
  if (text.length > LONGEST_TEXT) throw rpcError("MESSAGE_TOO_LONG");
  return { text, entities };
}

export const sendMethods: Handlers = {
  "messages.sendMessage": (context, request) => {
    if (request.scheduleDate !== undefined) throw rpcError("SCHEDULE_DATE_INVALID");
    const sent = sendOnce(context, request, () => textContent(request.message, request.entities));
    const { message, pts, repeated } = sent;
    const toSelf = message.peer_id === message.owner_id;
    if (repeated || toSelf || message.peer_type !== "user" || message.reply_to !== null) {
      return sentUpdates(context, request.randomId, sent);
    }
    return {
      _: "updateShortSentMessage",
      out: true,
      id: message.id,
      pts,
      ptsCount: 1,
      date: message.date,
      ...(message.entities === null ? {} : { entities: entitiesOf(message.entities) }),
    };
  },
  "messages.sendMedia": (context, request) => {
    if (request.scheduleDate !== undefined) throw rpcError("SCHEDULE_DATE_INVALID");
    const sent = sendOnce(context, request, () => {
      if (request.message.length > LONGEST_CAPTION) throw rpcError("MEDIA_CAPTION_TOO_LONG");
      return { text: request.message, entities: request.entities, fileId: storeMedia(context, request.media) };
    });
    return sentUpdates(context, request.randomId, sent);
  },
  "messages.uploadMedia": (context, { peer, media }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    resolvePeer(world, selfId, peer);
    return mediaFor(world, selfId, storeMedia(context, media)) ?? { _: "messageMediaEmpty" };
  },
};
