import { describe, expect, it } from "vitest";
import { SimulatedClock } from "xstate";
import type { Lead, LeadsPage } from "../../domain/lead.ts";
import type { NotesDraft } from "../../src/services/leads.ts";
import { dateText } from "../../src/language/format.ts";
import { placeOf, searchOf } from "../../src/machines/leads/leads.address.ts";
import { readDate } from "../../src/machines/leads/leads.dates.ts";
import {
  type LeadFilters,
  type LeadsRequest,
  NO_FILTERS,
  queryOf,
  requestOf,
} from "../../src/machines/leads/leads.filters.ts";
import { createLeads, rowId, selectPageCount, selectRows, touchRow } from "../../src/machines/leads/leads.machine.ts";
import {
  addressOf,
  hiddenColumns,
  readListOptions,
  shownColumns,
  wideColumns,
  withColumn,
} from "../../src/machines/leads/leads.options.ts";
import { leadNumber, leadsUpTo, rowWrites, twoStages } from "../support/leads.ts";
import { type VisitOf, isCalling, unchecked, walkEveryPath } from "../support/invariants.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import { leadsModel } from "./leads.model.ts";

type Visited = VisitOf<typeof leadsModel>;
const NO_CHANGES = { ids: [], isAny: false };
const inTable = unchecked("filter.change", "filter.clear", "filters.apply", "row.touch", "error watchAddress");
const moves = unchecked(
  "more.change",
  "filters.clear",
  "list.reload",
  "address.changed",
  "page.next",
  "page.previous",
  "arrivals.show",
);
const loads = ({ context, before, calls, callsBefore, cause }: Visited, call: "fetchBoard" | "fetchPage") => {
  isCalling(call, {
    ...requestOf(context.applied, context.page),
    limit: 50,
    offset: (context.page - 1) * 50,
  })({ calls });
  if (!(call in callsBefore) && cause !== "start") expect(context.loadCount).toBeGreaterThan(before.loadCount);
};
type Page = { leads: unknown[]; total: number };
const shows = ({ context, before, effects }: Visited, { leads, total }: Page) => {
  const { applied: filters, page } = context;
  expect(context).toMatchObject({ leads, total, isFull: leads.length >= 50, shown: { filters, page } });
  expect(page > 1 && leads.length === 0).toEqual(false);
  const leaves = before.touched.filter((id) => !context.touched.includes(id)).map(() => "notes.leave");
  const sent = ((effects["sendTo"] ?? []) as { type: string }[]).map(({ type }) => type);
  expect(sent).toEqual([...leaves, ...context.touched.map(() => "lead.refreshed")]);
  if (page === 1) expect(context.arrived).toEqual(0);
};
/** The page is past the end, so the one before it is loaded. */
const isPastEnd = ({ context, before, event, effects }: Visited) => {
  const { leads } = event.output.page ?? event.output;
  expect([leads, before.page > 1]).toEqual([[], true]);
  expect(context.page).toBeLessThan(before.page);
  expect(effects).toHaveProperty("correctAddress", { filters: context.applied, page: context.page });
};
const isStillShown =
  (isShown: boolean) =>
  ({ context: { shown, applied, page } }: Visited) =>
    expect(JSON.stringify(shown) === JSON.stringify({ filters: applied, page })).toEqual(isShown);
const notes = ({ context: { changed }, event }: Visited) =>
  expect(event.id === null ? changed.isAny : changed.ids.includes(event.id)).toEqual(true);

