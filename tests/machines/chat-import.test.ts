import { expect, it } from "vitest";
import { english } from "../support/english.ts";
import {
  createChatImport,
  endText,
  pauseText,
  progressText,
} from "../../src/machines/chat-import/chat-import.machine.ts";
import { type VisitOf, initialLoadInvariants, isCalling, unchecked, walkEveryPath } from "../support/invariants.ts";
import { fakePage, openJourney } from "../support/page.ts";
import { unanswered } from "../support/model.ts";
import { chatImportModel, importJob, running } from "./chat-import.model.ts";

const stores = ({ context, before, event }: VisitOf<typeof chatImportModel>) =>
  expect(context).toEqual({ ...before, job: event.output, isBehind: false });

walkEveryPath(chatImportModel, {
  ...initialLoadInvariants("", "readImport"),
  loading: {
    after: {
      ...unchecked("start", "reading.retry"),
      "error startImport": ({ context, event }) =>
        expect(context.problem).toEqual(event.error === running ? null : unanswered("The import may have started.")),
    },
    holds: isCalling("readImport"),
  },
  resting: {
    accepts: ["days.change", "contacts.change", "import.start"],
    after: {
      "done readImport": stores,
      "days.change": ({ context, before, event }) =>
        expect(context).toEqual({ ...before, days: event.days, problem: null }),
      "contacts.change": ({ context, before, event }) =>
        expect(context).toEqual({ ...before, includesContacts: event.isIncluded }),
      "import.start": ({ context, before }) => {
        expect(["0", "366"]).toContain(before.days);
        expect(context).toEqual({ ...before, problem: "Write a whole number of days from 1 to 365." });
      },
      "error startImport": ({ context }) => expect(context.problem).toEqual("No."),
      "done pollImport": stores,
      "done cancelImport": stores,
    },
    holds: ({ context }) => expect(context.job?.status).not.toEqual("in_progress"),
  },
  starting: {
    after: { "import.start": ({ context }) => expect(context.problem).toEqual(null) },
    holds: ({ context, calls }) =>
      isCalling("startImport", {
        days: context.days === "365" ? 365 : 30,
        include_contacts: context.includesContacts,
      })({ calls }),
  },
  running: { accepts: ["job.cancel"], holds: ({ context }) => expect(context.job?.status).toEqual("in_progress") },
  "running.waiting": {
    after: {
      "done readImport": stores,
      "done startImport": stores,
      "done pollImport": stores,
      "error pollImport": ({ context, before }) => expect(context).toEqual({ ...before, isBehind: true }),
    },
  },
  "running.reading": {
    after: {
      "after pollPause": null,
      "error cancelImport": ({ context, before }) =>
        expect(context).toEqual({ ...before, problem: unanswered("The import may have been cancelled.") }),
    },
    holds: isCalling("pollImport"),
  },
  cancelling: {
    after: { "job.cancel": ({ context, before }) => expect(context).toEqual({ ...before, problem: null }) },
    holds: isCalling("cancelImport"),
  },
});

it("cancels an import, and confirms the start of another after navigation", async () => {
  const page = fakePage();
  const logic = createChatImport(page, {
    imports: {
      readImport: async () => null,
      startImport: async () => importJob({ scanned: 0, found: 0 }),
      cancelImport: async () => importJob({ status: "cancelled" }),
    },
  });
  const { leave, go, context } = await openJourney(logic);
  await go({ type: "import.start" });
  await go({ type: "job.cancel" });
  expect(context().job?.status).toEqual("cancelled");
  await leave({ type: "import.start" });
  expect(page.notices).toEqual(["The import of your chats has begun."]);
});

it("says an import's progress, what it waits for and how it ended", () => {
  expect(progressText(importJob({ scanned: 1, found: 1 }))).toEqual("Looked at 1 chat so far; 1 is a lead now.");
  expect(pauseText(importJob())).toEqual(null);
  expect(english(pauseText(importJob({ paused_until: "2026-03-05T10:00:00Z" })) ?? "")).toMatch(
    /^Telegram asks to wait until \d.*\. The import then resumes automatically\.$/,
  );
  expect([
    endText(null),
    endText(importJob()),
    endText(importJob({ status: "completed", finished_at: "2026-03-05T12:00:00Z" })),
    endText(importJob({ status: "cancelled", found: 1 })),
    endText(importJob({ status: "failed", reason: "Start it again." })),
  ]).toEqual([
    null,
    null,
    "The last import ended on 5 March 2026: 120 chats looked at, 80 are leads now.",
    "The last import was cancelled: 120 chats looked at, 1 is a lead now.",
    "The last import failed: 120 chats looked at, 80 are leads now. Start it again.",
  ]);
});
