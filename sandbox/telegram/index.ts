import type { TelegramConnection } from "./client-options.ts";
import * as accounts from "./controls/accounts.ts";
import { requireAccount } from "./controls/inputs.ts";
import * as messages from "./controls/messages.ts";
import { addOldChats } from "./controls/old-chats.ts";
import * as people from "./controls/people.ts";
import { accountView, chatViews, sentViews, type AccountView, type ChatView, type SentView } from "./controls/views.ts";
import { runNetwork, type NetworkOptions } from "./network.ts";
import { keysOfUser } from "./world/logins.ts";
import { boxState } from "./world/messages.ts";
import { clearFaults, faultsOf, type Fault } from "./world/faults.ts";
import type { ChannelRole } from "./world/groups.ts";
import type { SampleKind } from "./world/samples.ts";
import { allAccounts, type Privacy } from "./world/people.ts";

export { SandboxError } from "./errors.ts";
export { telegramClientOptions, type TelegramConnection } from "./client-options.ts";
export type { AccountView, ChatView, SentView } from "./controls/views.ts";
export type { NetworkOptions } from "./network.ts";
export type { Fault } from "./world/faults.ts";
export type { ChannelRole } from "./world/groups.ts";
export type { Privacy } from "./world/people.ts";

/**
 * A simulated Telegram network and its controls. They accept phone numbers with or without a plus and throw a SandboxError on bad input.
 * Their effects are durable when they return.
 */
export type TelegramNetwork = {
  /** for clients: the data centres and the RSA public key (PEM) */
  readonly connection: TelegramConnection;
  close(): Promise<void>;

  createAccount(input: accounts.NewAccount): AccountView;
  account(phone: string): AccountView;
  accounts(): AccountView[];
  /** sets, changes or (empty) removes the two-step password */
  setPassword(phone: string, password: string, hint?: string): void;
  /** the phone scans the QR code and approves it */
  scan(phone: string, qrUrl: string): Promise<void>;
  /** ends the account's sessions, or the one with this id */
  revoke(phone: string, sessionId?: string): void;

  /** another user writes to the account, privately or in a group */
  receive(phone: string, input: messages.ReceiveInput): { user_id: number; message_id: number };
  /** all messages that the account sent, in order of delivery; groups and channels by their negative marked id */
  sent(phone: string): SentView[];
  /** the account's chats with all messages, most recent first */
  chats(phone: string): ChatView[];
  /** the sender edits a message; `media` replaces its file with a sample of that kind */
  editMessage(phone: string, messageId: number, edit: { text: string; media?: SampleKind | undefined }): void;
  deleteMessage(phone: string, messageId: number): void;
  /** the account's owner writes on the phone */
  sendFromPhone(phone: string, toUserId: number, text: string): { message_id: number };
  /** the account's owner reads a chat on the phone, completely or up to a message */
  readOnPhone(phone: string, userId: number, upTo?: number): void;
  /** adds chats of the last days to the account, without updates to clients */
  addOldChats(phone: string, wanted: { count: number; days: number }): { count: number };
  /** the account's owner pins a chat on the phone */
  pinChat(phone: string, userId: number): void;
  /** deletes past updates: a client that missed them learns that there were too many */
  forgetUpdates(phone: string): void;
  /** the other user reads what the account sent */
  read(phone: string, userId: number): void;

  /** the other user blocks the account */
  block(phone: string, userId: number): void;
  unblock(phone: string, userId: number): void;
  deletePerson(phone: string, userId: number): void;
  setPrivacy(phone: string, userId: number, privacy: Privacy | null): void;
  setBot(phone: string, userId: number, isBot: boolean): void;

  addFault(phone: string, fault: Fault): void;
  faults(phone: string): Fault[];
  /** removes the account's faults and flood waits */
  clearFaults(phone: string): void;

  createChannel(input: accounts.NewChannel): { id: number; username: string; title: string };
  setChannelRole(phone: string, username: string, role: ChannelRole | null): void;
  writeInChannel(
    phone: string,
    username: string,
    input: { from: messages.ReceiveInput["from"]; text: string },
  ): { user_id: number; message_id: number };

  /** calls the listener soon after a visible change; returns a function that stops it */
  onChange(listener: () => void): () => void;
};