walkEveryPath(leadsModel, {
  list: {
    accepts: ["filters.apply", "more.change", "filters.clear", "list.refresh", "list.reload", "address.changed"],
    holds: ({ cause, event, context: { draft, applied, page, areDatesRefused }, before, effects }) => {
      const place = { draft, applied, page };
      if (cause === "filters.apply") {
        const isRefused = before.draft.from !== "";
        expect(areDatesRefused).toEqual(isRefused);
        expect(applied).toEqual(isRefused ? before.applied : before.draft);
      }
      if (cause === "more.change")
        expect(place).toEqual({
          draft: { ...before.draft, more: event.more },
          applied: { ...before.applied, more: event.more },
          page: 1,
        });
      if (cause === "filters.clear") expect(place).toEqual({ draft: NO_FILTERS, applied: NO_FILTERS, page: 1 });
      if (cause === "address.changed")
        expect(place).toEqual({ draft: event.place.filters, applied: event.place.filters, page: event.place.page });
      if (cause === "filter.change") expect(draft).toEqual({ ...before.draft, ...event.change });
      if (cause === "filter.clear") {
        const cleared = Object.fromEntries(event.fields.map((field: string) => [field, ""]));
        expect([draft, applied]).toEqual([
          { ...before.draft, ...cleared },
          { ...before.applied, ...cleared },
        ]);
      }
      if (/^filters?\./.test(cause) && cause !== "filters.apply") expect(areDatesRefused).toEqual(false);
      if (cause === "page.next") expect(page).toEqual(before.page + 1);
      if (cause === "page.previous") expect(page).toEqual(before.page - 1);
      if (page !== before.page || applied !== before.applied)
        expect(effects).toHaveProperty("writeAddress", { filters: applied, page });
    },
  },
  "list.table": {
    accepts: ({ page, isFull, total, arrived, leads, touched }) => [
      "filter.change",
      "filter.clear",
      ...(isFull && page * 50 < total ? ["page.next"] : []),
      ...(page > 1 ? ["page.previous"] : []),
      ...(arrived > 0 ? ["arrivals.show"] : []),
      ...(leads.some(({ id }) => id === "lead-1") && touched.length === 0 ? ["row.touch"] : []),
    ],
    holds: ({ cause, event, context: { touched } }) => {
      if (cause === "row.touch") expect(touched).toEqual([event.leadId]);
    },
  },
  "list.table.reloading": { after: [] },
  "list.table.loadingBoard": {
    after: {
      ...inTable,
      ...moves,
      start: null,
      "list.refresh": null,
      "reading.retry": null,
      "lead.changed": ({ event }) => expect(event.id).toEqual(null),
      "done fetchBoard": isPastEnd,
    },
    holds: (visit) => loads(visit, "fetchBoard"),
  },
  "list.table.loadingPage": {
    after: { ...inTable, ...moves, "done fetchBoard": isPastEnd, "done fetchPage": isPastEnd },
    holds: (visit) => {
      loads(visit, "fetchPage");
      expect(visit.context.board).not.toEqual(null);
    },
  },
  "list.table.shown": {
    after: {
      ...inTable,
      "done fetchBoard": (visit) => {
        shows(visit, visit.event.output.page);
        expect(visit.context.board).toEqual(visit.event.output.board);
      },
      "done fetchPage": (visit) => shows(visit, visit.event.output),
    },
  },
  "list.table.outdated": {
    accepts: ["reading.retry"],
    after: { ...inTable, "error fetchBoard": isStillShown(true), "error fetchPage": isStillShown(true) },
  },
  "list.loadFailed": {
    accepts: ["reading.retry"],
    after: {
      "filters.apply": null,
      "error watchAddress": null,
      "error fetchBoard": isStillShown(false),
      "error fetchPage": isStillShown(false),
    },
  },
  news: { accepts: ["lead.changed"] },
  "news.quiet": {
    after: {
      start: null,
      "error watchLeads": null,
      "done readNews": ({ context, event, effects }) => {
        expect(event.output.load).toEqual(context.loadCount);
        expect([context.arrived, context.leads[0]?.name]).toEqual([2, "Renamed"]);
        const expected = context.touched.length > 0 ? [expect.objectContaining({ type: "lead.refreshed" })] : [];
        expect(effects["sendTo"] ?? []).toEqual(expected);
      },
    },
    holds: ({ context }) => expect(context.changed).toEqual(NO_CHANGES),
  },
  "news.gathering": {
    after: {
      "lead.changed": notes,
      "error watchLeads": null,
      "after newsRetry": null,
      "after newsPause": ({ isIn }) => expect(isIn("list.table.shown") || isIn("list.table.outdated")).toEqual(false),
      "done readNews": ({ context, before, event }) => {
        if (event.output.load === context.loadCount) expect(context.changed).toEqual(before.changed);
        else expect(context).toMatchObject({ changed: before.requested, requested: NO_CHANGES, leads: before.leads });
      },
    },
  },
  "news.reading": {
    after: {
      "lead.changed": notes,
      "error watchLeads": null,
      "after newsPause": ({ context, before, calls, isIn }) => {
        expect(isIn("list.table.shown") || isIn("list.table.outdated")).toEqual(true);
        expect([context.requested, context.changed]).toEqual([before.changed, NO_CHANGES]);
        const { requested, loadCount, total } = context;
        const input = { ids: requested.ids, isAny: requested.isAny, hasStrangers: false, load: loadCount, total };
        expect(calls["readNews"]).toMatchObject(input);
      },
    },
    holds: ({ calls }) => expect(calls).toHaveProperty("readNews"),
  },
  "news.failed": {
    after: {
      "error watchLeads": null,
      "error readNews": ({ context, before }) =>
        expect([context.changed, context.requested]).toEqual([before.requested, NO_CHANGES]),
    },
  },
});

