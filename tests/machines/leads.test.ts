import { describe, expect, it } from "vitest";
import { type ContextFrom, SimulatedClock, createActor, waitFor } from "xstate";
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
import { hiddenColumns, readMore, roomColumns, shownColumns, withColumn } from "../../src/machines/leads/leads.more.ts";
import { leadNumber, leadsUpTo, rowWrites, twoStages } from "../support/leads.ts";
import { type Visit, unchecked } from "../support/invariants.ts";
import { fakePage } from "../support/page.ts";
import { isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { leadsMachine, leadsModel } from "./leads.model.ts";

type Context = ContextFrom<typeof leadsMachine>;
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
const loads = ({ context, before, calls, callsBefore, cause }: Visit<Context>, call: "fetchBoard" | "fetchPage") => {
  isCalling(call, {
    ...requestOf(context.applied, context.page),
    limit: 50,
    offset: (context.page - 1) * 50,
  })({ calls });
  if (!(call in callsBefore) && cause !== "start") expect(context.readings).toBeGreaterThan(before.readings);
};
type Page = { leads: unknown[]; total: number };
const shows = ({ context, before, effects }: Visit<Context>, { leads, total }: Page) => {
  const { applied: filters, page } = context;
  expect(context).toMatchObject({ leads, total, isFull: leads.length >= 50, shown: { filters, page } });
  expect(page > 1 && leads.length === 0).toEqual(false);
  const leaves = before.touched.filter((id) => !context.touched.includes(id)).map(() => "notes.leave");
  const sent = ((effects["sendTo"] ?? []) as { type: string }[]).map(({ type }) => type);
  expect(sent).toEqual([...leaves, ...context.touched.map(() => "lead.refreshed")]);
  if (page === 1) expect(context.arrived).toEqual(0);
};
/** The last page was left behind: the one before it is read. */
const isPastEnd = ({ context, before, event, effects }: Visit<Context>) => {
  const { leads } = event.output.page ?? event.output;
  expect([leads, before.page > 1]).toEqual([[], true]);
  expect(context.page).toBeLessThan(before.page);
  expect(effects).toHaveProperty("correctAddress", { filters: context.applied, page: context.page });
};
const isStillShown =
  (isShown: boolean) =>
  ({ context: { shown, applied, page } }: Visit<Context>) =>
    expect(JSON.stringify(shown) === JSON.stringify({ filters: applied, page })).toEqual(isShown);
const notes = ({ context: { changed }, event }: Visit<Context>) =>
  expect(event.id === null ? changed.isAny : changed.ids.includes(event.id)).toEqual(true);

walkEveryPath(leadsMachine, leadsModel, {
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
        expect(event.output.reading).toEqual(context.readings);
        expect([context.arrived, context.leads[0]?.name]).toEqual([2, "Renamed"]);
        const hears = context.touched.length > 0 ? [expect.objectContaining({ type: "lead.refreshed" })] : [];
        expect(effects["sendTo"] ?? []).toEqual(hears);
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
        if (event.output.reading === context.readings) expect(context.changed).toEqual(before.changed);
        else expect(context).toMatchObject({ changed: before.asked, asked: NO_CHANGES, leads: before.leads });
      },
    },
  },
  "news.reading": {
    after: {
      "lead.changed": notes,
      "error watchLeads": null,
      "after newsPause": ({ context, before, calls, isIn }) => {
        expect(isIn("list.table.shown") || isIn("list.table.outdated")).toEqual(true);
        expect([context.asked, context.changed]).toEqual([before.changed, NO_CHANGES]);
        const { asked, readings, total } = context;
        const input = { ids: asked.ids, isAny: asked.isAny, hasStrangers: false, reading: readings, total };
        expect(calls["readNews"]).toMatchObject(input);
      },
    },
    holds: ({ calls }) => expect(calls).toHaveProperty("readNews"),
  },
  "news.failed": {
    after: {
      "error watchLeads": null,
      "error readNews": ({ context, before }) =>
        expect([context.changed, context.asked]).toEqual([before.asked, NO_CHANGES]),
    },
  },
});

