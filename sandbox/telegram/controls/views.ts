import { fileById } from "../world/files.ts";
import { channelById, chatById } from "../world/groups.ts";
import { chatsOf, dialogOf, history, messageById, type Message } from "../world/messages.ts";
import { hasBlocked, isContact, personById, type Account, type Privacy } from "../world/people.ts";
import { keysOfUser, loginCode, sessionHash } from "../world/logins.ts";
import { isoTime, markedId, unixTime, type PeerRef, type World } from "../world/world.ts";

export type SessionView = { id: string; device: string; created_at: string };

export type AccountView = {
  phone: string;
  user_id: number;
  first_name: string;
  last_name: string | null;
  username: string | null;
  dc_id: number;
  has_password: boolean;
  /** the login code that a phone would show now, or null */
  login_code: string | null;
  sessions: SessionView[];
};

export type MessageView = {
  message_id: number;
  from_user_id: number | null;
  from_name: string;
  out: boolean;
  text: string;
  media_type: string | null;
  at: string;
  edited_at: string | null;
};

export type ChatView = {
  /** marked id: positive for users, negative for groups, -100… for channels */
  id: number;
  type: "user" | "group" | "channel";
  title: string;
  username: string | null;
  is_bot: boolean;
  is_contact: boolean;
  is_deleted: boolean;
  has_blocked_account: boolean;
  privacy: Privacy | null;
  /** the id of the last received message that the account has read; 0 for none */
  read_up_to: number;
  /** oldest first */
  messages: MessageView[];
};

export type SentView = {
  to_user_id: number;
  text: string;
  media_type: string | null;
  random_id: string;
  message_id: number;
  at: string;
};

const MOST_SHOWN = 200;

export function accountView(world: World, account: Account): AccountView {
  const phone = account.phone ?? "";
  const code = loginCode(world, phone);
  const sessions = keysOfUser(world, account.user_id).filter((key) => key.dc_id === account.dc_id);
  return {
    phone,
    user_id: account.user_id,
    first_name: account.first_name,
    last_name: account.last_name,
    username: account.username,
    dc_id: account.dc_id,
    has_password: account.srp_verifier !== null,
    login_code: code !== undefined && code.expires_at > unixTime(world) ? code.code : null,
    sessions: sessions.map((key) => ({
      id: sessionHash(key),
      device: key.device_model ?? "",
      created_at: isoTime(key.signed_in_at ?? key.created_at),
    })),
  };
}

/** Returns `photo`, `video` or `document`, as the file was sent. */
function mediaType(world: World, fileId: number | null): string | null {
  const file = fileId === null ? undefined : fileById(world, fileId);
  if (file === undefined) return null;
  if (file.kind === "photo") return "photo";
  return file.mime_type.startsWith("video/") ? "video" : "document";
}

const fullName = (world: World, userId: number | null): string => {
  const person = userId === null ? undefined : personById(world, userId);
  if (person === undefined) return "";
  if (person.is_deleted) return "Deleted Account";
  return [person.first_name, person.last_name].filter((part) => part !== null && part !== "").join(" ");
};

function messageView(world: World, accountId: number, message: Message): MessageView {
  return {
    message_id: message.id,
    from_user_id: message.from_id,
    from_name: fullName(world, message.from_id),
    out: message.from_id === accountId,
    text: message.text,
    media_type: mediaType(world, message.file_id),
    at: isoTime(message.date),
    edited_at: message.edit_date === null ? null : isoTime(message.edit_date),
  };
}

function chatView(world: World, accountId: number, peer: PeerRef): ChatView {
  const ownerId = peer.type === "channel" ? -peer.id : accountId;
  const person = peer.type === "user" ? personById(world, peer.id) : undefined;
  const channel = peer.type === "channel" ? channelById(world, peer.id) : undefined;
  const chat = peer.type === "chat" ? chatById(world, peer.id) : undefined;
  const messages = history(world, ownerId, peer, 0, MOST_SHOWN).toReversed();
  return {
    id: markedId(peer),
    type:
      peer.type === "chat" || channel?.kind === "supergroup" ? "group" : peer.type === "channel" ? "channel" : "user",
    title: channel?.title ?? chat?.title ?? (peer.id === accountId ? "Saved Messages" : fullName(world, peer.id)),
    username: channel?.username ?? person?.username ?? null,
    is_bot: person?.is_bot === 1,
    is_contact: person !== undefined && isContact(world, accountId, person.user_id),
    is_deleted: person?.is_deleted === 1,
    has_blocked_account: person !== undefined && hasBlocked(world, person.user_id, accountId),
    privacy: person?.privacy ?? null,
    read_up_to: dialogOf(world, ownerId, peer).read_inbox,
    messages: messages.map((message) => messageView(world, accountId, message)),
  };
}

/** Returns what the account's phone shows: its chats and channels, most recent first. */
export function chatViews(world: World, account: Account): ChatView[] {
  const channels = world.store.all<{ channel_id: number }>(
    `select distinct channel_id from (
       select channel_id from channel_members where user_id = ? and role <> 'banned'
       union select -owner_id as channel_id from messages where owner_id < 0 and from_id = ?)`,
    account.user_id,
    account.user_id,
  );
  const owners = [account.user_id, ...channels.map((row) => -row.channel_id)];
  return owners
    .flatMap((ownerId) => chatsOf(world, ownerId).map(({ type, id, top }) => ({ peer: { type, id }, ownerId, top })))
    .map((chat) => ({ ...chat, sequence: messageById(world, chat.ownerId, chat.top)?.sequence ?? 0 }))
    .toSorted((a, b) => b.sequence - a.sequence)
    .map(({ peer }) => chatView(world, account.user_id, peer));
}

/** Returns all messages that the account sent, in order of delivery, including deleted ones. */
export function sentViews(world: World, account: Account): SentView[] {
  const messages = world.store.all<Message>(
    "select * from messages where from_id = ? and is_out = 1 order by sequence",
    account.user_id,
  );
  return messages.map((message) => ({
    to_user_id: markedId({ type: message.peer_type, id: message.peer_id }),
    text: message.text,
    media_type: mediaType(world, message.file_id),
    random_id: message.random_id ?? "",
    message_id: message.id,
    at: isoTime(message.date),
  }));
}
