import { describe, expect, onTestFinished, test, vi } from "vitest";
import { SimulatedClock } from "xstate";
import type { BulkTarget } from "../../domain/bulk-target.ts";
import { english } from "../support/english.ts";
import type { BulkJob } from "../../domain/bulk.ts";
import { CHOSEN, type PreflightResult, confirmationText } from "../../src/machines/bulk-job/bulk-job.question.ts";
import { momentText } from "../../src/language/format.ts";
import { type BulkService, createBulkJob, selectResult } from "../../src/machines/bulk-job/bulk-job.machine.ts";
import { type RememberedJob, readJob } from "../../src/machines/bulk-job/bulk-job.memory.ts";
import {
  type ContextOf,
  type Visit,
  initialLoadInvariants,
  isCalling,
  unchecked,
  walkEveryPath,
} from "../support/invariants.ts";
import { recordingPage, settle, startJourney } from "../support/page.ts";
import { offline, refusedWith } from "../support/model.ts";
import { bulkJobInputs, bulkJobModel, film, held, job, picture, preflight, refused, stages } from "./bulk-job.model.ts";

type Context = ContextOf<typeof bulkJobModel>;

const ALERTS = {
  empty: "Please enter a message or select a media file",
  throttle: "Throttle must be between 0.1 and 10 seconds per message.",
  none: "There are no leads in the system.",
  noneInStage: 'There are no leads in stage "Hot".',
  running: "A bulk message is already being sent. Please wait until it finishes.",
  failed: "Failed to queue messages",
};

const ALL = "Send this message to ALL your leads (12 leads, every stage)?";

const stageTarget = (stageId: string): BulkTarget => ({ kind: "stage", stageId });
const targetIs = (target: BulkTarget, stageId: string) => target.kind === "stage" && target.stageId === stageId;

/** Returns why a message cannot be sent, checked in the order of the screen. */
function refusalOf({ message, media, throttle, leadCount, target, jobId, result }: Context): string | null {
  if (message.trim() === "" && media === null) return ALERTS.empty;
  const most = media === null ? 4_096 : 1_024;
  if (message.length > most)
    return `Telegram takes ${most.toLocaleString("en")} characters at most. Shorten the message.`;
  if (throttle !== "0.3") return ALERTS.throttle;
  if (leadCount === 0) return targetIs(target, "") ? ALERTS.none : ALERTS.noneInStage;
  return jobId !== null && result === null ? ALERTS.running : null;
}

const hasNoJob = ({ context }: Visit<Context>) =>
  expect(context).toMatchObject({ jobId: null, progress: null, result: null, jobProblem: null });
const forgetsJob = (visit: Visit<Context>) => {
  hasNoJob(visit);
  expect(visit.effects).toHaveProperty("forgetRememberedJob");
};
const forgetsGoneJob = (visit: Visit<Context>) => {
  forgetsJob(visit);
  expect([401, 404]).toContain(visit.event.error.status);
};
const remembers = ({ context, effects }: Visit<Context>) =>
  expect(effects["rememberJob"]).toEqual({ jobId: "job-1", progress: context.progress, result: context.result });
/** The job is running, with the progress of the response. */
const runs = (visit: Visit<Context>) => {
  remembers(visit);
  expect([visit.event.output.status, visit.context.progress]).toEqual([
    "in_progress",
    {
      sent: visit.event.output.sent_count,
      failed: 0,
      total: 12,
      pausedUntil: null,
      pausedReason: visit.event.output.paused_reason,
      pausedCode: visit.event.output.paused_code,
      isHeld: visit.event.output.is_held,
    },
  ]);
};
const isStalled = ({ event }: Visit<Context>) => expect(event.error).toBe(offline);
const isJob = { jobId: "job-1" };

