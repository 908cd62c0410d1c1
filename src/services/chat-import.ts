import { parse } from "valibot";
import { ChatImport, type ChatImportRequest } from "../../domain/chat-import.ts";
import { nullOn } from "../../domain/problem.ts";
import type { Http } from "./http.ts";

const PATH = "/telegram/import";

/** `/telegram/import`: imports existing chats as leads. */
export const createChatImportGateway = (http: Http) => ({
  /** The latest import; null before the first, and if the server does not know the call. */
  readImport: (signal: AbortSignal): Promise<ChatImport | null> =>
    http(PATH, { signal }).then((answer) => parse(ChatImport, answer), nullOn(404)),

  startImport: async (body: ChatImportRequest): Promise<ChatImport> =>
    parse(ChatImport, await http(PATH, { method: "POST", body, once: true })),

  /** Cancels the running import; the leads found so far stay. */
  cancelImport: async (): Promise<ChatImport> => parse(ChatImport, await http(PATH, { method: "DELETE" })),
});