type Answer = (request: LeadsRequest, signal: AbortSignal) => Promise<LeadsPage>;

type Options = { answer?: Answer; read?: (leadId: string) => Promise<Lead | null>; search?: string };

function startList(given: Answer | Options = {}) {
  const options: Options = typeof given === "function" ? { answer: given } : given;
  const answer: Answer = options.answer ?? (async () => ({ leads: leadsUpTo(50), total: 120 }));
  const page = fakePage();
  const reads: string[] = [];
  const saved: string[] = [];
  const notesDrafts = new Map<string, NotesDraft>();
  const visited: string[] = [];
  const corrected: string[] = [];
  const requests: LeadsRequest[] = [];
  const movers = new Set<() => void>();
  let search = options.search ?? "";
  const clock = new SimulatedClock();
  const logic = createLeads(page, {
    leads: {
      ...rowWrites(),
      saveNotes: async ({ notes }) => (saved.push(notes), notes),
      list: (request, signal) => {
        requests.push(request);
        return answer(request, signal);
      },
      read: async ({ leadId }) => {
        reads.push(leadId);
        return options.read ? options.read(leadId) : leadNumber(Number(leadId.slice(5)), { name: "Read anew" });
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
      read: () => search,
      write: (next) => {
        if (search !== next) visited.push(next);
        search = next;
      },
      correct: (next) => {
        search = next;
        corrected.push(next);
      },
      subscribe: (listener) => {
        movers.add(listener);
        return () => movers.delete(listener);
      },
    },
  });
  const list = createActor(logic, { clock, input: placeOf(search) }).start();
  const isReady = () => waitFor(list, (snapshot) => snapshot.matches({ list: { table: "shown" } }));
  return {
    list,
    page,
    requests,
    reads,
    saved,
    notesDrafts,
    visited,
    corrected,
    movers,
    clock,
    isReady,
    ids: () => list.getSnapshot().context.leads.map(({ id }) => id),
    nameOf: (index: number) => list.getSnapshot().context.leads[index]?.name,
    arrived: () => list.getSnapshot().context.arrived,
    shownPage: () => list.getSnapshot().context.shown?.page,
    pageCount: () => selectPageCount(list.getSnapshot()),
    row: (leadId: string) => touchRow(list, leadId),
    async apply(change: Partial<LeadFilters>) {
      list.send({ type: "filter.change", change });
      list.send({ type: "filters.apply" });
      await isReady();
    },
    async show(event: { type: "page.next" | "arrivals.show" }) {
      list.send(event);
      await isReady();
    },
    /** News of leads, each of one that is named or of nobody knows whom. */
    hear: (...news: { id?: string }[]) => news.forEach((data) => page.publish("lead.changed", data)),
    /** The same, read after the pause. */
    async read(...news: { id?: string }[]) {
      news.forEach((data) => page.publish("lead.changed", data));
      clock.increment(1_000);
      await waitFor(list, (snapshot) => snapshot.matches({ news: "quiet" }));
    },
    goTo(text: string) {
      search = text;
      movers.forEach((move) => move());
    },
  };
}

describe("the leads list", () => {
  it("first asks for 50 leads with nothing filtered and counts each stage's follow-ups", async () => {
    const { list, requests, pageCount, isReady } = startList();
    await isReady();
    expect(requests).toEqual([{ limit: 50, offset: 0 }]);
    expect(list.getSnapshot().context.board?.steps).toEqual({ "stage-1": ["Here are our prices.", "Shall we talk?"] });
    expect(pageCount()).toEqual(3);
  });

  it("covers both days of a date range to their last millisecond", async () => {
    const { requests, isReady, apply } = startList();
    await isReady();
    await apply({ from: "3/1/2026", to: "03/05/2026" });
    expect(requests.at(-1)).toEqual({
      limit: 50,
      offset: 0,
      created_start: new Date(2026, 2, 1).toISOString(),
      created_end: new Date(2026, 2, 5, 23, 59, 59, 999).toISOString(),
    });
  });

  it("shows the newest of many rapid applications and aborts all others", async () => {
    let aborted = 0;
    const answers: (() => void)[] = [];
    const { list, isReady } = startList(
      ({ name }, signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener("abort", () => {
            aborted += 1;
            reject(signal.reason);
          });
          answers.push(() => resolve({ leads: leadsUpTo(1), total: Number(name ?? 0) }));
        }),
    );
    for (let count = 1; count <= 40; count++) {
      list.send({ type: "filter.change", change: { name: String(count) } });
      list.send({ type: "filters.apply" });
    }
    answers.toReversed().forEach((answer) => answer());
    await isReady();
    expect(list.getSnapshot().context.total).toEqual(40);
    expect(aborted).toEqual(40);
  });

  const daysAgo = (days: number) => new Date(Date.parse("2026-03-05T10:00:00Z") - days * 86_400_000).toISOString();
  /** Leads by their age, the newest first, as the server lists them. */
  function people(count: number) {
    let leads = Array.from({ length: count }, (_, index) => leadNumber(index + 1, { created_at: daysAgo(index) }));
    const answer: Answer = async ({ offset, limit, created_start }) => {
      const found = leads.filter(
        ({ created_at }) => created_start === undefined || (created_at ?? "") >= created_start,
      );
      return { leads: found.slice(offset, offset + limit), total: found.length };
    };
    return {
      answer,
      read: async (leadId: string) => leads.find(({ id }) => id === leadId) ?? null,
      /** These write, one after the other. */
      arrive: (...numbers: number[]) => {
        for (const number of numbers) leads = [leadNumber(number, { created_at: daysAgo(0) }), ...leads];
      },
      leave: (number: number) => {
        leads = leads.filter(({ id }) => id !== `lead-${number}`);
      },
    };
  }

  const named = (...numbers: number[]) => numbers.map((number) => ({ id: `lead-${number}` }));

  it.each([1, 30, 55])("counts two new leads as two when lead %i leaves the list", async (left) => {
    const { answer, read: find, arrive, leave } = people(60);
    const { ids, arrived, isReady, read, show } = startList({ answer, read: find });
    await isReady();
    const rows = ids().filter((id) => id !== `lead-${left}`);
    leave(left);
    arrive(101, 102);
    await read(...named(left, 101, 102));
    expect(arrived()).toEqual(2);
    await read({});
    expect([arrived(), ids()]).toEqual([2, rows]);
    arrive(103);
    await read(...named(103));
    expect(arrived()).toEqual(3);
    await show({ type: "arrivals.show" });
    expect([arrived(), ids()[0]]).toEqual([0, "lead-103"]);
  });

  const numbersFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);
  it.each([
    { list: "more than one page holds", count: 120, newcomers: numbersFrom(201, 60), asked: { fields: "id" } },
    {
      list: "to a page other than the first",
      count: 120,
      newcomers: [301, 302],
      search: "page=2",
      asked: { limit: 1 },
    },
    { list: "to another order", count: 120, newcomers: [303, 304], search: "sort=name", asked: { limit: 1 } },
    { list: "to an empty list", count: 0, newcomers: [1], asked: {} },
  ])("counts everyone who comes $list", async ({ count, newcomers, search = "", asked }) => {
    const { answer, read: find, arrive } = people(count);
    const { requests, arrived, isReady, read } = startList({ answer, read: find, search });
    await isReady();
    arrive(...newcomers);
    await read(...named(...newcomers.slice(-3)));
    expect(arrived()).toEqual(newcomers.length);
    expect(requests.at(-1)).toMatchObject({ offset: 0, ...asked });
  });

  it("offers new leads on every page until the first is shown", async () => {
    const { answer, read: find, arrive, leave } = people(120);
    const { requests, arrived, shownPage, isReady, read, show, apply } = startList({ answer, read: find });
    await isReady();
    arrive(201);
    await read(...named(201));
    await show({ type: "page.next" });
    expect([arrived(), shownPage()]).toEqual([1, 2]);
    leave(1);
    arrive(202, 203);
    await read(...named(1, 202, 203));
    expect(arrived()).toEqual(3);
    expect(requests.at(-1)).toEqual({ limit: 50, offset: 0, created_start: daysAgo(0), fields: "id" });
    await apply({ name: "ada" });
    expect(arrived()).toEqual(0);
  });

  it("stops its request and its watches when the screen is left", async () => {
    let signal: AbortSignal | undefined;
    const { list, page, movers } = startList((_request, given) => {
      signal = given;
      return new Promise(() => {});
    });
    list.stop();
    expect([signal?.aborted, movers.size, page.isHeard()]).toEqual([true, 0, false]);
  });
});

