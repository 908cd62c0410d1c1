import { describe, expect, it, vi } from "vitest";
import { SimulatedClock, createActor } from "xstate";
import {
  type BatchGateway,
  createSelection,
  selectCount,
  selectPageMark,
  selectionMachine,
} from "../../src/machines/selection/index.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { selectionModel } from "./selection.model.ts";

walkEveryPath(selectionMachine, selectionModel);

const page = (from: number, query = "", total = 812) => ({
  ids: Array.from({ length: 50 }, (_, index) => `lead-${from + index}`),
  query,
  total,
});

function start(gateway: Partial<BatchGateway> = {}) {
  const calls: unknown[] = [];
  const offers: { words: string; press: () => void; durationMs: number | undefined }[] = [];
  const clock = new SimulatedClock();
  const logic = createSelection({
    batch: {
      start: async (request) => {
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
  const chart = createActor(logic, { clock }).start();
  chart.send({ type: "list.shown", list: page(1) });
  const is = (work: unknown) => vi.waitFor(() => expect(chart.getSnapshot().value).toMatchObject({ work }));
  return { chart, calls, offers, clock, is };
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
    chart.send({ type: "batch.start", action: { type: "hold" }, did: "held" });
    await is({ resting: "undoable" });
    chart.send({ type: "list.shown", list: page(1, "q=price") });
    chart.send({ type: "page.toggle" });
    chart.send({ type: "matching.select" });
    chart.send({ type: "batch.start", action: { type: "tag", tag_ids: ["t"] }, did: "tagged" });
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
    chart.send({ type: "batch.start", action: { type: "hold" }, did: "held" });
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

    chart.send({ type: "batch.start", action: { type: "hold" }, did: "held" });
    await is({ resting: "undoable" });
    chart.stop();
    offers[1]?.press();
    await vi.waitFor(() => expect(calls.slice(-3)).toEqual(["undo undo-1", "Taken back.", "the list is read anew"]));
  });

  it("says why nothing came of it", async () => {
    const { chart, is } = start({ start: () => Promise.reject(new Error("offline")) });
    chart.send({ type: "lead.toggle", leadId: "lead-2" });
    chart.send({ type: "batch.start", action: { type: "resume" }, did: "resumed" });
    await is({ resting: "idle" });
    expect(chart.getSnapshot().context).toMatchObject({ problem: "Nothing was changed. Try again.", ids: ["lead-2"] });
  });

  it("is asked about before people are excluded, and they are chosen no more", async () => {
    const { chart, calls, is } = start();
    chart.send({ type: "page.toggle" });
    chart.send({ type: "batch.start", action: { type: "exclude" }, did: "excluded" });
    await is({ resting: "undoable" });
    expect(calls[0]).toMatch(
      /^Are these 50 leads not leads at all\?\n\nTheir conversations, notes, tags and fields go/,
    );
    expect(selectCount(chart.getSnapshot())).toEqual(0);
  });

  it("is followed to its end where it is a job", async () => {
    const { chart, offers, is } = start({ start: async () => ({ jobId: "job-1" }) });
    chart.send({ type: "page.toggle" });
    chart.send({ type: "batch.start", action: { type: "hold" }, did: "held" });
    await is({ resting: "undoable" });
    expect(offers[0]?.words).toEqual("5,990 leads held.");
  });
});
