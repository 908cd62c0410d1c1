import { fromPromise } from "xstate";
import type { AccountImport } from "../../../domain/archive.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { FailureText } from "../kit/failed.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

export type ArchiveGateway = {
  /** Everything of the account in the open format. */
  downloadArchive(signal: AbortSignal): Promise<Blob>;
  /** The latest import; null before the first. */
  readImport(signal: AbortSignal): Promise<AccountImport | null>;
  /** Hands an archive over to be brought in. */
  sendArchive(file: File): Promise<AccountImport>;
};

export type ArchiveDeps = WritingDeps & {
  archives: ArchiveGateway;
  /** Hands a file to the browser to keep. */
  saveFile: (file: Blob, name: string) => void;
};

export const UPLOAD_FAILED: FailureText = {
  refused: "The file could not be sent. Try again.",
  unknown: "The import may have started.",
};

export const placeholderActors = {
  readImport: notProvided<AccountImport | null, void>("readImport"),
  pollImport: notProvided<AccountImport | null, void>("pollImport"),
  downloadArchive: notProvided<Blob, void>("downloadArchive"),
  sendArchive: notProvided<AccountImport, { file: File }>("sendArchive"),
};

export const createArchiveActors = ({ archives, ...page }: ArchiveDeps): typeof placeholderActors => ({
  readImport: fromPromise(({ signal }) => archives.readImport(signal)),
  pollImport: fromPromise(({ signal }) => archives.readImport(signal)),
  downloadArchive: fromPromise(({ signal }) => archives.downloadArchive(signal)),
  sendArchive: writing<AccountImport, { file: File }>(page, ({ file }) => archives.sendArchive(file), {
    done: "Your export is being brought in.",
    failed: UPLOAD_FAILED,
  }),
});
