import { describe, expect, it, vi } from "vitest";
import { type ContextFrom, SimulatedClock, createActor } from "xstate";
import type { ChatImport } from "../../domain/chat-import.ts";
import {
  type ChatImportGateway,
  chatImportMachine,
  createChatImport,
  endWords,
  pauseWords,
  progressWords,
} from "../../src/machines/chat-import/index.ts";
import type { Visit } from "../support/invariants.ts";
import { unanswered } from "../support/model-events.ts";
import { firstReadingInvariants, isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { chatImportModel, importJob, running } from "./chat-import.model.ts";

const stores = ({ context, before, event }: Visit<ContextFrom<typeof chatImportMachine>>) =>
  expect(context).toEqual({ ...before, job: event.output, isBehind: false });

walkEveryPath(chatImportMachine, chatImportModel, {
  ...firstReadingInvariants("", "readImport"),
  loading: {
    after: {
      start: null,
      "reading.retry": null,
      "error orderImport": ({ context, event }) =>
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
      "import.start": ({ context, before }) =>
        expect(context).toEqual({ ...before, days: "0", problem: "Write a whole number of days from 1 to 365." }),
      "error orderImport": ({ context }) => expect(context.problem).toEqual("No."),
      "done pollImport": stores,
      "done cancelImport": stores,
    },
    holds: ({ context }) => expect(context.job?.status).not.toEqual("in_progress"),
  },
  starting: {
    after: { "import.start": ({ context }) => expect(context.problem).toEqual(null) },
    holds: ({ context, calls }) =>
      isCalling("orderImport", {
        days: context.days === "14" ? 14 : 30,
        include_contacts: context.includesContacts,
      })({ calls }),
  },
  running: {
    accepts: ["import.cancel"],
    holds: ({ context }) => expect(context.job?.status).toEqual("in_progress"),
  },
  "running.waiting": {
    after: {
      "done readImport": stores,
      "done orderImport": stores,
      "done pollImport": stores,
      "error pollImport": ({ context, before }) => expect(context).toEqual({ ...before, isBehind: true }),
    },
  },
  "running.looking": {
    after: {
      "after pollPause": null,
      "error cancelImport": ({ context, before }) =>
        expect(context).toEqual({ ...before, problem: unanswered("The import may have been cancelled.") }),
    },
    holds: isCalling("pollImport"),
  },
  cancelling: {
    after: { "import.cancel": ({ context, before }) => expect(context).toEqual({ ...before, problem: null }) },
    holds: isCalling("cancelImport"),
  },
});

function startImport(answers: (ChatImport | null | Error)[], gateway: Partial<ChatImportGateway> = {}) {
  const calls: unknown[] = [];
  const clock = new SimulatedClock();
  const logic = createChatImport({
    imports: {
      async readImport() {
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        if (answer instanceof Error) throw answer;
        return answer ?? null;
      },
      async orderImport(order) {
        calls.push(order);
        return importJob({ scanned: 0, found: 0 });
      },
      async cancelImport() {
        calls.push("cancel");
        return importJob({ status: "cancelled" });
      },
      ...gateway,
    },
    notifier: { toast: (words) => calls.push(words), warn: (words) => calls.push(`warn: ${words}`) },
    logger: { warn: (what) => calls.push(`log: ${what}`) },
  });
  const chart = createActor(logic, { clock }).start();
  const is = (state: string | object) => vi.waitFor(() => expect(chart.getSnapshot().value).toEqual(state));
  return { chart, calls, clock, is };
}

describe("an import of existing chats", () => {
  it("begins on the person's word alone and is watched until it ends", async () => {
    const { chart, calls, clock, is } = startImport([
      null,
      importJob({ scanned: 40 }),
      new Error("the server restarts"),
      importJob({ scanned: 90 }),
      importJob({ status: "completed", scanned: 300 }),
    ]);
    await is("resting");
    chart.send({ type: "days.change", days: "366" });
    chart.send({ type: "import.start" });
    expect([chart.getSnapshot().value, chart.getSnapshot().context.problem, calls]).toEqual([
      "resting",
      "Write a whole number of days from 1 to 365.",
      [],
    ]);
    chart.send({ type: "days.change", days: "365" });
    chart.send({ type: "contacts.change", isIncluded: false });
    chart.send({ type: "import.start" });
    await is({ running: "waiting" });
    const seen: (number | undefined)[] = [];
    for (let look = 0; look < 4; look += 1) {
      clock.increment(2_000);
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await vi.waitFor(() => expect(chart.getSnapshot().matches({ running: "looking" })).toEqual(false));
      seen.push(chart.getSnapshot().context.job?.scanned);
    }
    expect(seen).toEqual([40, 40, 90, 300]);
    expect(chart.getSnapshot().value).toEqual("resting");
    expect(calls).toEqual([{ days: 365, include_contacts: false }, "log: the progress of an import could not be read"]);
  });

  it("goes on when the screen is left, and what became of the last word is told", async () => {
    const { chart, calls, is } = startImport([null]);
    await is("resting");
    chart.send({ type: "import.start" });
    chart.stop();
    await vi.waitFor(() => expect(calls).toContain("The import of your chats has begun."));
  });
});

describe("the words of an import", () => {
  it("tell how far it is, what it waits for and how it ended", () => {
    expect(progressWords(importJob({ scanned: 1, found: 1 }))).toEqual("Looked at 1 chat so far; 1 is a lead now.");
    expect(pauseWords(importJob())).toEqual(null);
    expect(pauseWords(importJob({ paused_until: "2026-03-05T10:00:00Z" }))).toMatch(
      /^Telegram asks to wait until \d.*\. The import goes on by itself after that\.$/,
    );
    expect([
      endWords(null),
      endWords(importJob()),
      endWords(importJob({ status: "completed", finished_at: "2026-03-05T12:00:00Z" })),
      endWords(importJob({ status: "cancelled", found: 1 })),
      endWords(importJob({ status: "failed", reason: "Start it again." })),
    ]).toEqual([
      null,
      null,
      "The last import ended on 5 March 2026: 120 chats looked at, 80 are leads now.",
      "The last import was cancelled: 120 chats looked at, 1 is a lead now.",
      "The last import failed: 120 chats looked at, 80 are leads now. Start it again.",
    ]);
  });
});
