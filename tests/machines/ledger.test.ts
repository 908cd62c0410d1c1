import { describe, expect, it, vi } from "vitest";
import { SimulatedClock } from "xstate";
import type { LedgerPage } from "../../domain/ledger.ts";
import { NO_FILTERS, filtersOf, rangeOf, searchOf } from "../../src/machines/ledger/ledger.address.ts";
import type { createLedgerGateway } from "../../src/services/ledger.ts";
import { freshCount } from "../../src/machines/ledger/ledger.list.ts";
import { createLedger } from "../../src/machines/ledger/ledger.machine.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import {
  type VisitOf,
  isCalling,
  newsInvariants,
  olderInvariants,
  readingInvariants,
  walkEveryPath,
} from "../support/invariants.ts";
import { ledgerModel, sendOf } from "./ledger.model.ts";

type Visited = VisitOf<typeof ledgerModel>;
const FILTERS = ["filters.change", "filters.clear", "address.changed"];
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

/** Shown items do not move: new ones are held until the user asks for them, and deleted ones disappear. */
function holdsNew({ context, before, event }: Visited): void {
  const read = idsOf(event.output.items);
  const known = idsOf(before.items);
  const remaining = known.filter((id) => id !== "2" || read.includes(id));
  expect(idsOf(context.items)).toEqual(known.length === 0 ? read : remaining);
  const fresh = known.length === 0 ? [] : read.filter((id) => !known.includes(id));
  expect(context.held && idsOf(context.held.items)).toEqual(fresh.length === 0 ? null : [...fresh, ...remaining]);
}

walkEveryPath(ledgerModel, {
  ...readingInvariants("list.", "fetchLedger", holdsNew, {
    starts: FILTERS,
    keeps: ["fresh.show"],
    input: { filters: expect.anything(), count: 50 },
  }),
  list: {
    accepts: ({ filters: { kind, state }, held }) => [
      ...(kind === "bulk" ? [] : ["filters.change"]),
      ...(state === "failed" && kind === "" ? [] : ["address.changed"]),
      ...(kind === "" && state === "" ? [] : ["filters.clear"]),
      ...(held === null ? [] : ["fresh.show"]),
    ],
    holds: ({ cause, event, context, before, effects, calls }) => {
      if (cause === "fresh.show") expect(context).toEqual({ ...before, ...before.held, held: null });
      if (!FILTERS.includes(cause)) return;
      const filters = cause === "filters.clear" ? NO_FILTERS : { ...before.filters, ...event.filters };
      if (JSON.stringify(filters) === JSON.stringify(before.filters)) return;
      expect(context).toEqual({ items: [], next: null, held: null, filters });
      expect(effects).toEqual(cause === "address.changed" ? {} : { writeAddress: filters });
      isCalling("fetchLedger", { filters, count: 50 })({ calls });
    },
  },
  ...olderInvariants("older.", {
    canLoad: ({ next }, isIn) => next !== null && isIn("list.shown.current"),
    loaded: ({ context, before }) =>
      expect([idsOf(context.items), context.next]).toEqual([[...idsOf(before.items), "0"], null]),
    input: { filters: expect.anything(), before: "1" },
    cancels: FILTERS,
  }),
  ...newsInvariants("news.changed", ["fetchLedger", "fetchOlder"]),
});

type Service = ReturnType<typeof createLedgerGateway>;
type LedgerRequest = Parameters<Service["listSends"]>[0];

/** Returns messages numbered from `newest` down to 1, in pages as a server sends them. */
const numbered =
  (newest: () => number) =>
  async ({ before, limit }: LedgerRequest): Promise<LedgerPage> => {
    const from = before === null ? newest() : Number(before) - 1;
    const to = Math.max(1, from - limit + 1);
    const items = Array.from({ length: Math.max(0, from - to + 1) }, (_, index) => sendOf(from - index));
    return { items, next: to > 1 ? String(to) : null };
  };

async function startLedger(answer: (request: LedgerRequest) => Promise<LedgerPage>) {
  const requests: LedgerRequest[] = [];
  const page = fakePage();
  const clock = new SimulatedClock();
  const place = { search: "", move: () => {} };
  const logic = createLedger(page, {
    address: {
      read: () => place.search,
      write: (search) => void (place.search = search),
      subscribe: (listener) => ((place.move = listener), () => {}),
    },
    ledger: { listSends: (request) => (requests.push(request), answer(request)) },
  });
  const journey = await openJourney(logic, { input: NO_FILTERS, clock });
  return {
    ...journey,
    requests,
    place,
    hasListeners: page.hasListeners,
    publish(type = "ledger.changed") {
      clock.increment(2_000);
      page.publish(type);
      return settle();
    },
    ids: () => idsOf(journey.context().items),
    fresh: () => freshCount(journey.context()),
  };
}

