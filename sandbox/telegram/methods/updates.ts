import type { tl } from "@mtcute/core";
import { rpcError } from "../errors.ts";
import {
  boxState,
  eventsAfter,
  messageById,
  type BoxEvent,
  type EventDetail,
  type Message,
} from "../world/messages.ts";
import { messageFor, peersFor, peerOf, updateOf, type Peers } from "../world/updates.ts";
import { unixTime, type PeerRef, type World } from "../world/world.ts";
import { self, type Handlers } from "./context.ts";
import { resolveChannel } from "./peers.ts";

/** Maximum updates per response; a client that missed more requests them slice by slice. */
const SLICE = 100;

function state(world: World, pts: number): tl.updates.RawState {
  return { _: "updates.state", pts, qts: 0, date: unixTime(world), seq: 0, unreadCount: 0 };
}

type Difference = { newMessages: tl.TypeMessage[]; otherUpdates: tl.TypeUpdate[] } & Peers;

/** Converts events to updates in their current state; omits messages deleted since, because the deletion is an update too. */
function difference(world: World, viewerId: number, events: BoxEvent[]): Difference {
  const newMessages: tl.TypeMessage[] = [];
  const otherUpdates: tl.TypeUpdate[] = [];
  const seen: Message[] = [];
  const refs: PeerRef[] = [];
  for (const event of events) {
    const { ids, peer } = JSON.parse(event.detail) as EventDetail;
    const message = event.kind === "delete" ? undefined : messageById(world, event.owner_id, ids[0] ?? 0);
    if (peer !== undefined) refs.push(peer);
    if (event.kind === "new") {
      if (message === undefined || message.is_deleted) continue;
      newMessages.push(messageFor(world, viewerId, message));
    } else {
      const update = updateOf(world, viewerId, event);
      if (update !== null) otherUpdates.push(update);
    }
    if (message !== undefined) seen.push(message);
  }
  const fromIds = seen.map((message) => message.from_id);
  return { newMessages, otherUpdates, ...peersFor(world, viewerId, [...refs, ...seen.map(peerOf)], fromIds) };
}

export const updateMethods: Handlers = {
  "updates.getState": (context) => {
    const { user_id: selfId } = self(context);
    return state(context.world, boxState(context.world, selfId).pts);
  },
  "updates.getDifference": (context, { pts, ptsTotalLimit }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const current = boxState(world, selfId).pts;
    if (pts <= 0 || pts > current) throw rpcError("PERSISTENT_TIMESTAMP_INVALID");
    if (pts === current) return { _: "updates.differenceEmpty", date: unixTime(world), seq: 0 };
    if (ptsTotalLimit !== undefined && pts + ptsTotalLimit < current) {
      return { _: "updates.differenceTooLong", pts: current };
    }
    const events = eventsAfter(world, selfId, pts, SLICE);
    const [first] = events;
    if (first === undefined || first.pts - first.pts_count > pts) {
      return { _: "updates.differenceTooLong", pts: first === undefined ? current : first.pts - first.pts_count };
    }
    const last = events.at(-1)?.pts ?? current;
    const found = { ...difference(world, selfId, events), newEncryptedMessages: [] };
    return last < current
      ? { _: "updates.differenceSlice", ...found, intermediateState: state(world, last) }
      : { _: "updates.difference", ...found, state: state(world, current) };
  },
  "updates.getChannelDifference": (context, { channel, pts, limit }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const { channel_id: channelId } = resolveChannel(world, selfId, channel);
    const current = boxState(world, -channelId).pts;
    if (pts <= 0) throw rpcError("PERSISTENT_TIMESTAMP_INVALID");
    if (pts >= current) return { _: "updates.channelDifferenceEmpty", final: true, pts: current };
    const events = eventsAfter(world, -channelId, pts, Math.min(limit, SLICE));
    const last = events.at(-1)?.pts ?? current;
    const found = difference(world, selfId, events);
    const { chats } = peersFor(world, selfId, [{ type: "channel", id: channelId }]);
    return { _: "updates.channelDifference", final: last >= current, pts: last, ...found, chats };
  },
};
