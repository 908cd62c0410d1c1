import { fromPromise } from "xstate";
import type { ChatImport, ChatImportOrder } from "../../../domain/chat-import.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { FailureText } from "../kit/failed.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

export type ChatImportGateway = {
  /** The latest import; null before the first. */
  readImport(signal: AbortSignal): Promise<ChatImport | null>;
  orderImport(order: ChatImportOrder): Promise<ChatImport>;
  /** Ends the running import; what it has found stays. */
  cancelImport(): Promise<ChatImport>;
};

export type ChatImportDeps = WritingDeps & { imports: ChatImportGateway };

export const START_FAILED: FailureText = {
  refused: "The import was not started. Try again.",
  unknown: "The import may have started.",
};
export const CANCEL_FAILED: FailureText = {
  refused: "The import was not cancelled. Try again.",
  unknown: "The import may have been cancelled.",
};

export const placeholderActors = {
  readImport: notProvided<ChatImport | null, void>("readImport"),
  pollImport: notProvided<ChatImport | null, void>("pollImport"),
  orderImport: notProvided<ChatImport, ChatImportOrder>("orderImport"),
  cancelImport: notProvided<ChatImport, void>("cancelImport"),
};

export const createChatImportActors = ({ imports, ...page }: ChatImportDeps): typeof placeholderActors => ({
  readImport: fromPromise(({ signal }) => imports.readImport(signal)),
  pollImport: fromPromise(({ signal }) => imports.readImport(signal)),
  orderImport: writing<ChatImport, ChatImportOrder>(page, (order) => imports.orderImport(order), {
    done: "The import of your chats has begun.",
    failed: START_FAILED,
  }),
  cancelImport: writing<ChatImport, void>(page, () => imports.cancelImport(), {
    done: "The import was cancelled. The leads it has found stay.",
    failed: CANCEL_FAILED,
  }),
});
