import { createReporter } from "../kit/reporting.ts";
import { type ChatImportDeps, createChatImportActors } from "./chat-import.actors.ts";
import { chatImportMachine } from "./chat-import.machine.ts";

/** The import of existing chats over a gateway. */
export const createChatImport = (deps: ChatImportDeps) =>
  chatImportMachine.provide({
    actors: createChatImportActors(deps),
    actions: { reportFailure: createReporter(deps.logger) },
  });

export type { ChatImportDeps, ChatImportGateway } from "./chat-import.actors.ts";
export { ChatImportProvider, useCanChatImport, useChatImport, useChatImportEvents } from "./chat-import.context.tsx";
export { chatImportMachine } from "./chat-import.machine.ts";
export * from "./chat-import.selectors.ts";
