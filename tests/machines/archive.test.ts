import { expect, it } from "vitest";
import { createArchive, endText, progressText } from "../../src/machines/archive/archive.machine.ts";
import { fakePage, openJourney } from "../support/page.ts";
import { unanswered } from "../support/model.ts";
import { initialLoadInvariants, isCalling, unchecked, walkEveryPath } from "../support/invariants.ts";
import { archiveFile, archiveJob, archiveModel, refused, running } from "./archive.model.ts";

walkEveryPath(archiveModel, {
  "*": {
    holds: ({ context, before, cause }) => {
      if (!/^(file\.choose|done sendArchive|error sendArchive)$/.test(cause)) expect(context.file).toBe(before.file);
      if (!/Import|^start$/.test(cause) && cause !== "done sendArchive") expect(context.job).toBe(before.job);
    },
  },
  ...initialLoadInvariants("", "readImport"),
  loading: {
    after: {
      ...unchecked("start", "reading.retry"),
      "error sendArchive": ({ context, event }) =>
        expect([context.file, context.problem]).toEqual(
          event.error === running
            ? [null, null]
            : [archiveFile, "No response from the server. The import may have started."],
        ),
    },
    holds: isCalling("readImport"),
  },
  resting: {
    accepts: ["download.request", "file.choose", "import.start"],
    holds: ({ context }) => expect(context.job?.status).not.toEqual("in_progress"),
    after: {
      "done readImport": ({ context, event }) => expect([context.job, context.isBehind]).toEqual([event.output, false]),
      "done pollImport": ({ context, event }) => expect([context.job, context.isBehind]).toEqual([event.output, false]),
      "done stopImport": ({ context, event }) => expect(context.job).toBe(event.output),
      "done downloadArchive": ({ event, effects }) => expect(effects).toEqual({ saveArchive: event.output }),
      "error downloadArchive": ({ context }) =>
        expect(context.problem).toEqual("Your data could not be downloaded. Try again."),
      "error sendArchive": ({ context, event, effects }) => {
        expect([context.file, context.problem, event.error]).toEqual([archiveFile, "No.", refused]);
        expect(effects).toEqual({ reportFailure: { what: "an archive was not imported" } });
      },
      "file.choose": ({ context, event }) => expect([context.file, context.problem]).toEqual([event.file, null]),
      "import.start": ({ context }) =>
        expect([context.file, context.problem]).toEqual([null, "Choose the zip file first."]),
    },
  },
  downloading: {
    after: ["download.request"],
    holds: ({ context, calls }) => expect([context.problem, Object.keys(calls)]).toEqual([null, ["downloadArchive"]]),
  },
  sending: {
    after: ["import.start"],
    holds: ({ context, calls }) =>
      expect([context.problem, calls]).toEqual([null, { sendArchive: { file: archiveFile } }]),
  },
  running: {
    accepts: ({ job }) => (job?.is_removing === true ? [] : ["job.cancel"]),
    holds: ({ context }) => expect(context.job?.status).toEqual("in_progress"),
  },
  "running.waiting": {
    after: {
      "done readImport": null,
      "done sendArchive": ({ context, event }) => expect([context.job, context.file]).toEqual([event.output, null]),
      "done pollImport": ({ context, event }) => expect([context.job, context.isBehind]).toEqual([event.output, false]),
      "done stopImport": ({ context, event }) => expect([context.job, context.isBehind]).toEqual([event.output, false]),
      "error pollImport": ({ context }) => expect(context.isBehind).toEqual(true),
    },
  },
  "running.reading": {
    after: {
      "after pollPause": null,
      "error stopImport": ({ context }) =>
        expect(context.problem).toEqual(unanswered("The import may have been cancelled.")),
    },
    holds: isCalling("pollImport"),
  },
  cancelling: {
    after: { "job.cancel": ({ context }) => expect(context.problem).toEqual(null) },
    holds: isCalling("stopImport"),
  },
});

it("sends a file, cancels its import, and saves an export under the product's name", async () => {
  const saved: string[] = [];
  const sent: File[] = [];
  const { go, context } = await openJourney(
    createArchive(fakePage(), {
      archive: {
        readImport: async () => null,
        downloadArchive: async () => new Blob(["zip"]),
        sendArchive: async (file) => (sent.push(file), archiveJob()),
        stopImport: async () => archiveJob({ status: "failed" }),
      },
      save: (_file, name) => void saved.push(name),
    }),
  );
  await go({ type: "download.request" });
  await go({ type: "file.choose", file: archiveFile }, { type: "import.start" });
  expect([saved, sent]).toEqual([["leadloom-export.zip"], [archiveFile]]);
  await go({ type: "job.cancel" });
  expect(context().job?.status).toEqual("failed");
});

it("says an import's progress and how it ended", () => {
  expect(progressText(archiveJob())).toEqual("400 of 1,200 rows so far.");
  expect([
    endText(null),
    endText(archiveJob()),
    endText(
      archiveJob({ status: "completed", finished_at: "2026-03-05T12:00:00Z", brought: { leads: 1, messages: 800 } }),
    ),
    endText(archiveJob({ status: "failed", reason: "Try again." })),
  ]).toEqual([
    null,
    null,
    "Your export was imported on 5 March 2026: 1 lead, 800 messages. Automatic follow-ups and reminders are off until you switch them on.",
    "An export could not be imported. Try again.",
  ]);
});