type Options = {
  leads?: Lead[];
  search?: string;
  list?: (request: LeadsRequest, signal: AbortSignal) => Promise<LeadsPage>;
  read?: (leadId: string) => Promise<Lead | null>;
};

/** Starts a list with a server that holds these leads, newest first. */
async function startList({ leads = leadsUpTo(120), search = "", list, read }: Options = {}) {
  const server = { leads, search };
  const page = fakePage();
  const clock = new SimulatedClock();
  const reads: string[] = [];
  const saved: string[] = [];
  const visited: string[] = [];
  const corrected: string[] = [];
  const requests: LeadsRequest[] = [];
  const notesDrafts = new Map<string, NotesDraft>();
  const movers = new Set<() => void>();
  const find = async ({ offset, limit, created_start: start = "" }: LeadsRequest) => {
    const found = server.leads.filter(({ created_at }) => (created_at ?? "") >= start);
    return { leads: found.slice(offset, offset + limit), total: found.length };
  };
  const logic = createLeads(page, {
    leads: {
      ...rowWrites(),
      saveNotes: async ({ notes }) => (saved.push(notes), notes),
      list: (request, signal) => (requests.push(request), (list ?? find)(request, signal)),
      async read({ leadId }) {
        reads.push(leadId);
        return read ? read(leadId) : (server.leads.find(({ id }) => id === leadId) ?? null);
      },
    },
    listStages: async () => twoStages,
    listFollowups: async () => [
      { stage_id: "stage-1", followup_order: 1, message: "Shall we talk?" },
      { stage_id: "stage-1", followup_order: 0, message: "Here are our prices." },
      { stage_id: null, followup_order: 0, message: "Nobody's" },
    ],
    drafts: {
      read: (leadId) => notesDrafts.get(leadId) ?? null,
      keep: (leadId, draft) => void notesDrafts.set(leadId, draft),
      settle: (leadId) => void notesDrafts.delete(leadId),
    },
    address: {
      read: () => server.search,
      write: (next) => {
        if (server.search !== next) visited.push(next);
        server.search = next;
      },
      correct: (next) => void corrected.push((server.search = next)),
      subscribe: (listener) => {
        movers.add(listener);
        return () => movers.delete(listener);
      },
    },
  });
  const journey = await openJourney(logic, { clock, input: placeOf(search) });
  return {
    ...journey,
    server,
    page,
    clock,
    reads,
    saved,
    visited,
    corrected,
    requests,
    notesDrafts,
    movers,
    ids: () => idsOf(journey.context().leads),
    names: (...places: number[]) => places.map((place) => journey.context().leads[place]?.name),
    row: (leadId: string) => touchRow(journey.chart as never, leadId),
    apply: (change: Partial<LeadFilters>) => journey.go({ type: "filter.change", change }, { type: "filters.apply" }),
    /** Sends news events, with a lead's id or without one, and lets the pause pass. */
    publishChanges(...news: { id?: string }[]) {
      for (const data of news) page.publish("lead.changed", data);
      clock.increment(1_000);
      return settle();
    },
    goTo(text: string) {
      server.search = text;
      for (const move of movers) move();
      return settle();
    },
  };
}
const idsOf = (leads: readonly Lead[]) => leads.map(({ id }) => id);
const renamed = (leads: readonly Lead[], name: string) => leads.map((lead) => ({ ...lead, name }));