walkEveryPath(
  { ...bulkJobModel, inputs: bulkJobInputs },
  {
    ...initialLoadInvariants("stages.", "listStages"),
    "stages.loaded": { after: { "done listStages": ({ context }) => expect(context.stages).toEqual(stages) } },
    "composer.composing": {
      accepts: ["stage.choose", "media.choose", "message.send"],
      after: {
        ...unchecked("start", "error askConfirmation", "done showAlert", "error showAlert"),
        "stage.choose": ({ context }) => expect([context.target, context.leadCount]).toEqual([stageTarget("s2"), null]),
        "media.choose": ({ context, event }) =>
          expect([context.media, event.file, context.marks]).toEqual([picture, picture, {}]),
        // An incomplete message shows only the error on the screen.
        "done countLeads": ({ context }) => expect([context.leadCount, refusalOf(context)]).toEqual([0, ALERTS.empty]),
        "done askConfirmation": ({ event }) => expect(event.output).toEqual(false),
        "done queueMessages": ({ context }) => expect(context.problem).toEqual(null),
      },
    },
    "composer.countingLeads": {
      accepts: ["stage.choose"],
      after: {
        "message.send": ({ context, event }) =>
          expect(context).toMatchObject({
            message: event.message,
            throttle: event.throttle,
            leadCount: null,
            problem: null,
          }),
      },
      holds: ({ context, calls }) => isCalling("countLeads", { target: context.target })({ calls }),
    },
    "composer.checking": { after: [] },
    "composer.asking.preflighting": {
      accepts: ["stage.choose"],
      after: {
        "done countLeads": ({ context, event }) =>
          expect([context.leadCount, refusalOf(context)]).toEqual([event.output, null]),
      },
      holds: ({ context, calls }) =>
        isCalling("preflight", {
          target: context.target,
          throttle: "0.3",
          messageLength: context.message.length,
        })({ calls }),
    },
    "composer.asking.confirming": {
      after: {
        "done preflight": ({ context, event }) =>
          expect(context.preflightResult).toEqual(
            event.output === null ? { kind: "unknown" } : { kind: "known", preflight: event.output },
          ),
        "error preflight": ({ context }) => expect(context.preflightResult).toEqual({ kind: "loadFailed" }),
        "after preflightPatience": ({ context }) => expect(context.preflightResult).toEqual({ kind: "late" }),
      },
      holds: ({ context, calls }) => {
        const stage = targetIs(context.target, "") ? null : (context.stages[1]?.name ?? "Unknown");
        isCalling("askConfirmation", { message: confirmationText(stage, 12, context.preflightResult) })({ calls });
      },
    },
    "composer.queueing": {
      after: { "done askConfirmation": ({ event }) => expect(event.output).toEqual(true) },
      holds: ({ context: { message, target, media }, calls }) =>
        isCalling("queueMessages", { message, target, throttle: "0.3", media })({ calls }),
    },
    "composer.alerting": {
      after: {
        // An alert about a field also shows its text next to the field.
        "media.choose": ({ context, event }) => {
          const message =
            event.file === film
              ? "File too large. Max 10MB allowed."
              : "Only pictures (PNG, JPEG, GIF, WebP) and videos (MP4, MOV, WebM) can be attached.";
          expect([context.media, context.alert, context.marks]).toEqual([null, message, { media: message }]);
        },
        "done countLeads": ({ context }) => {
          expect(context.alert).toEqual(refusalOf(context));
          expect(context.marks).toEqual(english(context.alert) === ALERTS.empty ? { message: ALERTS.empty } : {});
        },
        "error countLeads": ({ context }) =>
          expect([context.alert, context.problem]).toEqual([
            ALERTS.failed,
            "The leads could not be counted, so nothing was sent. Try again.",
          ]),
        "error queueMessages": ({ context }) =>
          expect([context.alert, context.problem]).toEqual([
            ALERTS.failed,
            "No response from the server. The messages may be on their way. If no progress appears here, send again: nothing goes out twice.",
          ]),
      },
      holds: ({ context, calls }) => isCalling("showAlert", { message: context.alert })({ calls }),
    },
    "job.remembering": { after: [] },
    "job.resuming": {
      accepts: ["job.cancel"],
      after: { start: ({ context }) => expect(context.jobId).toEqual("job-1") },
      holds: isCalling("fetchRememberedJob", isJob),
    },
    "job.looking": {
      accepts: ["job.queued"],
      after: {
        start: forgetsJob,
        "done fetchRememberedJob": (visit) => {
          forgetsJob(visit);
          expect(visit.event.output.status).not.toEqual("in_progress");
        },
        "error fetchRememberedJob": forgetsGoneJob,
        "reading.retry": forgetsJob,
        "job.changed": forgetsJob,
        "after resultDuration": forgetsJob,
      },
      holds: (visit) => {
        hasNoJob(visit);
        isCalling("findJob", { jobId: null })(visit);
      },
    },
    "job.loadFailed": {
      accepts: ["reading.retry", "job.queued", "job.changed"],
      after: ["error findJob"],
      holds: hasNoJob,
    },
    "job.absent": {
      accepts: ["job.queued", "job.changed"],
      after: {
        "done findJob": (visit) => {
          forgetsJob(visit);
          expect(visit.event.output).toEqual(null);
        },
        "error fetchJob": forgetsGoneJob,
        "done announceCancel": forgetsJob,
        "error announceCancel": forgetsJob,
      },
      holds: hasNoJob,
    },
    "job.running": {
      accepts: ({ progress }) => ["job.cancel", "job.queued", ...(progress?.isHeld ? ["job.continue"] : [])],
      holds: ({ context }) => expect([context.jobId, context.result]).toEqual(["job-1", null]),
    },
    "job.running.waiting": {
      accepts: ["job.changed"],
      after: {
        "job.queued": (visit) => {
          remembers(visit);
          expect(visit.context.progress).toMatchObject({ sent: 0, total: 12, isHeld: false });
          expect(visit.context.cancelled).toEqual(null);
        },
        "done fetchRememberedJob": runs,
        "done findJob": runs,
        "done fetchJob": runs,
        "done continueJob": runs,
        "done announceFailure": remembers,
        "error announceFailure": remembers,
      },
    },
    "job.running.reading": {
      after: {
        ...unchecked("job.changed", "job.recheck", "after pollPause"),
        "error continueJob": ({ context }) =>
          expect(context.jobProblem).toEqual("No response from the server. The job may have been continued."),
      },
      holds: isCalling("fetchJob", isJob),
    },
    "job.running.stalled": {
      accepts: ["job.recheck", "job.changed"],
      after: { "error fetchRememberedJob": isStalled, "error fetchJob": isStalled },
    },
    "job.cancelling": {
      after: { "job.cancel": ({ context }) => expect(context.jobProblem).toEqual(null) },
      holds: isCalling("cancelJob", isJob),
    },
    "job.continuing": {
      after: {
        "job.continue": ({ context, before }) =>
          expect([before.progress?.isHeld, context.jobProblem]).toEqual([true, null]),
      },
      accepts: ["job.cancel"],
      holds: isCalling("continueJob", isJob),
    },
    "job.announcingCancel": {
      after: {
        "done cancelJob": (visit) => {
          forgetsJob(visit);
          const { progress } = visit.before;
          const known = progress && { sent: progress.sent, total: progress.total };
          expect(visit.context.cancelled).toEqual(visit.event.output ?? known);
        },
      },
      holds: isCalling("announceCancel", { message: "✅ Bulk job cancelled and deleted." }),
    },
    "job.announcingFailure": {
      after: {
        "error cancelJob": ({ context }) =>
          expect(context.jobProblem).toEqual("No response from the server. The job may have been cancelled."),
      },
      holds: isCalling("announceFailure", { message: "Failed to cancel job." }),
    },
    "job.finished": {
      accepts: ["job.queued"],
      after: {
        "done fetchJob": (visit) => {
          remembers(visit);
          expect(visit.context.result).toEqual(
            visit.event.output === refused
              ? { kind: "failed", error: "Spam limit" }
              : { kind: "completed", sent: 10, failed: 2 },
          );
        },
      },
    },
  },
);

