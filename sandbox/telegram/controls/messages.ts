import { SandboxError } from "../errors.ts";
import { addChatMember, channelByUsername, joinChat, setChannelRole, type Channel } from "../world/groups.ts";
import {
  addMessage,
  deleteMessages,
  editMessage,
  forgetEvents,
  history,
  markRead,
  messageById,
  pinDialog,
  type Content,
  type Message,
} from "../world/messages.ts";
import { accountById, hasBlocked, type Person } from "../world/people.ts";
import { sampleFile, type SampleKind } from "../world/samples.ts";
import { receive, send } from "../world/sending.ts";
import { pushEvent } from "../world/updates.ts";
import type { PeerRef, World } from "../world/world.ts";
import { requireAccount, requirePerson, requireText, parseUsername } from "./inputs.ts";
import { writerFor, type Writer } from "./people.ts";

export type ReceiveInput = {
  from: Writer;
  text?: string | undefined;
  /** attaches a sample of that kind */
  media?: SampleKind | undefined;
  /** the title of a group of both users; without it the message is private */
  in_group?: string | undefined;
};

/** Another user writes to the account; clients receive the update now or when they reconnect. */
export function receiveMessage(
  world: World,
  phone: string,
  input: ReceiveInput,
): { user_id: number; message_id: number } {
  const account = requireAccount(world, phone);
  const text = requireText(input.text ?? "");
  if (text === "" && input.media === undefined) throw new SandboxError(422, "invalid", "Write a text or send a file.");
  const person = writerFor(world, account.user_id, input.from);
  const content: Content = { text, fileId: input.media === undefined ? null : sampleFile(world, input.media) };
  if (input.in_group !== undefined) {
    const chat = joinChat(world, account.user_id, input.in_group);
    addChatMember(world, chat.chat_id, person.user_id);
    const { message } = receive(world, account.user_id, { type: "chat", id: chat.chat_id }, person.user_id, content);
    return { user_id: person.user_id, message_id: message.id };
  }
  if (hasBlocked(world, account.user_id, person.user_id)) {
    throw new SandboxError(409, "blocked", "The account has blocked this person, whose messages do not arrive.");
  }
  return { user_id: person.user_id, message_id: deliver(world, account.user_id, person, content).id };
}

/** Adds a private message. If the sender has an account in the sandbox, it shows there as sent. */
function deliver(world: World, accountId: number, person: Person, content: Content): Message {
  const peer: PeerRef = { type: "user", id: person.user_id };
  if (person.user_id === accountId || accountById(world, person.user_id) === undefined) {
    return receive(world, accountId, peer, person.user_id, content).message;
  }
  const sent = send(world, person.user_id, { type: "user", id: accountId }, content).message;
  const twin = messageById(world, sent.owner_id, sent.id);
  const arrived = twin?.twin_id == null ? undefined : messageById(world, accountId, twin.twin_id);
  return arrived ?? sent;
}

function requireMessage(world: World, phone: string, messageId: number): Message {
  const account = requireAccount(world, phone);
  const message = messageById(world, account.user_id, messageId);
  if (message === undefined || message.is_deleted) {
    throw new SandboxError(404, "unknown_message", `The account has no message ${messageId}.`);
  }
  return message;
}

/** Edits a received message as its sender; `media` replaces its file with a sample of that kind. */
export function editReceived(
  world: World,
  phone: string,
  messageId: number,
  { text, media }: { text: string; media?: SampleKind | undefined },
): void {
  const message = requireMessage(world, phone, messageId);
  const content = { text: requireText(text), fileId: media === undefined ? null : sampleFile(world, media) };
  pushEvent(world, editMessage(world, message, content));
  const twin =
    message.twin_owner_id === null ? undefined : messageById(world, message.twin_owner_id, message.twin_id ?? 0);
  if (twin !== undefined) pushEvent(world, editMessage(world, twin, content));
}

/** The sender deletes a message for both. */
export function deleteReceived(world: World, phone: string, messageId: number): void {
  const message = requireMessage(world, phone, messageId);
  for (const [ownerId, id] of [
    [message.owner_id, message.id],
    [message.twin_owner_id, message.twin_id],
  ]) {
    const event = ownerId == null || id == null ? null : deleteMessages(world, ownerId, [id]);
    if (event !== null) pushEvent(world, event);
  }
}

/** The account's owner writes on the phone; other devices receive the update. */
export function sendFromPhone(world: World, phone: string, toUserId: number, text: string): { message_id: number } {
  const account = requireAccount(world, phone);
  if (text.trim() === "") throw new SandboxError(422, "invalid", "Write a text.");
  const peer: PeerRef = { type: "user", id: requirePerson(world, toUserId).user_id };
  return { message_id: send(world, account.user_id, peer, { text: requireText(text) }).message.id };
}

/** The account's owner reads a chat on the phone, completely or up to a message. */
export function readOnPhone(world: World, phone: string, userId: number, upTo?: number): void {
  const account = requireAccount(world, phone);
  const peer: PeerRef = { type: "user", id: requirePerson(world, userId).user_id };
  const [newest] = history(world, account.user_id, peer, 0, 1);
  const event = markRead(world, account.user_id, peer, "read_inbox", upTo ?? newest?.id ?? 0);
  if (event !== null) pushEvent(world, event);
}

export function pinChat(world: World, phone: string, userId: number): void {
  const account = requireAccount(world, phone);
  pinDialog(world, account.user_id, { type: "user", id: requirePerson(world, userId).user_id });
}

/** Deletes the account's past updates: a client that missed them learns that there were too many. */
export function forgetUpdates(world: World, phone: string): void {
  forgetEvents(world, requireAccount(world, phone).user_id);
}

/** The other user reads all that the account sent. */
export function readByPerson(world: World, phone: string, userId: number): void {
  const account = requireAccount(world, phone);
  const peer: PeerRef = { type: "user", id: requirePerson(world, userId).user_id };
  const newest = history(world, account.user_id, peer, 0, 100).find((message) => message.is_out);
  const event = newest === undefined ? null : markRead(world, account.user_id, peer, "read_outbox", newest.id);
  if (event !== null) pushEvent(world, event);
}

export function requireChannel(world: World, username: string): Channel {
  const name = parseUsername(username);
  const channel = channelByUsername(world, name);
  if (channel === undefined) throw new SandboxError(404, "unknown_channel", `There is no channel @${name}.`);
  return channel;
}

/** Posts a message in a channel or supergroup; adds the account as a member. */
export function writeInChannel(
  world: World,
  phone: string,
  username: string,
  input: { from: Writer; text: string },
): { user_id: number; message_id: number } {
  const account = requireAccount(world, phone);
  const channel = requireChannel(world, username);
  const person = writerFor(world, account.user_id, input.from);
  setChannelRole(world, channel.channel_id, account.user_id, "member");
  setChannelRole(world, channel.channel_id, person.user_id, "member");
  const placement = { peer: { type: "channel" as const, id: channel.channel_id }, fromId: person.user_id, out: false };
  const { message, event } = addMessage(world, -channel.channel_id, placement, { text: requireText(input.text) });
  pushEvent(world, event);
  return { user_id: person.user_id, message_id: message.id };
}