describe("news of leads", () => {
  it("patch the rows they are about, in place, with one call each", async () => {
    const { nameOf, requests, reads, isReady, read } = startList();
    await isReady();
    await read({ id: "lead-3" }, { id: "lead-3" });
    expect([nameOf(1), nameOf(2)]).toEqual(["Lead 2", "Read anew"]);
    expect([reads, requests.length]).toEqual([["lead-3"], 1]);
  });

  it("of many leads, or of nobody knows whom, are one call of the page however many they are", async () => {
    let name = "First";
    const { list, ids, nameOf, requests, reads, isReady, read } = startList(async () => ({
      leads: leadsUpTo(50).map((lead) => ({ ...lead, name })),
      total: 120,
    }));
    await isReady();
    name = "Second";
    await read(...ids().map((id) => ({ id })));
    expect([nameOf(0), nameOf(49)]).toEqual(["Second", "Second"]);
    name = "Third";
    const { board } = list.getSnapshot().context;
    await read({});
    // The page may have been away: its stages and their follow-ups are read as well.
    expect(list.getSnapshot().context.board).not.toBe(board);
    expect([nameOf(0), reads, requests.length]).toEqual(["Third", [], 3]);
  });

  it("are read by the list's own query where the server does not know the call", async () => {
    const { nameOf, requests, isReady, read } = startList({ read: async () => null });
    await isReady();
    await read({ id: "lead-1" });
    expect(requests).toEqual([
      { limit: 50, offset: 0 },
      { limit: 50, offset: 0 },
    ]);
    expect(nameOf(0)).toEqual("Lead 1");
  });

  it("are read again after ten seconds when reading them fails, or at once when the page comes back", async () => {
    let isOnline = false;
    const { list, nameOf, reads, isReady, hear, read, clock } = startList({
      read: async (leadId) => {
        if (!isOnline) throw new Error("offline");
        return leadNumber(Number(leadId.slice(5)), { name: "Read anew" });
      },
    });
    const hasFailed = () => waitFor(list, (snapshot) => snapshot.matches({ news: "failed" }));
    await isReady();
    hear({ id: "lead-1" });
    clock.increment(1_000);
    await hasFailed();
    clock.increment(10_000);
    clock.increment(1_000);
    await hasFailed();
    isOnline = true;
    await read({ id: "lead-2" });
    expect([nameOf(0), nameOf(1)]).toEqual(["Read anew", "Read anew"]);
    expect(reads).toEqual(["lead-1", "lead-1", "lead-1", "lead-2"]);
  });

  /** A list of those who are left, whom any call finds. */
  function startLeft(all: Lead[], options: Options = {}) {
    let left = all;
    const list = startList({
      answer: async ({ offset, limit }) => ({ leads: left.slice(offset, offset + limit), total: left.length }),
      read: async (leadId) => left.find(({ id }) => id === leadId) ?? null,
      ...options,
    });
    return { ...list, leave: (next: Lead[]) => (left = next) };
  }
  const idsOf = (leads: readonly Lead[]) => leads.map(({ id }) => id);

  it("take a lead that was excluded elsewhere off the list, and the next one moves up", async () => {
    const { list, ids, leave, row, saved, isReady, read } = startLeft(leadsUpTo(60));
    await isReady();
    row("lead-3").send({ type: "notes.change", notes: "Typed" });
    const left = leave(leadsUpTo(60).filter(({ id }) => id !== "lead-3"));
    await read({ id: "lead-3" });
    const { total, slots, touched } = list.getSnapshot().context;
    expect([ids(), total]).toEqual([idsOf(left.slice(0, 50)), 59]);
    expect([new Set(slots).size, touched, saved]).toEqual([50, [], ["Typed"]]);
  });

  it.each([[{}], [{ id: "lead-2" }]])("take off leads that any number of changes excluded: %j", async (data) => {
    const { list, ids, leave, isReady, read } = startLeft(leadsUpTo(60));
    await isReady();
    const left = leave(leadsUpTo(60).slice(20));
    await read(data, {});
    expect([ids(), list.getSnapshot().context.total]).toEqual([idsOf(left), 40]);
    // The page was full when it was read: another one may follow.
    expect(list.getSnapshot().can({ type: "page.next" })).toEqual(false);
  });

  it.each([
    {
      what: "lead to the last page when every lead of a later page was excluded",
      isThere: false,
      page: 1,
      moves: [""],
    },
    { what: "never count fewer pages than the one shown", isThere: true, page: 2, moves: [] },
  ])("$what", async ({ isThere, page, moves }) => {
    const { leave, corrected, shownPage, pageCount, isReady, read } = startLeft(leadsUpTo(51), {
      search: "page=2",
      read: async () => (isThere ? leadNumber(51) : null),
    });
    await isReady();
    leave(leadsUpTo(50));
    await read({ id: "lead-51" }, {});
    await isReady();
    expect([shownPage(), pageCount(), corrected]).toEqual([page, page, moves]);
  });

  it("leave leads where they are that only moved to another page", async () => {
    const { list, ids, leave, isReady, read } = startLeft(leadsUpTo(120));
    await isReady();
    const newcomers = Array.from({ length: 30 }, (_, index) => leadNumber(200 + index));
    leave([...newcomers, ...leadsUpTo(120).map((lead) => ({ ...lead, name: "Renamed" }))]);
    await read({});
    expect(ids()).toEqual(idsOf(leadsUpTo(50)));
    expect(list.getSnapshot().context.leads.every(({ name }) => name === "Renamed")).toEqual(true);
  });
});

