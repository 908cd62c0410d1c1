import { describe, expect, it, vi } from "vitest";
import { type ContextFrom, SimulatedClock, createActor } from "xstate";
import { english } from "../support/english.ts";
import {
  type SelectionParts,
  createSelection,
  selectCount,
  selectPageMark,
} from "../../src/machines/selection/selection.machine.ts";
import { type RememberedBatch, readBatch } from "../../src/machines/selection/selection.memory.ts";
import { type Invariants, type Visit, unchecked } from "../support/invariants.ts";
import { fakePage } from "../support/page.ts";
import { isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { selectionMachine, selectionModel } from "./selection.model.ts";

type Selection = ContextFrom<typeof selectionMachine>;

const isWholePage = ({ ids, shown }: Selection) => shown.ids.length > 0 && shown.ids.every((id) => ids.includes(id));
const idle = { changed: null, undoId: null };
const QUESTION =
  "Is this person not a lead?\n\nTheir conversation, notes, tags and fields are deleted, and nothing they write is stored from now on. " +
  "You can undo this for 30 seconds. If you restore them later in Settings, they start from scratch.";
const DONE = { move: "moved to Initial Contact", exclude: "excluded" } as Record<string, string>;
const done = ({ asked }: Pick<Selection, "asked">, count: number) => {
  const about = asked?.about === "Interested" ? "moved to Interested" : DONE[asked?.action.type ?? ""];
  return `${count.toLocaleString("en")} ${count === 1 ? "lead" : "leads"} ${about}.`;
};
const choosing = ["list.shown", "lead.toggle", "lead.extend", "page.toggle"];
/** The stream of the jobs may break while anything is under way. */
const isUnwatched = ({ before, context }: Visit<Selection>) => expect(context).toEqual(before);
const isRefused = ({ before, context }: Visit<Selection>) => expect([before.ids, context]).toEqual([[], before]);
const tells = (message: string) => (visit: Visit<Selection>) =>
  expect(visit.effects).toMatchObject({ tell: { message }, reloadList: null, forgetRemembered: null });

const invariants: Invariants<typeof selectionMachine> = {
  "*": {
    accepts: ({ shown }) => [
      "list.shown",
      "lead.toggle",
      "lead.extend",
      ...(shown.ids.length > 0 ? ["page.toggle"] : []),
    ],
    holds: ({ cause, event, before, context: { shown, ids, anchor }, effects }) => {
      const { status, changed } = event.output ?? {};
      const isEnd = changed !== undefined && status !== "in_progress";
      // Without an answer the list may have changed as well.
      const isUnknown = cause === "error startBatch" || cause === "error undoBatch";
      expect("reloadList" in effects).toEqual(isEnd || isUnknown);
      expect(shown).toEqual(cause === "list.shown" ? event.list : before.shown);
      if (cause === "lead.toggle" && ids.length > 0) expect(anchor).toEqual("lead-1");
      if (cause === "lead.toggle") expect(ids.includes("lead-1")).toEqual(!before.ids.includes("lead-1"));
      if (cause === "lead.extend") expect(before.ids.every((id) => ids.includes(id))).toEqual(true);
      if (cause === "list.shown" && event.list.query !== before.shown.query) expect(ids).toEqual([]);
    },
  },
  "picked.counting": { after: [] },
  "picked.none": {
    after: ["start", ...choosing, "selection.clear", "done startBatch", "done readJob"],
    accepts: ({ problem }) => (problem === null ? [] : ["selection.clear"]),
    holds: ({ context: { ids, anchor, isAll } }) => expect([ids, anchor, isAll]).toEqual([[], null, false]),
  },
  "picked.some": {
    after: choosing,
    accepts: ({ ids, shown }) => ["selection.clear", ...(shown.total > ids.length ? ["matching.select"] : [])],
    holds: ({ context }) => {
      expect([context.isAll, isWholePage(context)]).toEqual([false, false]);
      expect(context.ids).not.toEqual([]);
    },
  },
  "picked.allOnPage": {
    after: choosing,
    accepts: ({ ids, shown }) => ["selection.clear", ...(shown.total > ids.length ? ["matching.select"] : [])],
    holds: ({ context }) => expect([context.isAll, isWholePage(context)]).toEqual([false, true]),
  },
  "picked.allMatching": {
    after: ["matching.select", "list.shown"],
    accepts: ["selection.clear"],
    holds: ({ context: { isAll, ids, shown } }) => {
      expect([isAll, ids]).toEqual([true, shown.ids]);
      expect(shown.total).toBeGreaterThan(0);
    },
  },
  "work.remembering": { after: [] },
  "work.resting": { accepts: ({ ids }) => (ids.length > 0 ? ["batch.start"] : []) },
  "work.resting.idle": {
    after: {
      ...unchecked("start", "after undoTime", "error askConfirmation"),
      "error watchJobs": isUnwatched,
      "batch.start": isRefused,
      "done askConfirmation": ({ event }) => expect(event.output).toEqual(false),
      "done startBatch": ({ before, ...visit }) => tells(done(before, 0))({ before, ...visit }),
      "error startBatch": ({ context }) =>
        expect([context.problem, context.isUnanswered]).toEqual([
          "No response from the server. Some leads may have been changed. Try again: nothing is done twice.",
          true,
        ]),
      "done readJob": ({ event, before, context, effects }) => {
        expect(event.output.status).not.toEqual("in_progress");
        if (event.output.status === "failed") expect(context.problem).toEqual("It stopped before the end.");
        const message = before.isUndoing ? "Taken back for 4,000 leads." : done(before, 4_000);
        expect(effects["tell"]).toEqual(before.isAnnounced ? undefined : { message });
      },
      "error readJob": ({ event }) => expect(event.error.status).toEqual(404),
      "done undoBatch": tells("Taken back for 2 leads."),
      "error undoBatch": ({ context }) =>
        expect(context.problem).toEqual("No response from the server. The change may have been undone."),
    },
    holds: ({ context: { outcome, job } }) => expect([outcome, job]).toEqual([idle, null]),
  },
  "work.resting.undoable": {
    after: {
      "error watchJobs": isUnwatched,
      "batch.start": isRefused,
      "done startBatch": ({ context, effects }) => {
        const { asked, outcome } = context;
        expect(outcome).toEqual({ changed: 2, undoId: "undo-1" });
        const about = asked?.about ?? "";
        expect(effects).toMatchObject({
          offerUndo: { message: done({ asked }, 2), undoId: "undo-1", durationMs: 30_000 },
          remember: { id: "undo-1", type: asked?.action.type, count: 1, about, isUndoing: false, isAnnounced: true },
          reloadList: null,
        });
      },
      "done readJob": ({ before, context, effects }) => {
        expect([before.isUndoing, context.outcome.undoId]).toEqual([false, "undo-1"]);
        expect(effects).toMatchObject({ offerUndo: { message: done(before, 4_000), undoId: "undo-1" } });
      },
    },
    accepts: ["batch.undo"],
  },
  "work.awaitingConfirmation": {
    after: {
      "error watchJobs": isUnwatched,
      "batch.start": ({ event }) => expect(event.action).toEqual({ type: "exclude" }),
    },
    holds: isCalling("askConfirmation", { message: QUESTION }),
  },
  "work.acting": {
    after: {
      "error watchJobs": isUnwatched,
      "batch.start": ({ event }) => expect(event.action.type).toEqual("move"),
      "done askConfirmation": ({ event, context }) =>
        expect([event.output, context.asked?.action.type]).toEqual([true, "exclude"]),
    },
    holds: ({ context: { asked, problem, isUndoing, isAnnounced }, calls }) => {
      expect(asked).toMatchObject({ where: { ids: ["lead-1"] }, count: 1, key: "key-1" });
      expect([problem, isUndoing, isAnnounced]).toEqual([null, false, false]);
      isCalling("startBatch", asked)({ calls });
    },
  },
  "work.following.running.reading": {
    after: [
      "start",
      "done startBatch",
      "done undoBatch",
      "after pollPause",
      "job.changed",
      "done cancelJob",
      "error watchJobs",
    ],
    accepts: ["job.cancel"],
    holds: ({ context, calls }) => {
      expect(context.job?.id).toEqual(context.isUndoing ? "job-2" : "job-1");
      isCalling("readJob", { jobId: context.job?.id })({ calls });
    },
  },
  "work.following.running.waiting": {
    after: {
      "error watchJobs": isUnwatched,
      "done readJob": ({ event, context }) => {
        expect(event.output.status).toEqual("in_progress");
        expect(context.job).toMatchObject({ done: 5_000, total: 6_000 });
      },
      "error readJob": ({ before, context }) => expect(context).toEqual(before),
      "error cancelJob": ({ before, context }) =>
        expect(context).toEqual({ ...before, problem: "No response from the server. It may have been stopped." }),
    },
    accepts: ["job.changed", "job.cancel"],
  },
  "work.following.cancelling": {
    after: ["job.cancel", "error watchJobs"],
    holds: ({ context, calls }) => isCalling("cancelJob", { jobId: context.job?.id })({ calls }),
  },
  "work.undoing": {
    after: ["batch.undo", "error watchJobs"],
    holds: ({ context: { isUndoing, isAnnounced, problem, asked, outcome }, calls }) => {
      expect([isUndoing, isAnnounced, problem]).toEqual([true, false, null]);
      const { changed: count } = outcome;
      isCalling("undoBatch", { undoId: "undo-1", type: asked?.action.type, count, about: asked?.about })({ calls });
    },
  },
  "work.ended": { after: [] },
};

walkEveryPath(selectionMachine, selectionModel, invariants);

const page = (from: number, query = "", total = 812) => ({
  ids: Array.from({ length: 50 }, (_, index) => `lead-${from + index}`),
  query,
  total,
});

const goingOn = { status: "in_progress", done: 5, total: 50, changed: 5, undoId: null } as const;

function start(gateway: Partial<SelectionParts["batch"]> = {}, remembered: RememberedBatch | null = null) {
  const calls: unknown[] = [];
  const keys: string[] = [];
  const memory: { work: RememberedBatch | null } = { work: remembered };
  const offers: { message: string; press: () => void; durationMs: number | undefined }[] = [];
  const clock = new SimulatedClock();
  const calling = fakePage();
  calling.notifier.toast = (message, options) => {
    if (options?.undo)
      offers.push({ message: english(message), press: options.undo.onPress, durationMs: options.durationMs });
    else calls.push(english(message));
  };
  calling.notifier.confirm = async (message) => calls.push(english(message)) > 0;
  const logic = createSelection(calling, {
    batch: {
      start: async ({ key, ...request }) => {
        keys.push(key);
        calls.push(request);
        return { changed: 60, undoId: "undo-1" };
      },
      readJob: async () => ({ status: "completed", done: 6_000, total: 6_000, changed: 5_990, undoId: "undo-2" }),
      cancelJob: async () => {},
      undo: async ({ undoId }) => {
        calls.push(`undo ${undoId}`);
        return { changed: 60, undoId: null };
      },
      ...gateway,
    },
    memory: { write: (work) => void (memory.work = work), clear: () => void (memory.work = null) },
    hold: () => {},
    onChanged: () => calls.push("the list is read anew"),
  });
  const chart = createActor(logic, { clock, input: { remembered } }).start();
  chart.send({ type: "list.shown", list: page(1) });
  const is = (work: unknown) => vi.waitFor(() => expect(chart.getSnapshot().value).toMatchObject({ work }));
  return { chart, calls, offers, clock, is, keys, memory };
}

describe("leads are chosen", () => {
  it("one by one over pages, and stay chosen on the page before", () => {
    const { chart } = start();
    for (const leadId of ["lead-1", "lead-3"]) chart.send({ type: "lead.toggle", leadId });
    chart.send({ type: "list.shown", list: page(51) });
    expect(selectPageMark(chart.getSnapshot())).toEqual("none");
    chart.send({ type: "lead.toggle", leadId: "lead-60" });
    expect([selectCount(chart.getSnapshot()), chart.getSnapshot().context.ids]).toEqual([
      3,
      ["lead-1", "lead-3", "lead-60"],
    ]);
    chart.send({ type: "lead.toggle", leadId: "lead-3" });
    chart.send({ type: "page.toggle" });
    expect([selectCount(chart.getSnapshot()), selectPageMark(chart.getSnapshot())]).toEqual([51, "all"]);
  });

  it("from the last one ticked to another, in both directions", () => {
    const { chart } = start();
    chart.send({ type: "lead.toggle", leadId: "lead-4" });
    chart.send({ type: "lead.extend", leadId: "lead-6" });
    chart.send({ type: "lead.extend", leadId: "lead-3" });
    expect(chart.getSnapshot().context.ids).toEqual(["lead-4", "lead-5", "lead-6", "lead-3"]);
    const first = start().chart;
    first.send({ type: "lead.toggle", leadId: "lead-1" });
    first.send({ type: "lead.extend", leadId: "lead-3" });
    expect(first.getSnapshot().context.ids).toEqual(["lead-1", "lead-2", "lead-3"]);
  });

  it("all that match, until another list is shown or one of them is left out", () => {
    const { chart } = start();
    chart.send({ type: "page.toggle" });
    chart.send({ type: "matching.select" });
    expect([chart.getSnapshot().value, selectCount(chart.getSnapshot())]).toEqual([
      { picked: "allMatching", work: { resting: "idle" } },
      812,
    ]);
    chart.send({ type: "list.shown", list: page(51) });
    expect([selectCount(chart.getSnapshot()), selectPageMark(chart.getSnapshot())]).toEqual([812, "all"]);
    chart.send({ type: "lead.toggle", leadId: "lead-51" });
    expect([selectCount(chart.getSnapshot()), selectPageMark(chart.getSnapshot())]).toEqual([49, "some"]);
    chart.send({ type: "list.shown", list: page(1, "name=ada") });
    expect(selectCount(chart.getSnapshot())).toEqual(0);
  });
});

describe("what is done to them", () => {
  it("goes to the server as their names, or as the query of all that match", async () => {
    const { chart, calls, is } = start();
    chart.send({ type: "lead.toggle", leadId: "lead-2" });
    chart.send({ type: "batch.start", action: { type: "hold" }, about: "", key: "k" });
    await is({ resting: "undoable" });
    chart.send({ type: "list.shown", list: page(1, "q=price") });
    chart.send({ type: "page.toggle" });
    chart.send({ type: "matching.select" });
    chart.send({ type: "batch.start", action: { type: "tag", tag_ids: ["t"] }, about: "", key: "k" });
    await is({ resting: "undoable" });
    expect(calls).toEqual([
      { where: { ids: ["lead-2"] }, action: { type: "hold" } },
      "the list is read anew",
      { where: { query: "q=price" }, action: { type: "tag", tag_ids: ["t"] } },
      "the list is read anew",
    ]);
  });

  it("is taken back by the toast, for half a minute, also after the list was left", async () => {
    const { chart, calls, offers, is } = start();
    chart.send({ type: "lead.toggle", leadId: "lead-2" });
    chart.send({ type: "batch.start", action: { type: "hold" }, about: "", key: "k" });
    await is({ resting: "undoable" });
    expect(offers).toMatchObject([{ message: "60 leads held.", durationMs: 30_000 }]);
    offers[0]?.press();
    await is({ resting: "idle" });
    expect(calls.slice(1)).toEqual([
      "the list is read anew",
      "undo undo-1",
      "the list is read anew",
      "Taken back for 60 leads.",
    ]);

    chart.send({ type: "batch.start", action: { type: "hold" }, about: "", key: "k" });
    await is({ resting: "undoable" });
    chart.stop();
    offers[1]?.press();
    await vi.waitFor(() => expect(calls.slice(-3)).toEqual(["undo undo-1", "Undone.", "the list is read anew"]));
  });

  it("goes under the same key again when no answer came, and under a new one after any answer", async () => {
    const asked: string[] = [];
    const answers = [new Error("offline"), Object.assign(new Error(), { status: 422 }), null];
    const { chart, is } = start({
      async start({ key }) {
        asked.push(key);
        const error = answers.shift();
        if (error) throw error;
        return { changed: 1, undoId: null };
      },
    });
    chart.send({ type: "lead.toggle", leadId: "lead-2" });
    for (const key of ["k1", "k2", "k3"]) {
      chart.send({ type: "batch.start", action: { type: "hold" }, about: "", key });
      await is({ resting: "idle" });
    }
    expect(asked).toEqual(["k1", "k1", "k3"]);
  });

  it("that broke off says how far it came and why no further, and can be taken back", async () => {
    const error = "The tags were deleted meanwhile, so the rest was not tagged.";
    const { chart, offers, is } = start({ start: async () => ({ changed: 3, undoId: "undo-1", error }) });
    chart.send({ type: "page.toggle" });
    chart.send({ type: "batch.start", action: { type: "tag", tag_ids: ["t"] }, about: "Hot", key: "k" });
    await is({ resting: "undoable" });
    expect([offers[0]?.message, chart.getSnapshot().context.problem]).toEqual(["3 leads tagged Hot.", error]);
  });

  it("leaves the ticks alone that were made while people were excluded", async () => {
    let answer = () => {};
    const { chart, is } = start({
      start: () =>
        new Promise((resolve) => {
          answer = () => resolve({ changed: 1, undoId: "undo-1" });
        }),
    });
    chart.send({ type: "lead.toggle", leadId: "lead-1" });
    chart.send({ type: "batch.start", action: { type: "exclude" }, about: "", key: "k" });
    await is("acting");
    chart.send({ type: "lead.toggle", leadId: "lead-7" });
    answer();
    await is({ resting: "undoable" });
    expect([chart.getSnapshot().value, chart.getSnapshot().context.ids]).toEqual([
      { picked: "some", work: { resting: "undoable" } },
      ["lead-7"],
    ]);
    chart.stop();
  });

  it("is asked about before people are excluded, and they are chosen no more", async () => {
    const { chart, calls, is } = start();
    chart.send({ type: "page.toggle" });
    chart.send({ type: "batch.start", action: { type: "exclude" }, about: "", key: "k" });
    await is({ resting: "undoable" });
    expect(calls[0]).toMatch(
      /^Are these 50 leads not leads at all\?\n\nTheir conversations, notes, tags and fields are deleted/,
    );
    expect(selectCount(chart.getSnapshot())).toEqual(0);
  });

  it("is followed to its end where it is a job", async () => {
    const { chart, offers, is } = start({ start: async () => ({ jobId: "job-1" }) });
    chart.send({ type: "page.toggle" });
    chart.send({ type: "batch.start", action: { type: "hold" }, about: "", key: "k" });
    await is({ resting: "undoable" });
    expect(offers[0]?.message).toEqual("5,990 leads held.");
  });

  it.each([
    ["it is looked up after a reload", "reading", () => new Promise<never>(() => {})],
    ["it is waited with the next reading", "waiting", async () => goingOn],
    ["its progress could not be read", "waiting", () => Promise.reject(new Error("offline"))],
  ] as const)("is stopped while %s", async (_, running, readJob) => {
    const left = { id: "job-1", type: "hold", count: 50, about: "", isUndoing: false, isAnnounced: false } as const;
    const stopped: unknown[] = [];
    const cancelJob = async (input: { jobId: string }) => void stopped.push(input);
    const { chart, is } = start({ readJob, cancelJob }, left);
    await is({ following: { running } });
    chart.send({ type: "job.cancel" });
    await is({ following: { running } });
    expect(stopped).toEqual([{ jobId: "job-1" }]);
  });

  it("is found again after a reload from the moment it exists, with its step back for as long as that is possible", async () => {
    const before = start({ start: async () => ({ jobId: "job-1" }), readJob: () => new Promise(() => {}) });
    before.chart.send({ type: "page.toggle" });
    before.chart.send({ type: "batch.start", action: { type: "hold" }, about: "", key: "k" });
    await before.is({ following: { running: "reading" } });
    const left = { id: "job-1", type: "hold", count: 50, about: "", isUndoing: false, isAnnounced: false } as const;
    expect(before.memory.work).toEqual(left);

    const job = { status: "completed", done: 50, total: 50, changed: 49, undoId: "job-1", undoLeftMs: 12_000 } as const;
    const after = start({ readJob: async () => job }, left);
    await after.is({ resting: "undoable" });
    expect(after.offers).toMatchObject([{ message: "49 leads held.", durationMs: 12_000 }]);
    expect(after.memory.work).toEqual({ ...left, isAnnounced: true });
    after.clock.increment(12_000);
    await after.is({ resting: "idle" });
    expect(after.memory.work).toBe(null);

    const late = start({ readJob: async () => ({ ...job, undoId: null }) }, { ...left, isAnnounced: true });
    await late.is({ resting: "idle" });
    expect([late.offers, late.calls, late.memory.work]).toEqual([[], ["the list is read anew"], null]);
  });

  it("is found again where an earlier version of the page remembered it", () => {
    const left = { id: "job-1", type: "hold", count: 50, about: "", isUndoing: false };
    const isAnnounced = false;
    expect(readBatch(JSON.stringify({ ...left, isTold: true }))).toEqual({ ...left, isAnnounced });
  });
});