describe("the leads list", () => {
  it("first requests 50 unfiltered leads, and counts each stage's follow-ups", async () => {
    const { context, snapshot, requests } = await startList();
    expect(requests).toEqual([{ limit: 50, offset: 0 }]);
    expect(context().board?.steps).toEqual({ "stage-1": ["Here are our prices.", "Shall we talk?"] });
    expect(selectPageCount(snapshot())).toEqual(3);
  });

  it("shows the last of many rapid filter changes, and aborts all others", async () => {
    let aborted = 0;
    const answers: (() => void)[] = [];
    const { apply, context } = await startList({
      list: ({ name }, signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener("abort", () => {
            aborted += 1;
            reject(signal.reason);
          });
          answers.push(() => resolve({ leads: leadsUpTo(1), total: Number(name ?? 0) }));
        }),
    });
    for (let count = 1; count <= 40; count++) void apply({ name: String(count) });
    answers.toReversed().forEach((answer) => answer());
    await settle();
    expect([context().total, aborted]).toEqual([40, 40]);
  });

  it("aborts its request and unsubscribes when the user leaves the screen", async () => {
    let signal: AbortSignal | undefined;
    const { chart, page, movers } = await startList({
      list: (_request, given) => ((signal = given), new Promise(() => {})),
    });
    chart.stop();
    expect([signal?.aborted, movers.size, page.hasListeners()]).toEqual([true, 0, false]);
  });
});

describe("leads that arrive", () => {
  const daysAgo = (days: number) => new Date(Date.parse("2026-03-05T10:00:00Z") - days * 86_400_000).toISOString();
  /** Starts a list whose leads have ages of 0, 1, 2, … days; new leads write one after another. */
  async function startPeople(count: number, search = "") {
    const leads = leadsUpTo(count).map((lead, days) => ({ ...lead, created_at: daysAgo(days) }));
    const list = await startList({ leads, search });
    const { server } = list;
    return {
      ...list,
      arrived: () => list.context().arrived,
      arrive(...numbers: number[]) {
        const come = numbers.map((number) => leadNumber(number, { created_at: daysAgo(0) }));
        server.leads = [...come.toReversed(), ...server.leads];
      },
      leave(number: number) {
        server.leads = server.leads.filter(({ id }) => id !== `lead-${number}`);
      },
      publishLeads: (...numbers: number[]) =>
        list.publishChanges(...numbers.map((number) => ({ id: `lead-${number}` }))),
    };
  }

  it.each([1, 30, 55])("are counted as two when two arrive and lead %i leaves the list", async (left) => {
    const { go, ids, arrived, arrive, leave, publishChanges, publishLeads } = await startPeople(60);
    const rows = ids().filter((id) => id !== `lead-${left}`);
    leave(left);
    arrive(101, 102);
    await publishLeads(left, 101, 102);
    expect(arrived()).toEqual(2);
    await publishChanges({});
    expect([arrived(), ids()]).toEqual([2, rows]);
    arrive(103);
    await publishLeads(103);
    expect(arrived()).toEqual(3);
    await go({ type: "arrivals.show" });
    expect([arrived(), ids()[0]]).toEqual([0, "lead-103"]);
  });

  it.each([
    { where: "when more arrive than fit on a page", count: 120, comers: 60, expected: { fields: "id" } },
    { where: "while another page is shown", count: 120, comers: 2, search: "page=2", expected: { limit: 1 } },
    { where: "to a list in another order", count: 120, comers: 2, search: "sort=name", expected: { limit: 1 } },
    { where: "to an empty list", count: 0, comers: 1, expected: {} },
  ])("are all counted $where", async ({ count, comers, search, expected }) => {
    const { requests, arrived, arrive, publishLeads } = await startPeople(count, search);
    const newcomers = Array.from({ length: comers }, (_, index) => 201 + index);
    arrive(...newcomers);
    await publishLeads(...newcomers.slice(-3));
    expect(arrived()).toEqual(comers);
    expect(requests.at(-1)).toMatchObject({ offset: 0, ...expected });
  });

  it("exclude leads of the same second on later pages", async () => {
    const { go, publishChanges, context, server } = await startList({ leads: leadsUpTo(112) });
    await go({ type: "page.next" });
    await publishChanges(...[1, 2, 3, 60, 70].map((number) => ({ id: `lead-${number}` })));
    expect([context().arrived, context().total]).toEqual([0, 112]);
    server.leads = [leadNumber(201), ...server.leads];
    await publishChanges({ id: "lead-201" });
    expect([context().arrived, context().total]).toEqual([1, 112]);
  });

  it("are offered on every page until the first is shown", async () => {
    const { go, context, requests, arrived, arrive, leave, publishLeads, apply } = await startPeople(120);
    arrive(201);
    await publishLeads(201);
    await go({ type: "page.next" });
    expect([arrived(), context().shown?.page]).toEqual([1, 2]);
    leave(1);
    arrive(202, 203);
    await publishLeads(1, 202, 203);
    expect(arrived()).toEqual(3);
    expect(requests.at(-1)).toEqual({ limit: 50, offset: 0, created_start: daysAgo(0), fields: "id" });
    await apply({ name: "ada" });
    expect(arrived()).toEqual(0);
  });
});

