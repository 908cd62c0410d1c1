import { describe, expect, it } from "vitest";
import { SimulatedClock, createActor, waitFor } from "xstate";
import type { LeadsPage } from "../../domain/lead.ts";
import { dateText } from "../../src/machines/kit/format.ts";
import {
  type LeadsRequest,
  createLeads,
  leadsMachine,
  readDate,
  selectArrived,
  selectHasNextPage,
  selectPageCount,
} from "../../src/machines/leads/index.ts";
import { leadsUpTo, twoStages } from "../support/leads.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { leadsModel } from "./leads.model.ts";

walkEveryPath(leadsMachine, leadsModel);

type Answer = (request: LeadsRequest, signal: AbortSignal) => Promise<LeadsPage>;

function startList(answer: Answer = async () => ({ leads: leadsUpTo(50), total: 120 })) {
  const requests: LeadsRequest[] = [];
  const logged: string[] = [];
  const listeners = new Set<() => void>();
  const clock = new SimulatedClock();
  const logic = createLeads({
    leads: {
      list: (request, signal) => {
        requests.push(request);
        return answer(request, signal);
      },
      listStages: async () => twoStages,
      listFollowups: async () => [{ stage_id: "stage-1" }, { stage_id: "stage-1" }, { stage_id: null }],
    },
    events: {
      subscribe: (_type, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    logger: { warn: (what) => logged.push(what) },
  });
  const list = createActor(logic, { clock }).start();
  const isReady = () => waitFor(list, (snapshot) => snapshot.matches({ list: "ready" }));
  const leadChanged = () => listeners.forEach((listener) => listener());
  return { list, requests, logged, listeners, clock, isReady, leadChanged };
}

describe("the leads list", () => {
  it("first asks for 50 leads with nothing filtered and counts each stage's follow-ups", async () => {
    const { list, requests, isReady } = startList();
    await isReady();
    expect(requests).toEqual([{ limit: 50, offset: 0 }]);
    expect(list.getSnapshot().context.board?.stepsByStage).toEqual({ "stage-1": 2 });
    expect(selectPageCount(list.getSnapshot())).toEqual(3);
  });

  it("asks for a typed filter only once it is applied, from the first page on", async () => {
    const { list, requests, isReady } = startList();
    await isReady();
    list.send({ type: "page.next" });
    await isReady();
    list.send({ type: "filter.change", change: { name: " ada ", followups: "2", awaitingReply: "no" } });
    expect(list.getSnapshot().context.page).toEqual(1);
    await isReady();
    list.send({ type: "filters.apply" });
    await isReady();
    expect(requests).toEqual([
      { limit: 50, offset: 0 },
      { limit: 50, offset: 50 },
      { limit: 50, offset: 0 },
      { limit: 50, offset: 0, name: "ada", followup_order_sent: "2", awaiting_reply: "false" },
    ]);
  });

  it("covers both days of a date range to their last millisecond", async () => {
    const { list, requests, isReady } = startList();
    await isReady();
    list.send({ type: "filter.change", change: { from: "3/1/2026", to: "03/05/2026" } });
    list.send({ type: "filters.apply" });
    await isReady();
    expect(requests.at(-1)).toEqual({
      limit: 50,
      offset: 0,
      created_start: new Date(2026, 2, 1).toISOString(),
      created_end: new Date(2026, 2, 5, 23, 59, 59, 999).toISOString(),
    });
  });

  it("refuses to apply a day that is not in the calendar, and asks nothing", async () => {
    const { list, requests, isReady } = startList();
    await isReady();
    list.send({ type: "filter.change", change: { from: "02/31/2026" } });
    list.send({ type: "filters.apply" });
    expect(list.getSnapshot().context.areDatesRefused).toEqual(true);
    expect(requests).toHaveLength(1);
  });

  it("lifts an applied filter at once when it is cleared", async () => {
    const { list, requests, isReady } = startList();
    await isReady();
    list.send({ type: "filter.change", change: { stageId: "stage-2", awaitingReply: "yes" } });
    list.send({ type: "filters.apply" });
    await isReady();
    list.send({ type: "filter.clear", fields: ["stageId"] });
    await isReady();
    list.send({ type: "filters.clear" });
    await isReady();
    expect(requests.slice(1)).toEqual([
      { limit: 50, offset: 0, stage_id: "stage-2", awaiting_reply: "true" },
      { limit: 50, offset: 0, awaiting_reply: "true" },
      { limit: 50, offset: 0 },
    ]);
  });

  it("shows the newest of many rapid applications and aborts all others", async () => {
    let aborted = 0;
    const { list, isReady } = startList(
      ({ name }, signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener("abort", () => {
            aborted += 1;
            reject(signal.reason);
          });
          setTimeout(() => resolve({ leads: leadsUpTo(1), total: Number(name ?? 0) }), name === "40" ? 0 : 5);
        }),
    );
    for (let count = 1; count <= 40; count++) {
      list.send({ type: "filter.change", change: { name: String(count) } });
      list.send({ type: "filters.apply" });
    }
    await isReady();
    expect(list.getSnapshot().context.total).toEqual(40);
    expect(aborted).toEqual(40);
  });

  it("has no next page after one of fewer than 50 rows", async () => {
    const { list, isReady } = startList(async () => ({ leads: leadsUpTo(49), total: 120 }));
    await isReady();
    expect(selectHasNextPage(list.getSnapshot())).toEqual(false);
  });

  it("pages to the end of 100,000 leads", async () => {
    const { list, requests, isReady } = startList(async () => ({ leads: leadsUpTo(50), total: 100_000 }));
    await isReady();
    for (let page = 2; page <= 2_000; page++) list.send({ type: "page.next" });
    await isReady();
    expect(requests.at(-1)).toEqual({ limit: 50, offset: 99_950 });
    expect(selectHasNextPage(list.getSnapshot())).toEqual(false);
  });

  it("counts new leads without touching the rows, and forgets them on refresh", async () => {
    let total = 120;
    const { list, requests, clock, isReady, leadChanged } = startList(async () => ({ leads: leadsUpTo(50), total }));
    await isReady();
    const rows = list.getSnapshot().context.leads;
    total = 122;
    leadChanged();
    leadChanged();
    clock.increment(2_000);
    await waitFor(list, (snapshot) => snapshot.matches({ arrivals: "quiet" }));
    expect(selectArrived(list.getSnapshot())).toEqual(2);
    expect(list.getSnapshot().context.leads).toBe(rows);
    expect(requests.at(-1)).toEqual({ limit: 1, offset: 0 });
    list.send({ type: "list.refresh" });
    await isReady();
    expect(selectArrived(list.getSnapshot())).toEqual(0);
  });

  it("logs a failed reading once and recovers by refresh", async () => {
    let isOnline = false;
    const { list, logged, isReady } = startList(async () => {
      if (!isOnline) throw new Error("offline");
      return { leads: leadsUpTo(1), total: 1 };
    });
    await waitFor(list, (snapshot) => snapshot.matches({ list: "failed" }));
    expect(logged).toEqual(["leads, stages or follow-ups were not read"]);
    isOnline = true;
    list.send({ type: "list.refresh" });
    await isReady();
    expect(list.getSnapshot().context.total).toEqual(1);
  });

  it("stops its request and its watch when the screen is left", async () => {
    let signal: AbortSignal | undefined;
    const { list, listeners } = startList((_request, given) => {
      signal = given;
      return new Promise(() => {});
    });
    list.stop();
    expect(signal?.aborted).toEqual(true);
    expect(listeners.size).toEqual(0);
  });

  it("fails instead of showing nothing when nobody provided its services", async () => {
    const list = createActor(leadsMachine).start();
    await waitFor(list, (snapshot) => snapshot.matches({ list: "failed" }));
    expect(list.getSnapshot().status).toEqual("active");
  });
});

describe("dates", () => {
  it("read as month, day, year and show as day, long month, year", () => {
    expect(readDate(" 03/05/2026 ")).toEqual({ year: 2026, month: 3, day: 5 });
    expect(readDate("02/29/2028")).toEqual({ year: 2028, month: 2, day: 29 });
    expect([readDate("02/29/2026"), readDate("2026-03-05"), readDate("00/10/2026"), readDate("")]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(dateText(new Date(2026, 2, 5, 12).toISOString())).toEqual("5 March 2026");
    expect([dateText(null), dateText("soon")]).toEqual([null, null]);
  });
});