const refusal = (status: number, body: unknown = null) => Promise.reject(Object.assign(new Error(), { status, body }));
const send = { type: "message.send", message: "Hello", throttle: "0.3" } as const;
const remembered: RememberedJob = { jobId: "job-1", progress: null, result: null };

function startSender(
  answers: Partial<BulkService> = {},
  { input, isConfirmed }: { input?: { remembered?: RememberedJob; target?: BulkTarget }; isConfirmed?: boolean } = {},
) {
  const bulk = {
    listStages: async () => stages,
    countLeads: async () => 12,
    preflight: async () => null,
    queueMessages: vi.fn<BulkService["queueMessages"]>(async () => ({ jobId: "job-1" })),
    fetchRunningJob: vi.fn<BulkService["fetchRunningJob"]>(() => refusal(404)),
    fetchJob: vi.fn<BulkService["fetchJob"]>(async () => job("in_progress", 3)),
    cancelJob: async () => null,
    continueJob: async () => job("in_progress", 3),
    ...answers,
  };
  const notices: string[] = [];
  const page = recordingPage(notices, isConfirmed);
  const kept = { job: null as string | null, isDraftKept: true, work: [] as Promise<unknown>[] };
  const machine = createBulkJob(page, {
    bulk,
    jobMemory: { write: (text) => (kept.job = text), clear: () => (kept.job = null) },
    hold: (work) => void kept.work.push(work),
    forgetDraft: () => (kept.isDraftKept = false),
  });
  const clock = new SimulatedClock();
  const journey = startJourney(machine, { input: { remembered: null, ...input }, clock });
  return {
    ...journey,
    bulk,
    notices,
    kept,
    /** Sends the server's event about a job. */
    publish: (jobId: string | null = null) => page.publish("bulk.changed", { job_id: jobId }),
    job: () => (journey.snapshot().value as { job: unknown }).job,
    pass: (milliseconds: number) => (clock.increment(milliseconds), settle()),
  };
}

