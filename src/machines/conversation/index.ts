import { createReporter } from "../kit/reporting.ts";
import { type ConversationDeps, createConversationActors } from "./conversation.actors.ts";
import { conversationMachine } from "./conversation.machine.ts";

/** A lead's conversation over its outside parts. */
export const createConversation = (deps: ConversationDeps) =>
  conversationMachine.provide({
    actors: createConversationActors(deps),
    actions: { reportFailure: createReporter(deps.logger) },
  });

export type { ConversationDeps } from "./conversation.actors.ts";
export { compareMessages } from "./conversation.log.ts";
export {
  ConversationProvider,
  useCanConversation,
  useConversation,
  useConversationEvents,
} from "./conversation.context.tsx";
export { conversationMachine } from "./conversation.machine.ts";
export * from "./conversation.selectors.ts";