/** Returns the ids from `newest` down to `oldest`. */
const downFrom = (newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => String(newest - index));

describe("the list of messages", () => {
  it("grows page by page, and refreshes its whole length", async () => {
    const { go, publish, requests, context, ids, fresh } = await startLedger(numbered(() => 300));
    for (let pages = 0; pages < 4; pages += 1) await go({ type: "older.load" });
    expect(ids()).toEqual(downFrom(300, 51));
    requests.length = 0;
    await publish();
    expect(requests.map(({ before, limit }) => `${limit} before ${before}`)).toEqual([
      "200 before null",
      "50 before 101",
    ]);
    expect([ids().length, context().next, fresh()]).toEqual([250, "51", 0]);
  });

  it("holds new messages until the user asks for them, and skips none", async () => {
    let newest = 60;
    const { go, publish, ids, fresh } = await startLedger(numbered(() => newest));
    newest = 63;
    await publish();
    expect([ids(), fresh()]).toEqual([downFrom(60, 11), 3]);
    await go({ type: "fresh.show" });
    expect([ids(), fresh()]).toEqual([downFrom(63, 11), 0]);
    await go({ type: "older.load" });
    expect(ids()).toEqual(downFrom(63, 1));
  });

  it("restarts on demand when more arrived than fit on a page", async () => {
    let newest = 60;
    const { go, publish, context, ids, fresh } = await startLedger(numbered(() => newest));
    newest = 200;
    await publish();
    await go({ type: "older.load" });
    expect([ids(), fresh()]).toEqual([downFrom(60, 1), 50]);
    await go({ type: "fresh.show" });
    expect([ids(), context().next]).toEqual([downFrom(200, 151), "151"]);
  });

  it("updates messages in place, and drops one that no longer matches", async () => {
    let items = [sendOf(3, { state: "pending" }), sendOf(2)];
    const { publish, context, ids, fresh } = await startLedger(async () => ({ items, next: null }));
    items = [sendOf(3, { state: "sending" }), sendOf(1)];
    await publish();
    expect([ids(), fresh(), context().items[0]?.state]).toEqual([["3", "1"], 0, "sending"]);
    items = [];
    await publish();
    expect([ids(), fresh()]).toEqual([[], 0]);
  });

  it("stops paging when a page contains nothing new", async () => {
    const { requests, ids } = await startLedger(async () => ({ items: [sendOf(9), sendOf(8)], next: "8" }));
    expect([ids(), requests.length]).toEqual([["9", "8"], 2]);
  });

  it("refreshes on each kind of event, and unsubscribes when the user leaves", async () => {
    const { publish, requests, chart, hasListeners } = await startLedger(numbered(() => 3));
    const types = ["ledger.changed", "message.changed", "lead.changed", "bulk.changed", "telegram.changed"];
    for (const type of types) await publish(type);
    expect(requests).toHaveLength(1 + types.length);
    chart.stop();
    expect(hasListeners()).toEqual(false);
  });

  it("keeps its filters in the address, and follows Back", async () => {
    const { go, requests, place, context } = await startLedger(numbered(() => 3));
    await go({ type: "filters.change", filters: { kind: "bulk", from: "2026-03-05" } });
    expect(place.search).toEqual("kind=bulk&from=2026-03-05");
    const { from } = rangeOf({ from: "2026-03-05", to: "" });
    expect(requests.at(-1)).toEqual({ ...NO_FILTERS, kind: "bulk", from, to: null, before: null, limit: 50 });
    place.search = "";
    place.move();
    place.move();
    await settle();
    expect([requests.length, context().filters]).toEqual([3, NO_FILTERS]);
  });
});

describe("the address of the messages", () => {
  it.each([
    ["", NO_FILTERS],
    ["lead_id=l1&kind=bulk", { ...NO_FILTERS, leadId: "l1", kind: "bulk" }],
    [
      "state=would_send&from=2026-03-05&to=2026-03-06",
      { ...NO_FILTERS, state: "would_send", from: "2026-03-05", to: "2026-03-06" },
    ],
  ] as const)("'%s' restores the list", (search, filters) => {
    expect(filtersOf(search)).toEqual(filters);
    expect(searchOf(filters)).toEqual(search);
  });

  it("is ignored where it is invalid", () =>
    expect(filtersOf("kind=constructor&state=x&from=2026-02-30&to=yesterday")).toEqual(NO_FILTERS));

  it("means whole days in the user's time zone", () => {
    vi.stubEnv("TZ", "America/New_York");
    // The clocks went forward on this day.
    expect(rangeOf({ from: "2026-03-08", to: "2026-03-08" })).toEqual({
      from: "2026-03-08T05:00:00.000Z",
      to: "2026-03-09T03:59:59.999Z",
    });
    vi.unstubAllEnvs();
    expect(rangeOf(NO_FILTERS)).toEqual({ from: null, to: null });
  });
});
