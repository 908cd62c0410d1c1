import { type Mock, describe, expect, test, vi } from "vitest";
import { type BulkTarget, EVERY_STAGE } from "../../domain/bulk-target.ts";
import { type ContextFrom, SimulatedClock, createActor } from "xstate";
import { english } from "../support/english.ts";
import type { BulkJob } from "../../domain/bulk.ts";
import { MEDIA_MAX_BYTES } from "../../domain/limits.ts";
import type { Preflight } from "../../domain/preflight.ts";
import { CHOSEN, confirmationText } from "../../src/machines/bulk-job/bulk-job.question.ts";
import { momentText } from "../../src/language/format.ts";
import { selectLoadFailed } from "../../src/machines/kit/loading.ts";
import { type BulkService, createBulkJob, selectResult } from "../../src/machines/bulk-job/bulk-job.machine.ts";
import { type RememberedJob, readJob } from "../../src/machines/bulk-job/bulk-job.memory.ts";
import { type Visit, unchecked } from "../support/invariants.ts";
import { offline } from "../support/model-events.ts";
import { fakePage, settle } from "../support/page.ts";
import { firstReadingInvariants, isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import {
  bulkJobInputs,
  bulkJobMachine,
  bulkJobModel,
  document,
  film,
  gone,
  held,
  job,
  picture,
  preflight,
  stages,
} from "./bulk-job.model.ts";

/** Lets everything that is ready happen before it asserts. */
const until = async (assertion: () => void) => {
  await settle();
  assertion();
};

type Context = ContextFrom<typeof bulkJobMachine>;

const ALERTS = {
  empty: "Please enter a message or select a media file",
  throttle: "Throttle must be between 0.1 and 10 seconds per message.",
  none: "There are no leads in the system.",
  noneInStage: 'There are no leads in stage "Hot".',
  running: "A bulk message is already being sent. Please wait until it finishes.",
  failed: "Failed to queue messages",
};

const stageTarget = (stageId: string): BulkTarget => ({ kind: "stage", stageId });
const targetIs = (target: BulkTarget, stageId: string) => target.kind === "stage" && target.stageId === stageId;

/** Why a message cannot be sent, in the order of the screen. */
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
  expect(visit.event.error).toBe(gone);
};
const remembers = ({ context, effects }: Visit<Context>) =>
  expect(effects["rememberJob"]).toEqual({ jobId: "job-1", progress: context.progress, result: context.result });
/** The job runs, and its progress is what the server said. */
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
  bulkJobMachine,
  { ...bulkJobModel, inputs: bulkJobInputs },
  {
    ...firstReadingInvariants("stages.", "listStages"),
    "stages.loaded": { after: { "done listStages": ({ context }) => expect(context.stages).toEqual(stages) } },
    "composer.composing": {
      accepts: ["stage.choose", "media.choose", "message.send"],
      after: {
        ...unchecked("start", "error askConfirmation", "done showAlert", "error showAlert"),
        "stage.choose": ({ context }) => expect([context.target, context.leadCount]).toEqual([stageTarget("s2"), null]),
        "media.choose": ({ context, event }) =>
          expect([context.media, event.file, context.marks]).toEqual([picture, picture, {}]),
        // A message that is not ready is told on the screen alone.
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
        // What a dialog says of a field stands beside it too.
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
          expect(visit.event.output.status).toEqual("completed");
        },
        "error fetchRememberedJob": forgetsGoneJob,
        "reading.retry": forgetsJob,
        "job.changed": forgetsJob,
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
        "after resultDuration": forgetsJob,
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
          expect(visit.context.result).toEqual({ kind: "completed", sent: 12, failed: 0 });
        },
      },
    },
  },
);

type Sender = { [Call in keyof BulkService]: Mock<BulkService[Call]> };

