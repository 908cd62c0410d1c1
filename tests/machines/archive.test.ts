import { describe, expect, it, vi } from "vitest";
import { SimulatedClock, createActor } from "xstate";
import type { AccountImport } from "../../domain/archive.ts";
import {
  type ArchiveGateway,
  archiveMachine,
  createArchive,
  endWords,
  progressWords,
} from "../../src/machines/archive/index.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { archiveFile, archiveJob, archiveModel } from "./archive.model.ts";

walkEveryPath(archiveMachine, archiveModel);

function start(answers: (AccountImport | null | Error)[], gateway: Partial<ArchiveGateway> = {}) {
  const calls: unknown[] = [];
  const clock = new SimulatedClock();
  const logic = createArchive({
    archives: {
      async readImport() {
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        if (answer instanceof Error) throw answer;
        return answer ?? null;
      },
      downloadArchive: async () => new Blob(["zip"]),
      async sendArchive(file) {
        calls.push(file.name);
        return archiveJob({ done: 0 });
      },
      ...gateway,
    },
    saveFile: (_file, name) => calls.push(`saved ${name}`),
    notifier: { toast: (words) => calls.push(words), warn: (words) => calls.push(`warn: ${words}`) },
    logger: { warn: (what) => calls.push(`log: ${what}`) },
  });
  const chart = createActor(logic, { clock }).start();
  const is = (state: string | object) => vi.waitFor(() => expect(chart.getSnapshot().value).toEqual(state));
  return { chart, calls, clock, is };
}

describe("the account as a file", () => {
  it("is saved when it has come, and says when it has not", async () => {
    let fails = true;
    const { chart, calls, is } = start([null], {
      downloadArchive: async () => {
        if (fails) throw new Error("offline");
        return new Blob(["zip"]);
      },
    });
    await is("resting");
    chart.send({ type: "download.request" });
    await is("resting");
    expect(chart.getSnapshot().context.problem).toEqual("Your data could not be downloaded. Try again.");
    fails = false;
    chart.send({ type: "download.request" });
    await vi.waitFor(() => expect(calls).toEqual(["log: the archive was not downloaded", "saved leadloom-export.zip"]));
    expect(chart.getSnapshot().context.problem).toEqual(null);
  });

  it("is brought in on the person's word alone and watched until it is in", async () => {
    const { chart, calls, clock, is } = start([
      null,
      archiveJob({ done: 500 }),
      new Error("the server restarts"),
      archiveJob({ status: "completed", done: 1200 }),
    ]);
    await is("resting");
    chart.send({ type: "import.start" });
    expect([chart.getSnapshot().value, calls]).toEqual(["resting", []]);
    expect(chart.getSnapshot().context.problem).toEqual("Choose the zip file first.");
    chart.send({ type: "file.choose", file: archiveFile });
    chart.send({ type: "import.start" });
    await is({ running: "waiting" });
    const seen: (number | undefined)[] = [];
    for (let look = 0; look < 3; look += 1) {
      clock.increment(2_000);
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await vi.waitFor(() => expect(chart.getSnapshot().matches({ running: "looking" })).toEqual(false));
      seen.push(chart.getSnapshot().context.job?.done);
    }
    expect(seen).toEqual([500, 500, 1200]);
    expect([chart.getSnapshot().value, chart.getSnapshot().context.file]).toEqual(["resting", null]);
    expect(calls).toEqual(["leadloom-export.zip", "log: the progress of an import could not be read"]);
  });

  it("that is refused says why and keeps the file", async () => {
    const refusal = { status: 409, body: { code: "account_not_empty", message: "This account is not empty." } };
    const { chart, is } = start([null], {
      sendArchive: () => Promise.reject(Object.assign(new Error("refused"), refusal)),
    });
    await is("resting");
    chart.send({ type: "file.choose", file: archiveFile });
    chart.send({ type: "import.start" });
    await vi.waitFor(() => expect(chart.getSnapshot().context.problem).toEqual("This account is not empty."));
    expect(chart.getSnapshot().context.file).toBe(archiveFile);
  });
});

describe("the words of an import", () => {
  it("tell how far it is and how it ended", () => {
    expect(progressWords(archiveJob())).toEqual("400 of 1,200 rows so far.");
    expect([
      endWords(null),
      endWords(archiveJob()),
      endWords(
        archiveJob({ status: "completed", finished_at: "2026-03-05T12:00:00Z", brought: { leads: 1, messages: 800 } }),
      ),
      endWords(archiveJob({ status: "failed", reason: "Try again." })),
    ]).toEqual([
      null,
      null,
      "Your export was brought in on 5 March 2026: 1 lead, 800 messages. Automatic follow-ups and reminders are off until you switch them on.",
      "An export could not be brought in. Try again.",
    ]);
  });
});
