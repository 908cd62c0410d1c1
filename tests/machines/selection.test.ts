import { describe, expect, it } from "vitest";
import { SimulatedClock } from "xstate";
import { english } from "../support/english.ts";
import {
  type BatchAction,
  type SelectionParts,
  createSelection,
  selectCount,
  selectPageMark,
} from "../../src/machines/selection/selection.machine.ts";
import { type RememberedBatch, readBatch } from "../../src/machines/selection/selection.memory.ts";
import { type ContextOf, type Visit, isCalling, isUnchanged, unchecked, walkEveryPath } from "../support/invariants.ts";
import { fakePage, settle, startJourney } from "../support/page.ts";
import { selectionModel } from "./selection.model.ts";

type Selection = ContextOf<typeof selectionModel>;

const isWholePage = ({ ids, shown }: Selection) => shown.ids.length > 0 && shown.ids.every((id) => ids.includes(id));
const idle = { changed: null, undoId: null };
const QUESTION =
  "Is this person not a lead?\n\nTheir conversation, notes, tags and fields are deleted, and nothing they write is stored from now on. " +
  "You can undo this for 30 seconds. If you restore them later in Settings, they start from scratch.";
const DONE = { move: "moved to Initial Contact", exclude: "excluded" } as Record<string, string>;
const done = ({ requested }: Pick<Selection, "requested">, count: number) => {
  const about = requested?.about === "Interested" ? "moved to Interested" : DONE[requested?.action.type ?? ""];
  return `${count.toLocaleString("en")} ${count === 1 ? "lead" : "leads"} ${about}.`;
};
const choosing = ["list.shown", "lead.toggle", "lead.extend", "page.toggle"];
const isRefused = ({ before, context }: Visit<Selection>) => expect([before.ids, context]).toEqual([[], before]);
const showsOnly = (message: string) => (visit: Visit<Selection>) =>
  expect(visit.effects).toMatchObject({ announceOutcome: { message }, reloadList: null, forgetRemembered: null });