describe("checking a message", () => {
  test("confirms the current number of selected leads, or says that none is left", async () => {
    const countLeads = vi.fn<BulkService["countLeads"]>().mockResolvedValueOnce(12).mockResolvedValueOnce(0);
    const { go, notices, bulk } = startSender(
      { countLeads, preflight: async () => ({ ...preflight, targets: 11 }) },
      { input: { target: { kind: "query", query: "q=price" } }, isConfirmed: false },
    );
    await go(send);
    await go(send);
    expect(notices.map((message) => message.split("\n")[0])).toEqual([
      "confirm: Send this message to the 11 leads chosen in the list?",
      "alert: None of the leads chosen in the list is left. Choose them there again, or a stage here.",
    ]);
    expect(bulk.queueMessages).not.toHaveBeenCalled();
  });

  const unknown = "How many of them can be reached, and when it would be finished, is not known";
  const figures = { ...preflight, skipped: [], cold: 0, unchecked: 0 };
  test.each<[string, Parameters<typeof confirmationText>[0], PreflightResult, string[]]>([
    [
      "full figures",
      "New",
      { kind: "known", preflight },
      [
        'Send this message to 12 leads in stage "New"?',
        "",
        "10 of 12 leads can be reached.",
        "Skipped: 2. Each of them asked for no more messages.",
        "1 person was not checked recently. Telegram may still refuse them.",
        "Without a word for 30 days: 4. Today 16 more such messages may leave.",
        `Starts ${momentText(preflight.starts_at)}. Finishes about ${momentText(preflight.finishes_at)}, your time.`,
      ],
    ],
    [
      "nobody who can be reached",
      null,
      { kind: "known", preflight: { ...figures, reachable: 0, finishes_at: null } },
      [ALL, "", "0 of 12 leads can be reached.", "Nothing would go out."],
    ],
    [
      "no end in sight",
      null,
      { kind: "known", preflight: { ...figures, finishes_at: null } },
      [
        ALL,
        "",
        "10 of 12 leads can be reached.",
        "When it would be finished is not known: at present it could not run to its end.",
      ],
    ],
    ["late figures", null, { kind: "late" }, [ALL, "", `${unknown} yet: it is still being worked out.`]],
    ["unread figures", null, { kind: "loadFailed" }, [ALL, "", `${unknown}: it could not be read.`]],
    ["no figures", CHOSEN, { kind: "unknown" }, ["Send this message to the 12 leads chosen in the list?"]],
  ])("adds the preflight result to the confirmation: %s", (_, stage, known, lines) =>
    expect(english(confirmationText(stage, 12, known)).split("\n")).toEqual(lines),
  );

  test.each(["", "0", "0.09", "10.1", "fast", "-1", "NaN"])(
    "refuses a throttle of %o before the confirmation",
    async (throttle) => {
      const { go, notices } = startSender();
      await go({ ...send, throttle });
      expect(notices).toEqual(["alert: Throttle must be between 0.1 and 10 seconds per message."]);
    },
  );

  test.each(["0.1", "10"])("accepts a throttle of %s", async (throttle) => {
    const queueMessages = vi.fn<BulkService["queueMessages"]>(async () => ({ jobId: "job-1" }));
    const { go } = startSender({ queueMessages });
    await go({ ...send, throttle });
    expect(queueMessages.mock.calls[0]?.[0].throttle).toBe(throttle);
  });

  test("refuses a text that is too long beside a file, though not alone", async () => {
    const { go, notices } = startSender();
    await go({ type: "media.choose", file: picture }, { ...send, message: "x".repeat(1_025) });
    expect(notices).toEqual(["alert: Telegram takes 1,024 characters at most. Shorten the message."]);
  });
});

