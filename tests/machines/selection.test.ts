import { describe, expect, it, vi } from "vitest";
import { SimulatedClock, createActor } from "xstate";
import {
  type BatchGateway,
  type RememberedBatch,
  createSelection,
  selectCount,
  selectPageMark,
  selectionMachine,
} from "../../src/machines/selection/index.ts";
import { NOT_DONE } from "../../src/machines/selection/selection.actors.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { selectionModel } from "./selection.model.ts";

walkEveryPath(selectionMachine, selectionModel);

const page = (from: number, query = "", total = 812) => ({
  ids: Array.from({ length: 50 }, (_, index) => `lead-${from + index}`),
  query,
  total,
});

function start(gateway: Partial<BatchGateway> = {}, remembered: RememberedBatch | null = null) {
  const calls: unknown[] = [];
  const keys: string[] = [];
  const memory: { work: RememberedBatch | null } = { work: remembered };
  const offers: { words: string; press: () => void; durationMs: number | undefined }[] = [];
  const clock = new SimulatedClock();
  const logic = createSelection({
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
    events: { subscribe: () => () => {} },
    memory: { write: (work) => void (memory.work = work), clear: () => void (memory.work = null) },
    holdPage: () => {},
    onChanged: () => calls.push("the list is read anew"),
    notifier: {
      toast(words, options) {
        if (options?.undo) offers.push({ words, press: options.undo.onPress, durationMs: options.durationMs });
        else calls.push(words);
      },
      warn: (words) => calls.push(words),
      confirm: async (words) => {
        calls.push(words);
        return true;
      },
    },
    logger: { warn: () => {} },
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
    chart.send({ type: "batch.start", action: { type: "hold" }, did: "held", key: "k" });
    await is({ resting: "undoable" });
    chart.send({ type: "list.shown", list: page(1, "q=price") });
    chart.send({ type: "page.toggle" });
    chart.send({ type: "matching.select" });
    chart.send({ type: "batch.start", action: { type: "tag", tag_ids: ["t"] }, did: "tagged", key: "k" });
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
    chart.send({ type: "batch.start", action: { type: "hold" }, did: "held", key: "k" });
    await is({ resting: "undoable" });
    expect(offers).toMatchObject([{ words: "60 leads held.", durationMs: 30_000 }]);
    offers[0]?.press();
    await is({ resting: "idle" });
    expect(calls.slice(1)).toEqual([
      "the list is read anew",
      "undo undo-1",
      "the list is read anew",
      "Taken back for 60 leads.",
    ]);

    chart.send({ type: "batch.start", action: { type: "hold" }, did: "held", key: "k" });
    await is({ resting: "undoable" });
    chart.stop();
    offers[1]?.press();
    await vi.waitFor(() => expect(calls.slice(-3)).toEqual(["undo undo-1", "Taken back.", "the list is read anew"]));
  });

  it("says why nothing came of it", async () => {
    const { chart, is } = start({ start: () => Promise.reject(new Error("offline")) });
    chart.send({ type: "lead.toggle", leadId: "lead-2" });
    chart.send({ type: "batch.start", action: { type: "resume" }, did: "resumed", key: "k" });
    await is({ resting: "idle" });
    expect(chart.getSnapshot().context).toMatchObject({ problem: NOT_DONE, ids: ["lead-2"] });
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
      chart.send({ type: "batch.start", action: { type: "hold" }, did: "held", key });
      await is({ resting: "idle" });
    }
    expect(asked).toEqual(["k1", "k1", "k3"]);
  });

  it("that broke off says how far it came and why no further, and can be taken back", async () => {
    const error = "The tags were deleted meanwhile, so the rest was not tagged.";
    const { chart, offers, is } = start({ start: async () => ({ changed: 3, undoId: "undo-1", error }) });
    chart.send({ type: "page.toggle" });
    chart.send({ type: "batch.start", action: { type: "tag", tag_ids: ["t"] }, did: "tagged Hot", key: "k" });
    await is({ resting: "undoable" });
    expect([offers[0]?.words, chart.getSnapshot().context.problem]).toEqual(["3 leads tagged Hot.", error]);
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
    chart.send({ type: "batch.start", action: { type: "exclude" }, did: "excluded", key: "k" });
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
    chart.send({ type: "batch.start", action: { type: "exclude" }, did: "excluded", key: "k" });
    await is({ resting: "undoable" });
    expect(calls[0]).toMatch(
      /^Are these 50 leads not leads at all\?\n\nTheir conversations, notes, tags and fields go/,
    );
    expect(selectCount(chart.getSnapshot())).toEqual(0);
  });

  it("is followed to its end where it is a job", async () => {
    const { chart, offers, is } = start({ start: async () => ({ jobId: "job-1" }) });
    chart.send({ type: "page.toggle" });
    chart.send({ type: "batch.start", action: { type: "hold" }, did: "held", key: "k" });
    await is({ resting: "undoable" });
    expect(offers[0]?.words).toEqual("5,990 leads held.");
  });

  it("is found again after a reload from the moment it exists, with its step back for as long as that is possible", async () => {
    const before = start({ start: async () => ({ jobId: "job-1" }), readJob: () => new Promise(() => {}) });
    before.chart.send({ type: "page.toggle" });
    before.chart.send({ type: "batch.start", action: { type: "hold" }, did: "held", key: "k" });
    await before.is({ following: "reading" });
    const left = { id: "job-1", type: "hold", count: 50, did: "held", isUndoing: false, isTold: false } as const;
    expect(before.memory.work).toEqual(left);

    const job = { status: "completed", done: 50, total: 50, changed: 49, undoId: "job-1", undoLeftMs: 12_000 } as const;
    const after = start({ readJob: async () => job }, left);
    await after.is({ resting: "undoable" });
    expect(after.offers).toMatchObject([{ words: "49 leads held.", durationMs: 12_000 }]);
    expect(after.memory.work).toEqual({ ...left, isTold: true });
    after.clock.increment(12_000);
    await after.is({ resting: "idle" });
    expect(after.memory.work).toBe(null);

    const late = start({ readJob: async () => ({ ...job, undoId: null }) }, { ...left, isTold: true });
    await late.is({ resting: "idle" });
    expect([late.offers, late.calls, late.memory.work]).toEqual([[], ["the list is read anew"], null]);
  });
});
