import type { ChatImport } from "../../domain/chat-import.ts";
import { createChatImport } from "../../src/machines/chat-import/chat-import.machine.ts";
import { done, failed, modelOf, offline, refusedWith } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

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
const refused = refusedWith(422, { code: "invalid_input", message: "No." });
export const running = refusedWith(409, { code: "import_running", message: "Wait." });

export const chatImportModel = modelOf(createChatImport(fakePage()), {
  unreported: ["startImport"],
  events: [
    ...["365", "366", "0"].map((days) => ({ type: "days.change", days })),
    { type: "contacts.change", isIncluded: false },
    { type: "contacts.change", isIncluded: true },
    ...done("readImport", null, importJob()),
    ...done("pollImport", importJob({ scanned: 130 }), ended),
    ...done("startImport", importJob({ scanned: 0, found: 0 })),
    ...done("cancelImport", importJob({ status: "cancelled" })),
    ...failed("startImport", offline, running, refused),
  ],
  delays: { pollPause: 2_000 },
  // An equal value is no change. The form is walked only before the first import.
  allow: ({ context }, event) => {
    if (event.type === "days.change") return context.job === null && event["days"] !== context.days;
    if (event.type === "contacts.change")
      return context.job === null && event["isIncluded"] !== context.includesContacts;
    return true;
  },
});