/** Starts the network on loopback. Its state and ports are stored in `dir`/telegram.sqlite and survive kill -9. */
export async function startTelegramNetwork(options: NetworkOptions): Promise<TelegramNetwork> {
  const running = await runNetwork(options);
  const { world, publicKeyPem, listeners } = running;
  const durably = <Result>(work: () => Result): Result => world.store.transaction(work);
  return {
    connection: {
      dcs: world.dcs,
      mainDcId: world.mainDcId,
      publicKeyPem,
      deliveryTo(userId) {
        const receiving = running.core.sessions.keysReceivingUpdates();
        return {
          pts: boxState(world, userId).pts,
          isReceiving: keysOfUser(world, userId).some(({ id }) => receiving.has(id)),
        };
      },
    },
    close: () => running.close(),
    createAccount: (input) => durably(() => accountView(world, accounts.createAccount(world, input))),
    account: (phone) => accountView(world, requireAccount(world, phone)),
    accounts: () => allAccounts(world).map((account) => accountView(world, account)),
    setPassword: (phone, password, hint) => durably(() => accounts.changePassword(world, phone, password, hint)),
    scan: async (phone, qrUrl) => durably(() => accounts.scan(world, phone, qrUrl)),
    revoke: (phone, sessionId) => durably(() => accounts.revoke(world, phone, sessionId)),
    receive: (phone, input) => durably(() => messages.receiveMessage(world, phone, input)),
    sent: (phone) => sentViews(world, requireAccount(world, phone)),
    chats: (phone) => chatViews(world, requireAccount(world, phone)),
    editMessage: (phone, messageId, edit) => durably(() => messages.editReceived(world, phone, messageId, edit)),
    deleteMessage: (phone, messageId) => durably(() => messages.deleteReceived(world, phone, messageId)),
    sendFromPhone: (phone, toUserId, text) => durably(() => messages.sendFromPhone(world, phone, toUserId, text)),
    readOnPhone: (phone, userId, upTo) => durably(() => messages.readOnPhone(world, phone, userId, upTo)),
    addOldChats: (phone, wanted) => durably(() => addOldChats(world, phone, wanted)),
    pinChat: (phone, userId) => durably(() => messages.pinChat(world, phone, userId)),
    forgetUpdates: (phone) => durably(() => messages.forgetUpdates(world, phone)),
    read: (phone, userId) => durably(() => messages.readByPerson(world, phone, userId)),
    block: (phone, userId) => durably(() => people.setBlockedBy(world, phone, userId, true)),
    unblock: (phone, userId) => durably(() => people.setBlockedBy(world, phone, userId, false)),
    deletePerson: (phone, userId) => durably(() => people.deletePerson(world, phone, userId)),
    setPrivacy: (phone, userId, privacy) => durably(() => people.setPrivacy(world, phone, userId, privacy)),
    setBot: (phone, userId, isBot) => durably(() => people.setBot(world, phone, userId, isBot)),
    addFault: (phone, fault) => durably(() => accounts.armFault(world, phone, fault)),
    faults: (phone) => faultsOf(world, requireAccount(world, phone).user_id),
    clearFaults: (phone) =>
      durably(() => {
        clearFaults(world, requireAccount(world, phone).user_id);
        world.changed();
      }),
    createChannel: (input) => durably(() => accounts.createChannel(world, input)),
    setChannelRole: (phone, username, role) => durably(() => accounts.setRole(world, phone, username, role)),
    writeInChannel: (phone, username, input) => durably(() => messages.writeInChannel(world, phone, username, input)),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
