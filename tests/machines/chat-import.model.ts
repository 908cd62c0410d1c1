import type { ChatImport } from "../../domain/chat-import.ts";
import { chatImportMachine } from "../../src/machines/chat-import/index.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const importJob = (known: Partial<ChatImport> = {}): ChatImport => ({
  id: "import-1",
  status: "in_progress",
  scanned: 120,
  found: 80,
  paused_until: null,
  reason: null,
  created_at: null,
  finished_at: null,
  ...known,
});
const ended = importJob({ status: "completed", scanned: 300, found: 210 });
const offline = new Error("offline");
const refused = Object.assign(new Error("refused"), { status: 422, body: { code: "invalid_input", message: "No." } });
const running = Object.assign(new Error("running"), {
  status: 409,
  body: { code: "import_running", message: "Wait." },
});

export const chatImportModel: WalkedModel = {
  unreported: ["orderImport"],
  events: [
    { type: "days.change", days: "14" },
    { type: "days.change", days: "0" },
    { type: "contacts.change", isIncluded: false },
    { type: "contacts.change", isIncluded: true },
    { type: "xstate.done.actor.readImport", output: null },
    { type: "xstate.done.actor.readImport", output: importJob() },
    { type: "xstate.error.actor.readImport", error: offline },
    { type: "xstate.done.actor.pollImport", output: importJob({ scanned: 130 }) },
    { type: "xstate.done.actor.pollImport", output: ended },
    { type: "xstate.error.actor.pollImport", error: offline },
    { type: "xstate.done.actor.orderImport", output: importJob({ scanned: 0, found: 0 }) },
    { type: "xstate.error.actor.orderImport", error: offline },
    { type: "xstate.error.actor.orderImport", error: running },
    { type: "xstate.error.actor.orderImport", error: refused },
    { type: "xstate.done.actor.cancelImport", output: importJob({ status: "cancelled" }) },
    { type: "xstate.error.actor.cancelImport", error: offline },
  ],
  delays: { pollPause: 2_000 },
  // Typing what stands there already is no event, and the form is tried before the first import alone.
  allow: ({ context }, event) => {
    if (event.type === "days.change") return context.job === null && event["days"] !== context.days;
    if (event.type === "contacts.change")
      return context.job === null && event["isIncluded"] !== context.includesContacts;
    return true;
  },
  project: ({ value, context }) => [
    value,
    context.days,
    context.includesContacts,
    context.job?.status,
    context.problem,
    context.isBehind,
  ],
  provide: overPending(chatImportMachine),
};
