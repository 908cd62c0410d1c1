import { Long, type tl } from "@mtcute/core";
import { RpcError, rpcError } from "../errors.ts";
import { channelFor, channelRole, mayPost, setChannelRole } from "../world/groups.ts";
import { boxState, dialogOf, markRead } from "../world/messages.ts";
import { peersFor, updatesWith } from "../world/updates.ts";
import { self, type CallContext, type Handlers } from "./context.ts";
import { resolveChannel } from "./peers.ts";

function channelIfKnown(context: CallContext, input: tl.TypeInputChannel): tl.TypeChat[] {
  const { user_id: selfId } = self(context);
  try {
    return [channelFor(context.world, selfId, resolveChannel(context.world, selfId, input))];
  } catch (error) {
    if (error instanceof RpcError) return [];
    throw error;
  }
}

function setMembership(context: CallContext, input: tl.TypeInputChannel, join: boolean): tl.RawUpdates {
  const { world } = context;
  const { user_id: selfId } = self(context);
  const { channel_id: channelId } = resolveChannel(world, selfId, input);
  const role = channelRole(world, channelId, selfId);
  if (role === "banned") throw rpcError("CHANNEL_PRIVATE");
  if (join && role === undefined) setChannelRole(world, channelId, selfId, "member");
  if (!join && role === undefined) throw rpcError("USER_NOT_PARTICIPANT");
  if (!join) setChannelRole(world, channelId, selfId, null);
  return updatesWith(
    world,
    [{ _: "updateChannel", channelId }],
    peersFor(world, selfId, [{ type: "channel", id: channelId }]),
  );
}

export const channelMethods: Handlers = {
  "channels.getChannels": (context, { id }) => ({
    _: "messages.chats",
    chats: id.flatMap((input) => channelIfKnown(context, input)),
  }),
  "channels.getFullChannel": (context, { channel: input }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const channel = resolveChannel(world, selfId, input);
    if (channelRole(world, channel.channel_id, selfId) === "banned") throw rpcError("CHANNEL_PRIVATE");
    const { read_inbox: readInbox, read_outbox: readOutbox } = dialogOf(world, selfId, {
      type: "channel",
      id: channel.channel_id,
    });
    return {
      _: "messages.chatFull",
      fullChat: {
        _: "channelFull",
        id: channel.channel_id,
        about: "",
        readInboxMaxId: readInbox,
        readOutboxMaxId: readOutbox,
        unreadCount: 0,
        chatPhoto: { _: "photoEmpty", id: Long.ZERO },
        notifySettings: { _: "peerNotifySettings" },
        botInfo: [],
        pts: boxState(world, -channel.channel_id).pts,
      },
      chats: [channelFor(world, selfId, channel)],
      users: [],
    };
  },
  "channels.getParticipant": (context, { channel: input, participant }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const channel = resolveChannel(world, selfId, input);
    if (participant._ !== "inputPeerSelf") throw rpcError("PARTICIPANT_ID_INVALID");
    const role = channelRole(world, channel.channel_id, selfId);
    if (role === undefined || role === "banned") throw rpcError("USER_NOT_PARTICIPANT");
    const peers = peersFor(world, selfId, [{ type: "channel", id: channel.channel_id }]);
    const date = channel.created_at;
    const adminRights: tl.RawChatAdminRights = { _: "chatAdminRights", postMessages: true };
    const participantOf = (): tl.TypeChannelParticipant => {
      if (role === "creator") return { _: "channelParticipantCreator", userId: selfId, adminRights };
      return mayPost(world, channel, selfId) && role === "admin"
        ? { _: "channelParticipantAdmin", userId: selfId, promotedBy: selfId, date, adminRights }
        : { _: "channelParticipantSelf", userId: selfId, inviterId: selfId, date };
    };
    return { _: "channels.channelParticipant", participant: participantOf(), ...peers };
  },
  "channels.joinChannel": (context, { channel }) => ({
    _: "messages.chatInviteJoinResultOk",
    updates: setMembership(context, channel, true),
  }),
  "channels.leaveChannel": (context, { channel }) => setMembership(context, channel, false),
  "channels.readHistory": (context, { channel: input, maxId }) => {
    const { world } = context;
    const { user_id: selfId } = self(context);
    const channel = resolveChannel(world, selfId, input);
    return markRead(world, selfId, { type: "channel", id: channel.channel_id }, "read_inbox", maxId) !== null;
  },
};
