import type { tl } from "@mtcute/core";
import { accessHash, unixTime, type World } from "./world.ts";

export type Chat = { chat_id: number; title: string; created_at: number };

export type Channel = {
  channel_id: number;
  username: string | null;
  title: string;
  kind: "channel" | "supergroup";
  /** who may post: everyone, or only admins */
  writers: "everyone" | "admins";
  created_at: number;
};

export type ChannelRole = "creator" | "admin" | "member" | "banned";

const FIRST_CHANNEL_ID = 1_500_000_001;

export const chatById = (world: World, chatId: number): Chat | undefined =>
  world.store.get<Chat>("select * from chats where chat_id = ?", chatId);

/** Returns the account's basic group of that title; creates it if there is none. */
export function joinChat(world: World, accountId: number, title: string): Chat {
  const { store } = world;
  const known = store.get<Chat>(
    "select chats.* from chats natural join chat_members where user_id = ? and title = ?",
    accountId,
    title,
  );
  if (known !== undefined) return known;
  const createdAt = unixTime(world);
  const { id } = store.run("insert into chats (title, created_at) values (?, ?)", title, createdAt);
  addChatMember(world, id, accountId);
  return { chat_id: id, title, created_at: createdAt };
}

export function addChatMember(world: World, chatId: number, userId: number): void {
  world.store.run("insert or ignore into chat_members (chat_id, user_id) values (?, ?)", chatId, userId);
}

export const isChatMember = (world: World, chatId: number, userId: number): boolean =>
  world.store.get("select 1 from chat_members where chat_id = ? and user_id = ?", chatId, userId) !== undefined;

const memberCount = (world: World, table: "chat_members" | "channel_members", key: string, id: number): number =>
  world.store.get<{ n: number }>(`select count(*) as n from ${table} where ${key} = ?`, id)?.n ?? 0;

export const channelById = (world: World, channelId: number): Channel | undefined =>
  world.store.get<Channel>("select * from channels where channel_id = ?", channelId);

export const channelByUsername = (world: World, username: string): Channel | undefined =>
  world.store.get<Channel>("select * from channels where username = ?", username);

/** Creates a public channel or supergroup; the caller has checked that the username is free. */
export function addChannel(world: World, input: Pick<Channel, "username" | "title" | "kind" | "writers">): Channel {
  const { store } = world;
  const highest = store.get<{ id: number | null }>("select max(channel_id) as id from channels")?.id ?? 0;
  const channel = { ...input, channel_id: Math.max(FIRST_CHANNEL_ID, highest + 1), created_at: unixTime(world) };
  store.run(
    "insert into channels (channel_id, username, title, kind, writers, created_at) values (?, ?, ?, ?, ?, ?)",
    channel.channel_id,
    channel.username,
    channel.title,
    channel.kind,
    channel.writers,
    channel.created_at,
  );
  store.run("insert into boxes (owner_id) values (?)", -channel.channel_id);
  return channel;
}

export const channelRole = (world: World, channelId: number, userId: number): ChannelRole | undefined =>
  world.store.get<{ role: ChannelRole }>(
    "select role from channel_members where channel_id = ? and user_id = ?",
    channelId,
    userId,
  )?.role;

export function setChannelRole(world: World, channelId: number, userId: number, role: ChannelRole | null): void {
  if (role === null) {
    world.store.run("delete from channel_members where channel_id = ? and user_id = ?", channelId, userId);
    return;
  }
  world.store.run(
    "insert into channel_members (channel_id, user_id, role) values (?, ?, ?) on conflict do update set role = excluded.role",
    channelId,
    userId,
    role,
  );
}

export const channelMembers = (world: World, channelId: number): number[] =>
  world.store
    .all<{ user_id: number }>(
      "select user_id from channel_members where channel_id = ? and role <> 'banned'",
      channelId,
    )
    .map((row) => row.user_id);

/** True if the account may post. In an open channel everyone is an admin, the sandbox's default for reminders. */
export function mayPost(world: World, channel: Channel, userId: number): boolean {
  const role = channelRole(world, channel.channel_id, userId);
  if (role === "banned") return false;
  return channel.writers === "everyone" || role === "creator" || role === "admin";
}

export function chatFor(world: World, viewerId: number, chat: Chat): tl.RawChat {
  return {
    _: "chat",
    left: !isChatMember(world, chat.chat_id, viewerId),
    id: chat.chat_id,
    title: chat.title,
    photo: { _: "chatPhotoEmpty" },
    participantsCount: memberCount(world, "chat_members", "chat_id", chat.chat_id),
    date: chat.created_at,
    version: 1,
  };
}

/** Returns the channel constructor as `viewerId` sees it. */
export function channelFor(world: World, viewerId: number, channel: Channel): tl.RawChannel | tl.RawChannelForbidden {
  const role = channelRole(world, channel.channel_id, viewerId);
  const hash = accessHash(world, viewerId, { type: "channel", id: channel.channel_id });
  const broadcast = channel.kind === "channel";
  if (role === "banned") {
    return {
      _: "channelForbidden",
      broadcast,
      megagroup: !broadcast,
      id: channel.channel_id,
      accessHash: hash,
      title: channel.title,
    };
  }
  const posts = broadcast && mayPost(world, channel, viewerId);
  const base: tl.RawChannel = {
    _: "channel",
    creator: role === "creator",
    left: role === undefined,
    broadcast,
    megagroup: !broadcast,
    id: channel.channel_id,
    accessHash: hash,
    title: channel.title,
    photo: { _: "chatPhotoEmpty" },
    date: channel.created_at,
    participantsCount: memberCount(world, "channel_members", "channel_id", channel.channel_id),
    ...(channel.username === null ? {} : { username: channel.username }),
  };
  return posts ? { ...base, adminRights: { _: "chatAdminRights", postMessages: true, editMessages: true } } : base;
}
