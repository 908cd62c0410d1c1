import type { AccountImport } from "../../domain/archive.ts";
import { createArchive } from "../../src/machines/archive/archive.machine.ts";
import { done, failed, modelOf, offline, refusedWith } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const archiveJob = (known: Partial<AccountImport> = {}): AccountImport => ({
  id: "import-1",
  status: "in_progress",
  total: 1200,
  done: 400,
  is_removing: false,
  brought: null,
  reason: null,
  created_at: "2026-03-05T10:00:00Z",
  finished_at: null,
  ...known,
});
export const archiveFile = new File(["zip"], "leadloom-export.zip", { type: "application/zip" });
const completed = archiveJob({ status: "completed", done: 1200, brought: { leads: 300, messages: 800 } });
export const refused = refusedWith(422, { code: "invalid_input", message: "No." });
export const running = refusedWith(409, { code: "account_importing", message: "Wait." });

export const archiveModel = modelOf(createArchive(fakePage(), { save: () => {} }), {
  unreported: ["sendArchive"],
  events: [
    { type: "file.choose", file: archiveFile },
    { type: "file.choose", file: null },
    ...done("readImport", null, archiveJob()),
    ...done("pollImport", archiveJob({ done: 800 }), completed),
    ...done("downloadArchive", new Blob(["zip"])),
    ...done("sendArchive", archiveJob({ done: 0 })),
    ...failed("sendArchive", offline, running, refused),
    ...done("stopImport", archiveJob({ is_removing: true }), archiveJob({ status: "failed", reason: "Stopped." })),
  ],
  delays: { pollPause: 2_000 },
  // Clearing the file input fires an event only if a file was chosen; choosing the same file again fires none.
  allow: ({ context }, event) => event.type !== "file.choose" || (event["file"] === null) === (context.file !== null),
});