describe("a running job", () => {
  test("is polled every 3 s, one request at a time, until 10 s after its result", async () => {
    const answers = [job("in_progress", 3), job("completed", 10, { failed_count: 2 })];
    const fetchJob = vi.fn<BulkService["fetchJob"]>(async () => answers.shift() as BulkJob);
    const { go, job: at, pass, kept, snapshot } = startSender({ fetchJob });
    await go(send);
    await pass(2_999);
    expect(fetchJob).not.toHaveBeenCalled();
    await pass(1);
    expect([at(), readJob(kept.job)?.progress?.sent]).toEqual([{ running: "waiting" }, 3]);
    await pass(3_000);
    const result = { kind: "completed", sent: 10, failed: 2 };
    expect([at(), selectResult(snapshot()), readJob(kept.job)?.result]).toEqual(["finished", result, result]);
    await pass(9_999);
    expect(at()).toEqual("finished");
    await pass(1);
    expect([at(), kept.job]).toEqual(["absent", null]);
    expect(fetchJob).toHaveBeenCalledTimes(2);
  });

  test.each([500, 429])("is no longer polled after %i, until a retry or an event", async (status) => {
    const fetchJob = vi.fn<BulkService["fetchJob"]>(() => refusal(status));
    const { go, job: at, pass, publish } = startSender({ fetchJob });
    await go(send);
    await pass(3_000);
    expect(at()).toEqual({ running: "stalled" });
    await pass(60_000);
    expect(fetchJob).toHaveBeenCalledTimes(1);
    publish();
    await settle();
    expect([at(), fetchJob.mock.calls.length]).toEqual([{ running: "stalled" }, 2]);
  });

  test("requests at most once a second during many events, and never misses the last", async () => {
    const { go, publish, bulk } = startSender();
    await go(send);
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    for (let turn = 0; turn < 10; turn++) {
      publish();
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(bulk.fetchJob).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(bulk.fetchJob).toHaveBeenCalledTimes(2);
  });

  test("shows the outcome of a resume in a toast when the user has left", async () => {
    const answer = Promise.withResolvers<BulkJob>();
    const answers = { fetchJob: async () => held, continueJob: () => answer.promise };
    const { chart, go, notices } = startSender(answers, { input: { remembered } });
    await settle();
    await go({ type: "job.continue" });
    chart.stop();
    answer.resolve(job("in_progress", 3));
    await settle();
    expect(notices).toEqual(["toast: The bulk message is on its way."]);
  });

  test("ignores the outcome of a resume after it was stopped", async () => {
    const answer = Promise.withResolvers<BulkJob>();
    const answers = { fetchJob: async () => held, continueJob: () => answer.promise };
    const { go, job: at, notices } = startSender(answers, { input: { remembered } });
    await settle();
    await go({ type: "job.continue" }, { type: "job.cancel" });
    expect(at()).toEqual("absent");
    answer.reject(refusedWith(404, { code: "not_found", message: "Gone." }));
    await settle();
    expect(notices).toEqual(["alert: ✅ Bulk job cancelled and deleted."]);
  });

  test("from another tab is found by an event, also without its id", async () => {
    const fetchJob = vi.fn<BulkService["fetchJob"]>(async ({ jobId }) => job("in_progress", 3, { job_id: jobId }));
    const { job: at, publish, bulk } = startSender({ fetchJob });
    await settle();
    expect(at()).toEqual("absent");
    publish("job-8");
    await settle();
    expect([at(), fetchJob.mock.calls[0]?.[0]]).toEqual([{ running: "waiting" }, { jobId: "job-8" }]);
    expect(bulk.fetchRunningJob).toHaveBeenCalledTimes(2);
  });

  test("from another tab is shown after the result of the last one", async () => {
    const running = [refusal(404), Promise.resolve(job("in_progress", 1, { job_id: "job-2" }))];
    const fetchRunningJob: BulkService["fetchRunningJob"] = () => running.shift() as Promise<BulkJob>;
    const { go, job: at, pass, publish } = startSender({ fetchRunningJob, fetchJob: async () => job("completed", 10) });
    await go(send);
    await pass(3_000);
    publish("job-2");
    await pass(10_000);
    expect(at()).toEqual({ running: "waiting" });
  });

  test("is looked for again on demand after a failure", async () => {
    const fetchRunningJob = vi
      .fn<BulkService["fetchRunningJob"]>()
      .mockRejectedValueOnce(refusedWith(500))
      .mockResolvedValueOnce(job("in_progress", 3));
    const { go, job: at } = startSender({ fetchRunningJob });
    await settle();
    expect(at()).toEqual("loadFailed");
    await go({ type: "reading.retry" });
    expect(at()).toEqual({ running: "waiting" });
  });

  test("treats a damaged stored job as none", () => {
    expect(
      [null, "", "{", "null", "[]", '{"jobId":1}', '{"jobId":"a","progress":"b","result":null}'].map(readJob),
    ).toEqual(Array.from({ length: 7 }, () => null));
    expect(readJob(JSON.stringify(remembered))).toEqual(remembered);
  });
});

describe("leaving", () => {
  test.each([
    [
      "ends, its job is remembered and the person is told",
      Promise.resolve({ jobId: "job-7" }),
      "toast: The bulk message is on its way.",
      ["job-7", false],
    ],
    [
      "is refused, and the person is told and keeps the draft",
      refusedWith(409, { code: "not_connected", message: "Connect first." }),
      "warn: Failed to queue messages: Connect first.",
      [undefined, true],
    ],
  ])("during an upload loses nothing when it %s", async (_, outcome, notice, expected) => {
    const answer = Promise.withResolvers<{ jobId: string }>();
    const { chart, go, notices, kept } = startSender({ queueMessages: () => answer.promise });
    await go(send);
    expect([kept.work.length, kept.job, kept.isDraftKept]).toEqual([1, null, true]);
    chart.stop();
    if (outcome instanceof Error) answer.reject(outcome);
    else answer.resolve(outcome);
    await settle();
    expect([notices.at(-1), readJob(kept.job)?.jobId, kept.isDraftKept]).toEqual([notice, ...expected]);
  });

  test("does not revert a cancel", async () => {
    const answer = Promise.withResolvers<null>();
    const { chart, go, notices, kept } = startSender({ cancelJob: () => answer.promise });
    await go(send);
    await go({ type: "job.cancel" });
    chart.stop();
    answer.resolve(null);
    await settle();
    expect([notices.at(-1), kept.job]).toEqual(["toast: Bulk job cancelled and deleted.", null]);
  });
});