walkEveryPath(selectionModel, {
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
      // Without a response the list may have changed too.
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
      "error watchJobs": isUnchanged,
      "batch.start": isRefused,
      "done askConfirmation": ({ event }) => expect(event.output).toEqual(false),
      "done startBatch": ({ before, ...visit }) => showsOnly(done(before, 0))({ before, ...visit }),
      "error startBatch": ({ context }) =>
        expect([context.problem, context.isUnanswered]).toEqual([
          "No response from the server. Some leads may have been changed. Try again: nothing is done twice.",
          true,
        ]),
      "done readJob": ({ event, before, context, effects }) => {
        expect(event.output.status).not.toEqual("in_progress");
        if (event.output.status === "failed") expect(context.problem).toEqual("It stopped before the end.");
        const message = before.isUndoing ? "Taken back for 4,000 leads." : done(before, 4_000);
        expect(effects["announceOutcome"]).toEqual(before.isAnnounced ? undefined : { message });
      },
      "error readJob": ({ event }) => expect(event.error.status).toEqual(404),
      "done undoBatch": showsOnly("Taken back for 2 leads."),
      "error undoBatch": ({ context }) =>
        expect(context.problem).toEqual("No response from the server. The change may have been undone."),
    },
    holds: ({ context: { outcome, job } }) => expect([outcome, job]).toEqual([idle, null]),
  },
  "work.resting.undoable": {
    after: {
      "error watchJobs": isUnchanged,
      "batch.start": isRefused,
      "done startBatch": ({ context, effects }) => {
        const { requested, outcome } = context;
        expect(outcome).toEqual({ changed: 2, undoId: "undo-1" });
        const about = requested?.about ?? "";
        expect(effects).toMatchObject({
          offerUndo: { message: done({ requested }, 2), undoId: "undo-1", durationMs: 30_000 },
          remember: {
            id: "undo-1",
            type: requested?.action.type,
            count: 1,
            about,
            isUndoing: false,
            isAnnounced: true,
          },
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
      "error watchJobs": isUnchanged,
      "batch.start": ({ event }) => expect(event.action).toEqual({ type: "exclude" }),
    },
    holds: isCalling("askConfirmation", { message: QUESTION }),
  },
  "work.acting": {
    after: {
      "error watchJobs": isUnchanged,
      "batch.start": ({ event }) => expect(event.action.type).toEqual("move"),
      "done askConfirmation": ({ event, context }) =>
        expect([event.output, context.requested?.action.type]).toEqual([true, "exclude"]),
    },
    holds: ({ context: { requested, problem, isUndoing, isAnnounced }, calls }) => {
      expect(requested).toMatchObject({ where: { ids: ["lead-1"] }, count: 1, key: "key-1" });
      expect([problem, isUndoing, isAnnounced]).toEqual([null, false, false]);
      isCalling("startBatch", requested)({ calls });
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
      "error watchJobs": isUnchanged,
      "done readJob": ({ event, context }) => {
        expect(event.output.status).toEqual("in_progress");
        expect(context.job).toMatchObject({ done: 5_000, total: 6_000 });
      },
      "error readJob": isUnchanged,
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
    holds: ({ context: { isUndoing, isAnnounced, problem, requested, outcome }, calls }) => {
      expect([isUndoing, isAnnounced, problem]).toEqual([true, false, null]);
      const { changed: count } = outcome;
      isCalling("undoBatch", { undoId: "undo-1", type: requested?.action.type, count, about: requested?.about })({
        calls,
      });
    },
  },
  "work.ended": { after: [] },
});

const page = (from: number, query = "", total = 812) => ({
  ids: Array.from({ length: 50 }, (_, index) => `lead-${from + index}`),
  query,
  total,
});

const inProgress = { status: "in_progress", done: 5, total: 50, changed: 5, undoId: null } as const;
/** The stored record of a job that holds the leads of a page. */
const left = { id: "job-1", type: "hold", count: 50, about: "", isUndoing: false, isAnnounced: false } as const;

async function start(gateway: Partial<SelectionParts["batch"]> = {}, remembered: RememberedBatch | null = null) {
  const calls: unknown[] = [];
  const memory: { work: RememberedBatch | null } = { work: remembered };
  const offers: { message: string; press: () => Promise<void>; durationMs: number | undefined }[] = [];
  const clock = new SimulatedClock();
  const calling = fakePage();
  calling.notifier.toast = (message, { undo, durationMs } = {}) => {
    if (undo) offers.push({ message: english(message), press: () => (undo.onPress(), settle()), durationMs });
    else calls.push(english(message));
  };
  calling.notifier.confirm = async (message) => calls.push(english(message)) > 0;
  const logic = createSelection(calling, {
    batch: {
      start: async ({ where, action }) => (calls.push({ where, action }), { changed: 60, undoId: "undo-1" }),
      readJob: async () => ({ status: "completed", done: 6_000, total: 6_000, changed: 5_990, undoId: "undo-2" }),
      cancelJob: async () => {},
      undo: async ({ undoId }) => (calls.push(`undo ${undoId}`), { changed: 60, undoId: null }),
      ...gateway,
    },
    memory: { write: (work) => void (memory.work = work), clear: () => void (memory.work = null) },
    hold: () => {},
    onChanged: () => calls.push("the list is read anew"),
  });
  const journey = startJourney(logic, { clock, input: { remembered } });
  await journey.go({ type: "list.shown", list: page(1) });
  return {
    ...journey,
    calls,
    offers,
    memory,
    work: () => journey.snapshot().value.work,
    /** The number of selected leads, and the state of the page's checkbox. */
    chosen: () => [selectCount(journey.snapshot()), selectPageMark(journey.snapshot())],
    toggle: (leadId: string) => journey.go({ type: "lead.toggle", leadId }),
    extend: (leadId: string) => journey.go({ type: "lead.extend", leadId }),
    togglePage: () => journey.go({ type: "page.toggle" }),
    show: (...list: Parameters<typeof page>) => journey.go({ type: "list.shown", list: page(...list) }),
    act: (action: BatchAction = { type: "hold" }, { about = "", key = "k" } = {}) =>
      journey.go({ type: "batch.start", action, about, key }),
    wait: (milliseconds: number) => (clock.increment(milliseconds), settle()),
  };
}

describe("selecting leads", () => {
  it("works one by one over pages, and keeps earlier pages", async () => {
    const { toggle, togglePage, show, chosen, context } = await start();
    await toggle("lead-1");
    await toggle("lead-3");
    await show(51);
    expect(chosen()).toEqual([2, "none"]);
    await toggle("lead-60");
    expect(context().ids).toEqual(["lead-1", "lead-3", "lead-60"]);
    await toggle("lead-3");
    await togglePage();
    expect(chosen()).toEqual([51, "all"]);
  });

  it("extends from the last one to another, in both directions", async () => {
    const { toggle, extend, context } = await start();
    await toggle("lead-4");
    await extend("lead-6");
    await extend("lead-3");
    await toggle("lead-1");
    await extend("lead-3");
    expect(context().ids).toEqual([4, 5, 6, 3, 1, 2].map((number) => `lead-${number}`));
  });

  it("covers all matches, until the list changes or one is deselected", async () => {
    const { go, toggle, togglePage, show, chosen } = await start();
    await togglePage();
    await go({ type: "matching.select" });
    expect(chosen()).toEqual([812, "all"]);
    await show(51);
    expect(chosen()).toEqual([812, "all"]);
    await toggle("lead-51");
    expect(chosen()).toEqual([49, "some"]);
    await show(1, "name=ada");
    expect(chosen()).toEqual([0, "none"]);
  });
});

describe("a bulk action", () => {
  it("sends the ids, or the query of all matches", async () => {
    const { go, toggle, togglePage, show, act, calls } = await start();
    await toggle("lead-2");
    await act();
    await show(1, "q=price");
    await togglePage();
    await go({ type: "matching.select" });
    await act({ type: "tag", tag_ids: ["t"] });
    expect(calls).toEqual([
      { where: { ids: ["lead-2"] }, action: { type: "hold" } },
      "the list is read anew",
      { where: { query: "q=price" }, action: { type: "tag", tag_ids: ["t"] } },
      "the list is read anew",
    ]);
  });

  it("is undone by the toast for 30 s, also after the user left the list", async () => {
    const { chart, toggle, act, calls, offers, work } = await start();
    await toggle("lead-2");
    await act();
    expect(offers).toMatchObject([{ message: "60 leads held.", durationMs: 30_000 }]);
    await offers[0]?.press();
    expect(work()).toEqual({ resting: "idle" });
    expect(calls.splice(0).slice(2)).toEqual(["undo undo-1", "the list is read anew", "Taken back for 60 leads."]);
    await act();
    chart.stop();
    await offers[1]?.press();
    expect(calls.slice(2)).toEqual(["undo undo-1", "Undone.", "the list is read anew"]);
  });

  it("reuses its key without a response, and gets a new one after any response", async () => {
    const keys: string[] = [];
    const answers = [new Error("offline"), Object.assign(new Error(), { status: 422 }), null];
    const { toggle, act } = await start({
      async start({ key }) {
        keys.push(key);
        const error = answers.shift();
        if (error) throw error;
        return { changed: 1, undoId: null };
      },
    });
    await toggle("lead-2");
    await act(undefined, { key: "k1" });
    await act(undefined, { key: "k2" });
    await act(undefined, { key: "k3" });
    expect(keys).toEqual(["k1", "k1", "k3"]);
  });

  it("says how far it came and why it stopped, and can be undone", async () => {
    const error = "The tags were deleted meanwhile, so the rest was not tagged.";
    const { togglePage, act, offers, context } = await start({
      start: async () => ({ changed: 3, undoId: "undo-1", error }),
    });
    await togglePage();
    await act({ type: "tag", tag_ids: ["t"] }, { about: "Hot" });
    expect([offers[0]?.message, context().problem]).toEqual(["3 leads tagged Hot.", error]);
  });

  it("keeps the selection that was made while leads were being excluded", async () => {
    const answer = Promise.withResolvers<{ changed: number; undoId: string }>();
    const { toggle, act, context, work } = await start({ start: () => answer.promise });
    await toggle("lead-1");
    await act({ type: "exclude" });
    await toggle("lead-7");
    answer.resolve({ changed: 1, undoId: "undo-1" });
    await settle();
    expect([work(), context().ids]).toEqual([{ resting: "undoable" }, ["lead-7"]]);
  });

  it("asks before it excludes leads, and deselects them", async () => {
    const { togglePage, act, calls, chosen } = await start();
    await togglePage();
    await act({ type: "exclude" });
    expect(calls[0]).toMatch(
      /^Are these 50 leads not leads at all\?\n\nTheir conversations, notes, tags and fields are deleted/,
    );
    expect(chosen()).toEqual([0, "none"]);
  });

  it.each([
    ["it is restored after a reload", "reading", () => new Promise<never>(() => {})],
    ["the next progress request is delayed", "waiting", async () => inProgress],
    ["its progress failed to load", "waiting", () => Promise.reject(new Error("offline"))],
  ] as const)("can be cancelled while %s", async (_, running, readJob) => {
    const stopped: unknown[] = [];
    const { go, work } = await start({ readJob, cancelJob: async (input) => void stopped.push(input) }, left);
    expect(work()).toEqual({ following: { running } });
    await go({ type: "job.cancel" });
    expect([work(), stopped]).toEqual([{ following: { running } }, [{ jobId: "job-1" }]]);
  });

  it("is restored after a reload, with its Undo while that is possible", async () => {
    const before = await start({ start: async () => ({ jobId: "job-1" }), readJob: () => new Promise(() => {}) });
    await before.togglePage();
    await before.act();
    expect(before.memory.work).toEqual(left);

    const job = { status: "completed", done: 50, total: 50, changed: 49, undoId: "job-1", undoLeftMs: 12_000 } as const;
    const after = await start({ readJob: async () => job }, left);
    expect(after.offers).toMatchObject([{ message: "49 leads held.", durationMs: 12_000 }]);
    expect(after.memory.work).toEqual({ ...left, isAnnounced: true });
    await after.wait(12_000);
    expect([after.work(), after.memory.work]).toEqual([{ resting: "idle" }, null]);

    const late = await start({ readJob: async () => ({ ...job, undoId: null }) }, { ...left, isAnnounced: true });
    expect([late.offers, late.calls, late.memory.work]).toEqual([[], ["the list is read anew"], null]);
  });

  it("is restored from the format of an earlier version", () => {
    const { isAnnounced, ...known } = left;
    expect(readBatch(JSON.stringify({ ...known, isTold: true }))).toEqual({ ...known, isAnnounced });
  });
});