describe("events about leads", () => {
  it("update their rows in place with one request each", async () => {
    const { server, names, requests, reads, publishChanges } = await startList();
    server.leads = renamed(server.leads, "Read anew");
    await publishChanges({ id: "lead-3" }, { id: "lead-3" });
    expect([names(1, 2), reads, requests.length]).toEqual([["Lead 2", "Read anew"], ["lead-3"], 1]);
  });

  it("of many or unnamed leads cause one request for the page", async () => {
    const { server, context, ids, names, requests, reads, publishChanges } = await startList();
    const { board } = context();
    server.leads = renamed(server.leads, "Second");
    await publishChanges(...ids().map((id) => ({ id })));
    expect([names(0, 49), context().board === board]).toEqual([["Second", "Second"], true]);
    server.leads = renamed(server.leads, "Third");
    await publishChanges({});
    // An event without an id means that the page may have missed changes: stages and follow-ups are loaded again too.
    expect([names(0, 49), context().board === board]).toEqual([["Third", "Third"], false]);
    expect([reads, requests.map(({ offset }) => offset)]).toEqual([[], [0, 0, 0]]);
  });

  it("use the list's own query when the server does not know the call", async () => {
    const { names, requests, publishChanges } = await startList({ read: async () => null });
    await publishChanges({ id: "lead-1" });
    expect([requests.map(({ offset }) => offset), names(0)]).toEqual([[0, 0], ["Lead 1"]]);
  });

  it("are handled again 10 s after a failure, or at once on the next event", async () => {
    let isOnline = false;
    const { snapshot, names, reads, publishChanges, clock } = await startList({
      read: async (leadId) => {
        if (!isOnline) throw new Error("offline");
        return leadNumber(Number(leadId.slice(5)), { name: "Read anew" });
      },
    });
    await publishChanges({ id: "lead-1" });
    clock.increment(10_000);
    await publishChanges();
    expect(snapshot().value.news).toEqual("failed");
    isOnline = true;
    await publishChanges({ id: "lead-2" });
    expect(names(0, 1)).toEqual(["Read anew", "Read anew"]);
    expect(reads).toEqual(["lead-1", "lead-1", "lead-1", "lead-2"]);
  });

  it("remove a lead that was excluded elsewhere, and the next one moves up", async () => {
    const { server, context, ids, row, saved, publishChanges } = await startList({ leads: leadsUpTo(60) });
    row("lead-3").send({ type: "notes.change", notes: "Typed" });
    server.leads = leadsUpTo(60).filter(({ id }) => id !== "lead-3");
    await publishChanges({ id: "lead-3" });
    const { total, slots, touched } = context();
    expect([ids(), total]).toEqual([idsOf(server.leads.slice(0, 50)), 59]);
    expect([new Set(slots).size, touched, saved]).toEqual([50, [], ["Typed"]]);
  });

  it.each([[{}], [{ id: "lead-2" }]])("remove leads excluded by any number of changes: %j", async (data) => {
    const { server, context, snapshot, ids, publishChanges } = await startList({ leads: leadsUpTo(60) });
    server.leads = leadsUpTo(60).slice(20);
    await publishChanges(data, {});
    expect([ids(), context().total]).toEqual([idsOf(server.leads), 40]);
    // The page was full when it loaded, so its own length does not show whether another follows.
    expect(snapshot().can({ type: "page.next" })).toEqual(false);
  });

  it.each([
    { what: "show the last page when every lead of a later page was excluded", known: [], page: 1, moves: [""] },
    { what: "never count fewer pages than the one shown", known: [leadNumber(51)], page: 2, moves: [] },
  ])("$what", async ({ known, page, moves }) => {
    const { server, context, snapshot, corrected, publishChanges } = await startList({
      leads: leadsUpTo(51),
      search: "page=2",
      read: async () => known[0] ?? null,
    });
    server.leads = leadsUpTo(50);
    await publishChanges({ id: "lead-51" }, {});
    expect([context().shown?.page, selectPageCount(snapshot()), corrected]).toEqual([page, page, moves]);
  });

  it("keep leads in place that only moved to another page", async () => {
    const { server, context, ids, publishChanges } = await startList();
    const newcomers = Array.from({ length: 30 }, (_, index) => leadNumber(200 + index));
    server.leads = [...newcomers, ...renamed(leadsUpTo(120), "Renamed")];
    await publishChanges({});
    expect(ids()).toEqual(idsOf(leadsUpTo(50)));
    expect(context().leads.every(({ name }) => name === "Renamed")).toEqual(true);
  });
});

