import type { ChatImport } from "../../../domain/chat-import.ts";
import { hourText, dateText, numberText } from "../kit/format.ts";
import type { ChatImportSnapshot } from "./chat-import.machine.ts";

export { selectUnread } from "../kit/reading.ts";

export const selectForm = ({ context }: ChatImportSnapshot) => context;
export const selectIsLoading = (snapshot: ChatImportSnapshot) => snapshot.matches("loading");
export const selectIsStarting = (snapshot: ChatImportSnapshot) => snapshot.matches("starting");
export const selectIsCancelling = (snapshot: ChatImportSnapshot) => snapshot.matches("cancelling");
/** True while an import is under way, also while it is being cancelled. */
export const selectIsRunning = (snapshot: ChatImportSnapshot) =>
  snapshot.matches("running") || snapshot.matches("cancelling");

const chats = (count: number) => `${numberText(count)} ${count === 1 ? "chat" : "chats"}`;
const found = (count: number) => `${numberText(count)} ${count === 1 ? "is a lead" : "are leads"} now`;

/** How far an import is. */
export const progressWords = ({ scanned, found: leads }: ChatImport): string =>
  `Looked at ${chats(scanned)} so far; ${found(leads)}.`;

/** What an import waits for; null while it goes on. */
export const pauseWords = ({ paused_until }: ChatImport): string | null =>
  paused_until === null
    ? null
    : `Telegram asks to wait until ${hourText(paused_until) ?? "later"}. The import goes on by itself after that.`;

/** How the last import ended; null where none did. */
export function endWords(job: ChatImport | null): string | null {
  if (job === null || job.status === "in_progress") return null;
  const day = dateText(job.finished_at);
  const when = day === null ? "" : ` on ${day}`;
  const count = `${chats(job.scanned)} looked at, ${found(job.found)}.`;
  if (job.status === "completed") return `The last import ended${when}: ${count}`;
  if (job.status === "cancelled") return `The last import was cancelled${when}: ${count}`;
  return `The last import failed${when}: ${count} ${job.reason ?? ""}`.trim();
}
