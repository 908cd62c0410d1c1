import { createChatImport } from "../machines/chat-import/index.ts";
import { createChatImportGateway } from "../services/chat-import.ts";
import type { Services } from "./services.ts";

/** The import of existing chats, wherever a screen offers it. */
export const chatImportOf = ({ http, notifier, logger }: Services) =>
  createChatImport({ imports: createChatImportGateway(http), notifier, logger });