function sender(overrides: Partial<BulkService> = {}, remembered: RememberedJob | null = null, target = EVERY_STAGE) {
  const bulk = {
    listStages: vi.fn<BulkService["listStages"]>(async () => stages),
    countLeads: vi.fn<BulkService["countLeads"]>(async () => 12),
    preflight: vi.fn<BulkService["preflight"]>(async () => null),
    queueMessages: vi.fn<BulkService["queueMessages"]>(async () => ({ jobId: "job-1" })),
    fetchRunningJob: vi.fn<BulkService["fetchRunningJob"]>(() => refusal(404)),
    fetchJob: vi.fn<BulkService["fetchJob"]>(async () => job("in_progress", 3)),
    cancelJob: vi.fn<BulkService["cancelJob"]>(async () => null),
    continueJob: vi.fn<BulkService["continueJob"]>(async () => job("in_progress", 3)),
  } satisfies Sender;
  for (const [call, behaviour] of Object.entries(overrides))
    bulk[call as keyof Sender].mockImplementation(behaviour as never);
  const said: string[] = [];
  const answers = { confirm: true };
  /** Questions that wait for an answer of their own, where they are to. */
  const asked = { open: false, answers: [] as ((isConfirmed: boolean) => void)[] };
  const memory = { text: remembered === null ? null : JSON.stringify(remembered) };
  const warnings: string[] = [];
  const news = { tell: (_jobId: string | null) => {} };
  const held: Promise<unknown>[] = [];
  const draft = { isForgotten: false };
  const clock = new SimulatedClock();
  const machine = createBulkJob(
    {
      ...fakePage(),
      notifier: {
        toast: (message) => void said.push(`toast: ${english(message)}`),
        warn: (message) => void said.push(`warn: ${english(message)}`),
        alert: async (message) => void said.push(`alert: ${english(message)}`),
        confirm: async (message) => {
          said.push(`confirm: ${english(message)}`);
          return asked.open ? new Promise((resolve) => asked.answers.push(resolve)) : answers.confirm;
        },
      },
      events: {
        subscribe(_type, listener) {
          news.tell = (jobId) => listener({ job_id: jobId });
          return () => {};
        },
      },
      logger: { warn: (what) => warnings.push(what) },
    },
    {
      bulk,
      jobMemory: { write: (text) => (memory.text = text), clear: () => (memory.text = null) },
      hold: (work) => void held.push(work),
      forgetDraft: () => (draft.isForgotten = true),
    },
  );
  const actor = createActor(machine, { input: { remembered, target }, clock }).start();
  const at = (region: "composer" | "job" | "stages", value: unknown) =>
    until(() => expect((actor.getSnapshot().value as Record<string, unknown>)[region]).toEqual(value));
  return {
    actor,
    bulk,
    said,
    answers,
    asked,
    memory,
    warnings,
    clock,
    at,
    held,
    draft,
    tell: (jobId: string | null = null) => news.tell(jobId),
  };
}

const refusal = (status: number, body: unknown = null) => Promise.reject(Object.assign(new Error(), { status, body }));
const send = { type: "message.send", message: "Hello", throttle: "0.3" } as const;