describe("rows", () => {
  it("reuse their slots on the next page, except an edited row, which saves its note", async () => {
    const { go, context, row, saved, notesDrafts } = await startList();
    const before = context().slots;
    row("lead-2").send({ type: "notes.change", notes: "Typed and gone" });
    expect(notesDrafts.get("lead-2")).toMatchObject({ notes: "Typed and gone" });
    await go({ type: "page.next" });
    const { slots, touched } = context();
    expect(slots.filter((slot) => !before.includes(slot))).toEqual([50]);
    expect([new Set(slots).size, slots.includes(before[1] ?? -1), touched]).toEqual([50, false, []]);
    expect([saved, notesDrafts.size]).toEqual([["Typed and gone"], 0]);
  });

  it("return with a note that was never saved", async () => {
    const { go, snapshot, notesDrafts } = await startList();
    notesDrafts.set("lead-60", { notes: "Never arrived", over: "" });
    await go({ type: "page.next" });
    expect(selectRows(snapshot())[rowId("lead-60")]?.getSnapshot()).toMatchObject({
      value: { notes: "unsaved" },
      context: { notes: "Never arrived" },
    });
  });

  it("move up with a note that was never saved", async () => {
    const { server, snapshot, notesDrafts, publishChanges } = await startList({ leads: leadsUpTo(60) });
    notesDrafts.set("lead-51", { notes: "Never arrived", over: "" });
    server.leads = leadsUpTo(60).filter(({ id }) => id !== "lead-3");
    await publishChanges({ id: "lead-3" });
    expect(selectRows(snapshot())[rowId("lead-51")]?.getSnapshot()).toMatchObject({
      value: { notes: "unsaved" },
      context: { notes: "Never arrived" },
    });
  });
});

