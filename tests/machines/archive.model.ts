import type { AccountImport } from "../../domain/archive.ts";
import { archiveMachine } from "../../src/machines/archive/index.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const archiveJob = (known: Partial<AccountImport> = {}): AccountImport => ({
  id: "import-1",
  status: "in_progress",
  total: 1200,
  done: 400,
  brought: null,
  reason: null,
  created_at: "2026-03-05T10:00:00Z",
  finished_at: null,
  ...known,
});
export const archiveFile = new File(["zip"], "leadloom-export.zip", { type: "application/zip" });
const completed = archiveJob({ status: "completed", done: 1200, brought: { leads: 300, messages: 800 } });
const offline = new Error("offline");
const refused = Object.assign(new Error("refused"), { status: 422, body: { code: "invalid_input", message: "No." } });
const running = Object.assign(new Error("running"), {
  status: 409,
  body: { code: "account_importing", message: "Wait." },
});

export const archiveModel: WalkedModel = {
  unreported: ["sendArchive"],
  events: [
    { type: "file.choose", file: archiveFile },
    { type: "file.choose", file: null },
    { type: "xstate.done.actor.readImport", output: null },
    { type: "xstate.done.actor.readImport", output: archiveJob() },
    { type: "xstate.error.actor.readImport", error: offline },
    { type: "xstate.done.actor.pollImport", output: archiveJob({ done: 800 }) },
    { type: "xstate.done.actor.pollImport", output: completed },
    { type: "xstate.error.actor.pollImport", error: offline },
    { type: "xstate.done.actor.downloadArchive", output: new Blob(["zip"]) },
    { type: "xstate.error.actor.downloadArchive", error: offline },
    { type: "xstate.done.actor.sendArchive", output: archiveJob({ done: 0 }) },
    { type: "xstate.error.actor.sendArchive", error: offline },
    { type: "xstate.error.actor.sendArchive", error: running },
    { type: "xstate.error.actor.sendArchive", error: refused },
  ],
  delays: { pollPause: 2_000 },
  // An empty choice is an event only where a file was chosen, and the same file is chosen once.
  allow: ({ context }, event) => event.type !== "file.choose" || (event["file"] === null) === (context.file !== null),
  project: ({ value, context }) => [
    value,
    context.file !== null,
    context.job?.status,
    context.problem,
    context.isBehind,
  ],
  provide: overPending(archiveMachine),
};