describe("rows", () => {
  const pages: Answer = async ({ offset }) => ({
    leads: leadsUpTo(100).slice(offset, offset + 50),
    total: 100,
  });

  it("hand their places on to the next page, but one that was touched", async () => {
    const { list, isReady, row, show } = startList(pages);
    await isReady();
    const before = list.getSnapshot().context.slots;
    row("lead-2");
    await show({ type: "page.next" });
    const after = list.getSnapshot().context.slots;
    expect(new Set(after).size).toEqual(50);
    expect(after.filter((slot) => !before.includes(slot))).toEqual([50]);
    expect(after).not.toContain(before[1]);
  });

  it("that leave the page save the note under the cursor", async () => {
    const { list, isReady, row, saved, notesDrafts, show } = startList(pages);
    await isReady();
    row("lead-2").send({ type: "notes.change", notes: "Typed and gone" });
    expect(notesDrafts.get("lead-2")).toMatchObject({ notes: "Typed and gone" });
    await show({ type: "page.next" });
    await Promise.resolve();
    expect([saved, notesDrafts.size]).toEqual([["Typed and gone"], 0]);
    expect(list.getSnapshot().context.touched).toEqual([]);
  });

  it("whose note never arrived come back with it", async () => {
    const { list, isReady, notesDrafts, show } = startList(pages);
    notesDrafts.set("lead-60", { notes: "Never arrived", over: "" });
    await isReady();
    await show({ type: "page.next" });
    const row = selectRows(list.getSnapshot())[rowId("lead-60")];
    expect(row?.getSnapshot().value).toMatchObject({ notes: "unsaved" });
    expect(row?.getSnapshot().context.notes).toEqual("Never arrived");
  });
});