describe("checking a message", () => {
  test("nothing is sent when there are no leads: the screen says so, and a dialog says where", async () => {
    const { actor, said, at, bulk } = sender({ countLeads: async () => 0 });
    await at("stages", "loaded");
    actor.send(send);
    await until(() => expect(said).toEqual(["alert: There are no leads in the system."]));
    await at("composer", "composing");
    expect(actor.getSnapshot().context.leadCount === 0).toBe(true);
    actor.send({ type: "stage.choose", stageId: "s2" });
    expect(actor.getSnapshot().context.leadCount === 0).toBe(false);
    actor.send(send);
    await until(() => expect(said[1]).toBe('alert: There are no leads in stage "Hot".'));
    expect(bulk.countLeads.mock.calls.map(([input]) => input)).toEqual([
      { target: stageTarget("") },
      { target: stageTarget("s2") },
    ]);
    expect(bulk.queueMessages).not.toHaveBeenCalled();
  });

  test("leads chosen in the list are asked about as many as there are now, and said to be gone when none is left", async () => {
    const { actor, said, answers, at, bulk } = sender(
      { preflight: async () => ({ ...preflight, targets: 11 }) },
      null,
      {
        kind: "query",
        query: "q=price",
      },
    );
    answers.confirm = false;
    await at("stages", "loaded");
    actor.send(send);
    await until(() => expect(said).toHaveLength(1));
    expect(said[0]?.split("\n")[0]).toBe("confirm: Send this message to the 11 leads chosen in the list?");
    await at("composer", "composing");
    bulk.countLeads.mockImplementation(async () => 0);
    actor.send(send);
    await until(() =>
      expect(said[1]).toBe(
        "alert: None of the leads chosen in the list is left. Choose them there again, or a stage here.",
      ),
    );
    expect(bulk.queueMessages).not.toHaveBeenCalled();
  });

  test("the question has a paragraph on what is known about the message", async () => {
    const { actor, said, answers, at, bulk } = sender({ preflight: async () => preflight });
    answers.confirm = false;
    await at("stages", "loaded");
    actor.send({ type: "stage.choose", stageId: "s1" });
    actor.send(send);
    await until(() => expect(said).toHaveLength(1));
    expect(said[0]?.split("\n")).toEqual([
      'confirm: Send this message to 12 leads in stage "New"?',
      "",
      "10 of 12 leads can be reached.",
      "Skipped: 2. Each of them asked for no more messages.",
      "1 person was not checked recently. Telegram may still refuse them.",
      "Without a word for 30 days: 4. Today 16 more such messages may leave.",
      `Starts ${momentText(preflight.starts_at)}. Finishes about ${momentText(preflight.finishes_at)}, your time.`,
    ]);
    expect(bulk.preflight.mock.calls.map(([input]) => input)).toEqual([
      { target: stageTarget("s1"), throttle: "0.3", messageLength: 5 },
    ]);
  });

  test("a message that nobody would get, or whose end cannot be foreseen, is asked about as such", () => {
    const known = (change: Partial<Preflight>) =>
      confirmationText(null, 12, {
        kind: "known",
        preflight: { ...preflight, skipped: [], cold: 0, unchecked: 0, ...change },
      });
    const question = "Send this message to ALL your leads (12 leads, every stage)?\n\n";
    expect([known({ reachable: 0, finishes_at: null }), known({ finishes_at: null })]).toEqual([
      `${question}0 of 12 leads can be reached.\nNothing would go out.`,
      `${question}10 of 12 leads can be reached.\nWhen it would be finished is not known: at present it could not run to its end.`,
    ]);
  });

  test("leads chosen in the list are asked about as such", () =>
    expect(confirmationText(CHOSEN, 812, { kind: "unknown" })).toEqual(
      "Send this message to the 812 leads chosen in the list?",
    ));

  test("figures that could not be read, or are late, are said not to be known", async () => {
    const unread = sender({ preflight: () => refusal(503) });
    const late = sender({ preflight: () => new Promise(() => {}) });
    for (const { actor, answers } of [unread, late]) {
      answers.confirm = false;
      actor.send(send);
    }
    await until(() => expect(unread.said).toHaveLength(1));
    await late.at("composer", { asking: "preflighting" });
    expect(late.said).toEqual([]);
    late.clock.increment(2_500);
    await until(() => expect(late.said).toHaveLength(1));
    const question = "confirm: Send this message to ALL your leads (12 leads, every stage)?\n\n";
    const unknown = "How many of them can be reached, and when it would be finished, is not known";
    expect([unread.said[0], late.said[0]]).toEqual([
      `${question}${unknown}: it could not be read.`,
      `${question}${unknown} yet: it is still being worked out.`,
    ]);
    expect(unread.warnings).toEqual(["what the bulk message would do could not be read"]);
  });

  test("figures that come while the question is open are told in it, and OK to the earlier words sends nothing", async () => {
    const figures = Promise.withResolvers<Preflight | null>();
    const { actor, said, at, clock, bulk, asked } = sender({ preflight: () => figures.promise });
    actor.send(send);
    await at("composer", { asking: "preflighting" });
    asked.open = true;
    clock.increment(2_500);
    await until(() => expect(said).toHaveLength(1));
    figures.resolve({ ...preflight, skipped: [], cold: 0, unchecked: 0 });
    await until(() => expect(said).toHaveLength(2));
    expect(said.map((message) => message.split("\n\n")[1])).toEqual([
      expect.stringMatching(/ is not known yet: it is still being worked out\.$/),
      expect.stringMatching(/^10 of 12 leads can be reached\.\n/),
    ]);
    asked.answers[0]?.(true);
    await at("composer", { asking: "confirming" });
    asked.answers[1]?.(true);
    await at("job", { running: "waiting" });
    expect([bulk.preflight, bulk.queueMessages].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  test.each(["", "0", "0.09", "10.1", "fast", "-1", "NaN"])(
    "a throttle of %o is refused before the question",
    async (throttle) => {
      const { actor, said, bulk } = sender();
      actor.send({ ...send, throttle });
      await until(() => expect(said).toEqual(["alert: Throttle must be between 0.1 and 10 seconds per message."]));
      expect(bulk.queueMessages).not.toHaveBeenCalled();
    },
  );

  test.each(["0.1", "0.3", "10"])("a throttle of %s is accepted", async (throttle) => {
    const { actor, at, bulk } = sender();
    actor.send({ ...send, throttle });
    await at("job", { running: "waiting" });
    expect(bulk.queueMessages.mock.calls[0]?.[0].throttle).toBe(throttle);
  });

  test("a message that Telegram would not take is refused before the question, a shorter one beside a file", async () => {
    const { actor, said, at } = sender();
    actor.send({ ...send, message: "x".repeat(4_097) });
    await until(() => expect(said).toEqual(["alert: Telegram takes 4,096 characters at most. Shorten the message."]));
    await at("composer", "composing");
    actor.send({ type: "media.choose", file: picture });
    actor.send({ ...send, message: "x".repeat(1_025) });
    await until(() => expect(said[1]).toBe("alert: Telegram takes 1,024 characters at most. Shorten the message."));
  });

  test("a file over 10 MB, and one that is neither image nor video, are told and let go", async () => {
    const { actor, said, at } = sender();
    actor.send({ type: "media.choose", file: film });
    await until(() => expect(said).toEqual(["alert: File too large. Max 10MB allowed."]));
    await at("composer", "composing");
    actor.send({ type: "media.choose", file: document });
    await until(() => expect(said).toHaveLength(2));
    expect(said[1]).toBe("alert: Only pictures (PNG, JPEG, GIF, WebP) and videos (MP4, MOV, WebM) can be attached.");
    expect(actor.getSnapshot().context.media).toBeNull();
    await at("composer", "composing");
    const whole = new File([new Uint8Array(MEDIA_MAX_BYTES)], "film.mp4", { type: "video/mp4" });
    actor.send({ type: "media.choose", file: whole });
    expect(actor.getSnapshot().context.media).toBe(whole);
  });
});

describe("a job on its way", () => {
  test("says how far a cancelled job was, until another one starts", async () => {
    const cancelJob = vi.fn<BulkService["cancelJob"]>(async () => ({ sent: 7, total: 12 }));
    const { actor, at, clock } = sender({ fetchJob: async () => job("in_progress", 5), cancelJob });
    actor.send(send);
    await at("job", { running: "waiting" });
    clock.increment(3_000);
    await until(() => expect(actor.getSnapshot().context.progress?.sent).toBe(5));
    actor.send({ type: "job.cancel" });
    await at("job", "absent");
    expect(actor.getSnapshot().context.cancelled).toEqual({ sent: 7, total: 12 });
    actor.send(send);
    await at("job", { running: "waiting" });
    expect(actor.getSnapshot().context.cancelled).toBeNull();
  });

  test("is polled every three seconds, one call in flight, until its result has stood for ten", async () => {
    const fetchJob = vi
      .fn<BulkService["fetchJob"]>()
      .mockResolvedValueOnce(job("in_progress", 3))
      .mockResolvedValueOnce(job("completed", 10, { failed_count: 2 }));
    const { actor, at, clock, memory } = sender({ fetchJob });
    actor.send(send);
    await at("job", { running: "waiting" });
    clock.increment(2_999);
    expect(fetchJob).not.toHaveBeenCalled();
    clock.increment(1);
    await at("job", { running: "waiting" });
    await until(() => expect(readJob(memory.text)?.progress?.sent).toBe(3));
    clock.increment(3_000);
    await at("job", "finished");
    expect(selectResult(actor.getSnapshot())).toEqual({ kind: "completed", sent: 10, failed: 2 });
    expect(readJob(memory.text)?.result).toEqual({ kind: "completed", sent: 10, failed: 2 });
    clock.increment(9_999);
    expect(actor.getSnapshot().matches({ job: "finished" })).toBe(true);
    clock.increment(1);
    await at("job", "absent");
    expect(memory.text).toBeNull();
    expect(fetchJob).toHaveBeenCalledTimes(2);
  });

  test("that fails tells its error, or none", async () => {
    const { actor, at, clock } = sender({ fetchJob: async () => job("failed", 0, { error: "Spam limit" }) });
    actor.send(send);
    await at("job", { running: "waiting" });
    clock.increment(3_000);
    await at("job", "finished");
    expect(selectResult(actor.getSnapshot())).toEqual({ kind: "failed", error: "Spam limit" });
  });

  test.each([401, 404])("is let go when its progress is answered with %i", async (status) => {
    const { actor, at, clock, memory } = sender({ fetchJob: () => refusal(status) });
    actor.send(send);
    await at("job", { running: "waiting" });
    clock.increment(3_000);
    await at("job", "absent");
    expect(memory.text).toBeNull();
  });

  test.each([500, 429])("is no longer polled after %i, until the person or news ask again", async (status) => {
    const fetchJob = vi.fn<BulkService["fetchJob"]>(() => refusal(status));
    const { actor, at, clock, tell } = sender({ fetchJob });
    actor.send(send);
    await at("job", { running: "waiting" });
    clock.increment(3_000);
    await at("job", { running: "stalled" });
    clock.increment(60_000);
    expect(fetchJob).toHaveBeenCalledTimes(1);
    tell();
    await at("job", { running: "stalled" });
    expect(fetchJob).toHaveBeenCalledTimes(2);
    fetchJob.mockResolvedValueOnce(job("in_progress", 5));
    actor.send({ type: "job.recheck" });
    await at("job", { running: "waiting" });
  });

  test("asks the server at most once a second, however many news a fast job makes, and never misses the last", async () => {
    const { actor, at, tell, bulk } = sender();
    actor.send(send);
    await at("job", { running: "waiting" });
    vi.useFakeTimers();
    try {
      for (let turn = 0; turn < 10; turn++) {
        tell();
        await vi.advanceTimersByTimeAsync(100);
      }
      expect(bulk.fetchJob).toHaveBeenCalledTimes(2);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(bulk.fetchJob).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test("of whose continuing nobody waits any more is told in a toast", async () => {
    const answer = Promise.withResolvers<BulkJob>();
    const remembered = { jobId: "job-1", progress: null, result: null };
    const { actor, at, said } = sender({ fetchJob: async () => held, continueJob: () => answer.promise }, remembered);
    await at("job", { running: "waiting" });
    actor.send({ type: "job.continue" });
    await at("job", "continuing");
    actor.stop();
    answer.resolve(job("in_progress", 3));
    await until(() => expect(said.at(-1)).toBe("toast: The bulk message is on its way."));
  });
});

describe("stopping", () => {
  const remembered = { jobId: "job-1", progress: null, result: null };
  const never = () => new Promise<never>(() => {});

  test.each([
    ["the remembered job is looked up", { fetchJob: never }, "resuming", []],
    ["its progress is read", {}, { running: "reading" }, ["job.changed"]],
    ["it is waited with the next reading", {}, { running: "waiting" }, []],
    [
      "its progress could not be read",
      { fetchJob: () => Promise.reject(new Error("offline")) },
      { running: "stalled" },
      [],
    ],
    ["it is being continued", { fetchJob: async () => held, continueJob: never }, "continuing", ["job.continue"]],
  ] as const)("takes effect while %s", async (_, answers, state, events) => {
    let reads = 0;
    const fetchJob = async () => (++reads > 1 && events[0] === "job.changed" ? never() : held);
    const { actor, at, said } = sender({ fetchJob, ...answers, cancelJob: async () => null }, remembered);
    if (events.length > 0) await at("job", { running: "waiting" });
    for (const type of events) actor.send(type === "job.changed" ? { type, jobId: "job-1" } : { type });
    await at("job", state);
    actor.send({ type: "job.cancel" });
    await at("job", "absent");
    expect(said.filter((message) => !message.startsWith("log"))).toEqual(["alert: ✅ Bulk job cancelled and deleted."]);
  });

  test("is not followed by the outcome of continuing", async () => {
    const answer = Promise.withResolvers<BulkJob>();
    const answers = { fetchJob: async () => held, continueJob: () => answer.promise, cancelJob: async () => null };
    const { actor, at, said } = sender(answers, remembered);
    await at("job", { running: "waiting" });
    actor.send({ type: "job.continue" });
    actor.send({ type: "job.cancel" });
    await at("job", "absent");
    answer.reject(Object.assign(new Error(), { status: 404, body: { code: "not_found", message: "Gone." } }));
    await new Promise((resolve) => setTimeout(resolve));
    expect(said).toEqual(["alert: ✅ Bulk job cancelled and deleted."]);
  });
});

describe("leaving", () => {
  const upload = () => {
    const answer = Promise.withResolvers<{ jobId: string }>();
    return { ...answer, queueMessages: () => answer.promise };
  };

  test("in the middle of an upload loses nothing: it ends, its job is remembered and the person is told", async () => {
    const { resolve, queueMessages } = upload();
    const { actor, said, at, memory, held, draft } = sender({ queueMessages });
    actor.send(send);
    await at("composer", "queueing");
    expect(held).toHaveLength(1);
    actor.stop();
    expect([memory.text, draft.isForgotten]).toEqual([null, false]);
    resolve({ jobId: "job-7" });
    await until(() => expect(said.at(-1)).toBe("toast: The bulk message is on its way."));
    expect([readJob(memory.text)?.jobId, draft.isForgotten]).toEqual(["job-7", true]);
  });

  test("is no reason not to hear that the upload was refused", async () => {
    const { reject, queueMessages } = upload();
    const { actor, said, at, draft } = sender({ queueMessages });
    actor.send(send);
    await at("composer", "queueing");
    actor.stop();
    reject(Object.assign(new Error(), { status: 409, body: { code: "not_connected", message: "Connect first." } }));
    await until(() => expect(said.at(-1)).toBe("warn: Failed to queue messages: Connect first."));
    expect(draft.isForgotten).toBe(false);
  });

  test("does not take a cancel back, and withdraws no more than the question", async () => {
    const answer = Promise.withResolvers<null>();
    const { actor, at, said, memory } = sender({ cancelJob: () => answer.promise });
    actor.send(send);
    await at("job", { running: "waiting" });
    actor.send({ type: "job.cancel" });
    await at("job", "cancelling");
    actor.stop();
    answer.resolve(null);
    await until(() => expect(said.at(-1)).toBe("toast: Bulk job cancelled and deleted."));
    expect(memory.text).toBeNull();
  });
});

describe("a job that another tab has started", () => {
  test("is found by the news of it, also on a server that cannot name the running job", async () => {
    const { at, tell, bulk } = sender({ fetchJob: async ({ jobId }) => job("in_progress", 3, { job_id: jobId }) });
    await at("job", "absent");
    tell("job-8");
    await at("job", { running: "waiting" });
    expect(bulk.fetchRunningJob).toHaveBeenCalledTimes(2);
    expect(bulk.fetchJob.mock.calls[0]?.[0]).toEqual({ jobId: "job-8" });
  });

  test("is marked as not read when nobody can say, asked for again on demand only, and then shown", async () => {
    let isDown = true;
    const { actor, at, warnings, bulk } = sender({
      fetchRunningJob: () => (isDown ? refusal(500) : Promise.resolve(job("in_progress", 3))),
    });
    await at("job", "loadFailed");
    expect(selectLoadFailed(actor.getSnapshot())?.map(english)).toEqual(["whether a bulk message is being sent"]);
    expect(warnings).toEqual(["the running bulk message could not be read"]);
    expect(bulk.fetchRunningJob).toHaveBeenCalledTimes(1);
    isDown = false;
    actor.send({ type: "reading.retry" });
    await at("job", { running: "waiting" });
    expect(selectLoadFailed(actor.getSnapshot())).toEqual(null);
  });
});

describe("after a reload", () => {
  const remembered: RememberedJob = { jobId: "job-9", progress: null, result: null };

  test("damaged memory counts as none", () => {
    expect(
      [null, "", "{", "null", "[]", '{"jobId":1}', '{"jobId":"a","progress":"b","result":null}'].map(readJob),
    ).toEqual(Array.from({ length: 7 }, () => null));
    expect(readJob(JSON.stringify(remembered))).toEqual(remembered);
  });
});