describe("the address", () => {
  it("contains the applied filters and the page, not what is being typed", async () => {
    const { go, visited } = await startList();
    await go({ type: "filter.change", change: { name: "ada & co", from: "3/1/2026", awaitingReply: "no" } });
    expect(visited).toEqual([]);
    await go({ type: "filters.apply" });
    await go({ type: "page.next" });
    const applied = "name=ada+%26+co&from=2026-03-01&awaiting_reply=false";
    expect(visited).toEqual([applied, `${applied}&page=2`]);
  });

  it("restores the list, and follows Back", async () => {
    const { context, requests, goTo } = await startList({ search: "stage_id=stage-2&page=2" });
    expect(requests).toEqual([{ limit: 50, offset: 50, stage_id: "stage-2" }]);
    await goTo("name=ada");
    await goTo("name=ada");
    expect(requests.slice(1)).toEqual([{ limit: 50, offset: 0, name: "ada" }]);
    expect(context().draft).toEqual({ ...NO_FILTERS, name: "ada" });
  });

  it("is ignored where it is invalid", () => {
    expect(placeOf("page=-3&from=2026-02-31&awaiting_reply=maybe&followup_order_sent=x&order=name")).toEqual({
      filters: NO_FILTERS,
      page: 1,
    });
    const place = placeOf("followup_order_sent=2&to=2026-03-05&username=ada&page=7");
    expect(placeOf(searchOf(place))).toEqual(place);
  });

  it("contains the other filters and the columns; the request omits the columns", async () => {
    const filters = "q=price&tag=t1&tag=t2&field.f1=10..&opted_out=false&sort=-name";
    const { go, context, requests, visited } = await startList({ search: `name=ada&${filters}&columns=name%2Ctags` });
    expect(requests).toEqual([
      {
        limit: 50,
        offset: 0,
        name: "ada",
        q: "price",
        tag: ["t1", "t2"],
        "field.f1": "10..",
        opted_out: "false",
        sort: "-name",
      },
    ]);
    expect(queryOf(context().applied)).toEqual(`name=ada&${filters}`);
    await go({ type: "more.change", more: "sort=name" });
    expect([visited, requests.at(-1)]).toEqual([
      ["name=ada&sort=name"],
      { limit: 50, offset: 0, name: "ada", sort: "name" },
    ]);
  });

  it("of a view has its days in the browser's time zone", () => {
    const query = new URLSearchParams({
      created_start: new Date(2026, 1, 28).toISOString(),
      created_end: new Date(2026, 11, 31, 23, 59, 59, 999).toISOString(),
    }).toString();
    expect(addressOf({ kind: "list", query, columns: [] })).toEqual("/leads?from=2026-02-28&to=2026-12-31");
  });

  it("with a page past the last leads to the last, without a history entry", async () => {
    const { context, visited, corrected } = await startList({ leads: leadsUpTo(60), search: "page=99" });
    expect([context().shown?.page, visited, corrected]).toEqual([2, [], ["page=2"]]);
  });
});

describe("columns", () => {
  const plain = readListOptions("");
  const own = shownColumns(plain, false);
  const roomy = shownColumns(plain, true);

  it("are added where there is room, unless the user chose others", () => {
    expect(roomy).toEqual([...own, "last_message_at", "waiting_since"]);
    expect([wideColumns(plain, true), wideColumns(plain, false)]).toEqual([["last_message_at", "waiting_since"], []]);
    const chosen = readListOptions("columns=name,waiting_since");
    expect([wideColumns(chosen, true), wideColumns(chosen, false)]).toEqual([["waiting_since"], ["waiting_since"]]);
    expect(hiddenColumns(chosen).split(" ")).toEqual(own.filter((id) => id !== "name"));
  });

  it("are in the address once they differ from the default", () => {
    const withTags = withColumn(plain, "tags", true, true);
    expect(withTags.columns).toEqual([...roomy, "tags"]);
    expect(withColumn(withTags, "tags", false, true).columns).toEqual([]);
    const without = withColumn(plain, "waiting_since", false, true);
    expect(without.columns).toEqual([...own, "last_message_at"]);
    expect(withColumn(without, "last_message_at", false, false).columns).toEqual([]);
  });
});

it("parses dates as month, day, year and shows day, long month, year", () => {
  expect(readDate(" 03/05/2026 ")).toEqual({ year: 2026, month: 3, day: 5 });
  expect(readDate("2/9/2028")).toEqual({ year: 2028, month: 2, day: 9 });
  expect(readDate("02/29/2028")).toEqual({ year: 2028, month: 2, day: 29 });
  expect(["02/29/2026", "2026-03-05", "00/10/2026", ""].map(readDate)).toEqual(Array(4).fill(null));
  expect(dateText(new Date(2026, 2, 5, 12).toISOString())).toEqual("5 March 2026");
  expect([dateText(null), dateText("soon")]).toEqual([null, null]);
});