describe("the address", () => {
  it("holds what is applied and the page, not what is being typed", async () => {
    const { list, visited, isReady, show } = startList();
    await isReady();
    list.send({ type: "filter.change", change: { name: "ada & co", from: "3/1/2026", awaitingReply: "no" } });
    expect(visited).toEqual([]);
    list.send({ type: "filters.apply" });
    await isReady();
    await show({ type: "page.next" });
    const applied = "name=ada+%26+co&from=2026-03-01&awaiting_reply=false";
    expect(visited).toEqual([applied, `${applied}&page=2`]);
  });

  it("opens the list where it says, and Back leads to where it was", async () => {
    const { list, requests, isReady, goTo } = startList({ search: "stage_id=stage-2&page=2" });
    await isReady();
    expect(requests).toEqual([{ limit: 50, offset: 50, stage_id: "stage-2" }]);
    goTo("name=ada");
    await isReady();
    expect(requests.at(-1)).toEqual({ limit: 50, offset: 0, name: "ada" });
    expect(list.getSnapshot().context.draft).toEqual({ ...NO_FILTERS, name: "ada" });
    goTo("name=ada");
    expect(requests).toHaveLength(2);
  });

  it("that cannot be read counts for nothing", () => {
    expect(placeOf("page=-3&from=2026-02-31&awaiting_reply=maybe&followup_order_sent=x&order=name")).toEqual({
      filters: NO_FILTERS,
      page: 1,
    });
    const place = placeOf("followup_order_sent=2&to=2026-03-05&username=ada&page=7");
    expect(placeOf(searchOf(place))).toEqual(place);
  });

  it("holds what goes beyond the table's head, and everything but the columns is asked for", async () => {
    const more = "q=price&tag=t1&tag=t2&field.f1=10..&opted_out=false&sort=-name&columns=name%2Ctags";
    const { requests, visited, list, isReady } = startList({ search: `name=ada&${more}` });
    await isReady();
    const asked = {
      limit: 50,
      offset: 0,
      name: "ada",
      q: "price",
      tag: ["t1", "t2"],
      "field.f1": "10..",
      opted_out: "false",
      sort: "-name",
    };
    expect(requests).toEqual([asked]);
    expect(queryOf(list.getSnapshot().context.applied)).toEqual(
      "name=ada&q=price&tag=t1&tag=t2&field.f1=10..&opted_out=false&sort=-name",
    );
    list.send({ type: "more.change", more: "sort=name" });
    await isReady();
    expect([visited, requests.at(-1)]).toEqual([
      ["name=ada&sort=name"],
      { limit: 50, offset: 0, name: "ada", sort: "name" },
    ]);
  });

  it("of a page past the last one leads to the last, and Back does not lead to it again", async () => {
    const { shownPage, visited, corrected, isReady } = startList({
      answer: async ({ offset }) => ({ leads: leadsUpTo(60).slice(offset, offset + 50), total: 60 }),
      search: "page=99",
    });
    await isReady();
    expect([shownPage(), visited, corrected]).toEqual([2, [], ["page=2"]]);
  });
});

describe("columns", () => {
  const plain = readMore("");
  const own = shownColumns(plain, false);
  const roomy = shownColumns(plain, true);

  it("beside the list's own are shown where there is room, unless others were chosen", () => {
    expect(roomy).toEqual([...own, "last_message_at", "waiting_since"]);
    expect([roomColumns(plain, true), roomColumns(plain, false)]).toEqual([["last_message_at", "waiting_since"], []]);
    const chosen = readMore("columns=name,waiting_since");
    expect([roomColumns(chosen, true), roomColumns(chosen, false)]).toEqual([["waiting_since"], ["waiting_since"]]);
    expect(hiddenColumns(chosen).split(" ")).toEqual(own.filter((id) => id !== "name"));
  });

  it("are named in the address once they differ from what the list shows by itself", () => {
    const withTags = withColumn(plain, "tags", true, true);
    expect(withTags.columns).toEqual([...roomy, "tags"]);
    expect(withColumn(withTags, "tags", false, true).columns).toEqual([]);
    const without = withColumn(plain, "waiting_since", false, true);
    expect(without.columns).toEqual([...own, "last_message_at"]);
    expect(withColumn(without, "last_message_at", false, false).columns).toEqual([]);
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
