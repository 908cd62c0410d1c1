import { createMachineContext } from "../kit/context.tsx";
import { conversationMachine } from "./conversation.machine.ts";

const Conversation = createMachineContext(conversationMachine, (conversation) => ({
  retryReading: () => conversation.send({ type: "reading.retry" }),
  showOlder: () => conversation.send({ type: "older.show" }),
  showNewest: () => conversation.send({ type: "newest.show" }),
  reachBottom: () => conversation.send({ type: "bottom.reach" }),
  leaveBottom: () => conversation.send({ type: "bottom.leave" }),
  /** Reads a message again: the address of its file holds for an hour only. */
  renew: (id: string) => conversation.send({ type: "message.changed", id }),
  /** The person has the messages up to this one before their eyes. */
  see: (upTo: string) => conversation.send({ type: "messages.see", upTo }),
}));

export const ConversationProvider = Conversation.Provider;
export const useConversation = Conversation.use;
/** What a person can do in a conversation. */
export const useConversationEvents = Conversation.useVerbs;
export const useCanConversation = Conversation.useCan;
