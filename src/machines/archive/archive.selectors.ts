import type { AccountImport } from "../../../domain/archive.ts";
import { dateText, numberText } from "../kit/format.ts";
import type { ArchiveSnapshot } from "./archive.machine.ts";

export { selectUnread } from "../kit/reading.ts";

export const selectArchive = ({ context }: ArchiveSnapshot) => context;
export const selectIsLoading = (snapshot: ArchiveSnapshot) => snapshot.matches("loading");
export const selectIsDownloading = (snapshot: ArchiveSnapshot) => snapshot.matches("downloading");
export const selectIsSending = (snapshot: ArchiveSnapshot) => snapshot.matches("sending");
export const selectIsRunning = (snapshot: ArchiveSnapshot) => snapshot.matches("running");

const counted = (count: number, one: string) => `${numberText(count)} ${one}${count === 1 ? "" : "s"}`;

/** How far an import is. */
export const progressWords = ({ done, total }: AccountImport): string =>
  `${numberText(done)} of ${counted(total, "row")} so far.`;

/** How the last import ended; null where none did. */
export function endWords(job: AccountImport | null): string | null {
  if (job === null || job.status === "in_progress") return null;
  const day = dateText(job.finished_at);
  const when = day === null ? "" : ` on ${day}`;
  if (job.status === "failed") return `An export could not be brought in${when}. ${job.reason ?? ""}`.trim();
  const { leads = 0, messages = 0 } = job.brought ?? {};
  return `Your export was brought in${when}: ${counted(leads, "lead")}, ${counted(messages, "message")}. Automatic follow-ups and reminders are off until you switch them on.`;
}
