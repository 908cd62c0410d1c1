import { describe, expect, it, vi } from "vitest";
import { type ContextFrom, SimulatedClock, createActor, waitFor } from "xstate";
import type { LedgerPage } from "../../domain/ledger.ts";
import {
  type LedgerDeps,
  type LedgerFilters,
  NO_FILTERS,
  createLedger,
  filtersOf,
  ledgerMachine,
  rangeOf,
  searchOf,
  selectFreshCount,
} from "../../src/machines/ledger/index.ts";
import { isCalling, newsInvariants, olderInvariants, readingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { ledgerModel, sendOf } from "./ledger.model.ts";

type Context = ContextFrom<typeof ledgerMachine>;
const FILTERS = ["filters.change", "filters.clear", "address.changed"];
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);
const canLoad = ({ next }: Context, isIn: (state: string) => boolean) => next !== null && isIn("list.shown.current");

walkEveryPath(ledgerMachine, ledgerModel, {
  ...readingInvariants<Context>("list.", "fetchLedger", null, {
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
  "list.shown.current": {
    accepts: ["reading.refresh"],
    after: {
      "fresh.show": null,
      "done fetchLedger": ({ context, before, event }) => {
        const read = idsOf(event.output.items);
        const known = idsOf(before.items);
        // What is shown does not move: new items are held until the user asks for them, and what is gone leaves.
        const kept = known.filter((id) => id !== "2" || read.includes(id));
        expect(idsOf(context.items)).toEqual(known.length === 0 ? read : kept);
        const fresh = known.length === 0 ? [] : read.filter((id) => !known.includes(id));
        expect(context.held && idsOf(context.held.items)).toEqual(fresh.length === 0 ? null : [...fresh, ...kept]);
      },
    },
  },
  ...olderInvariants<Context>("older.", {
    canLoad,
    loaded: () => {},
    input: { filters: expect.anything(), before: "1" },
  }),
  "older.resting": {
    after: {
      start: null,
      ...Object.fromEntries(FILTERS.map((cause) => [cause, null])),
      "done fetchOlder": ({ context, before }) =>
        expect([idsOf(context.items), context.next]).toEqual([[...idsOf(before.items), "0"], null]),
    },
    accepts: (context, isIn) => (canLoad(context, isIn) ? ["older.load"] : []),
  },
  ...newsInvariants("news.changed", ["fetchLedger", "fetchOlder"]),
});

type Asked = LedgerFilters & { before: string | null; limit: number };

/** Messages numbered from `newest` down to 1, as a server pages them. */
const numbered =
  (newest: () => number) =>
  async ({ before, limit }: Asked): Promise<LedgerPage> => {
    const from = before === null ? newest() : Number(before) - 1;
    const to = Math.max(1, from - limit + 1);
    const items = Array.from({ length: Math.max(0, from - to + 1) }, (_, index) => sendOf(from - index));
    return { items, next: to > 1 ? String(to) : null };
  };

function startLedger(answer: (asked: Asked) => Promise<LedgerPage>, input: LedgerFilters = NO_FILTERS) {
  const asked: Asked[] = [];
  const listeners = new Set<() => void>();
  const byType = new Map<string, () => void>();
  const moves = new Set<() => void>();
  let place = input;
  const clock = new SimulatedClock();
  const join = (set: Set<() => void>) => (listener: () => void) => {
    set.add(listener);
    return () => set.delete(listener);
  };
  const deps: LedgerDeps = {
    ledger: {
      listSends: (request) => {
        asked.push(request);
        return answer(request);
      },
    },
    events: {
      subscribe: (type, listener) => {
        byType.set(type, listener);
        return join(listeners)(listener);
      },
    },
    address: {
      read: () => place,
      write: (next) => {
        place = next;
      },
      subscribe: join(moves),
    },
    logger: { warn: () => {} },
  };
  const ledger = createActor(createLedger(deps), { input, clock }).start();
  return {
    ledger,
    asked,
    clock,
    listeners,
    tell: (type = "ledger.changed") => byType.get(type)?.(),
    place: () => place,
    goTo(next: LedgerFilters) {
      place = next;
      moves.forEach((move) => move());
    },
    rest: () => waitFor(ledger, (now) => now.matches({ list: { shown: "current" }, older: "resting" })),
    ids: () => ledger.getSnapshot().context.items.map(({ id }) => id),
    fresh: () => selectFreshCount(ledger.getSnapshot()),
  };
}

describe("the list of messages", () => {
  it("grows page by page, and is brought up to date at its whole length", async () => {
    const page = startLedger(numbered(() => 300));
    await page.rest();
    for (let pages = 0; pages < 4; pages += 1) {
      page.ledger.send({ type: "older.load" });
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      await page.rest();
    }
    expect(page.ids()).toEqual(Array.from({ length: 250 }, (_, index) => String(300 - index)));
    page.asked.length = 0;
    page.tell();
    await page.rest();
    expect(page.asked.map(({ before, limit }) => [before, limit])).toEqual([
      [null, 200],
      ["101", 50],
    ]);
    expect([page.ids().length, page.ledger.getSnapshot().context.next, page.fresh()]).toEqual([250, "51", 0]);
  });

  it("holds new messages back until they are asked for, and leaves none out behind them", async () => {
    let newest = 60;
    const page = startLedger(numbered(() => newest));
    await page.rest();
    const before = page.ids();
    newest = 63;
    page.tell();
    await page.rest();
    expect([page.ids(), page.fresh()]).toEqual([before, 3]);
    page.ledger.send({ type: "fresh.show" });
    expect([page.ids(), page.fresh()]).toEqual([["63", "62", "61", ...before], 0]);
    page.ledger.send({ type: "older.load" });
    await page.rest();
    expect(page.ids()).toEqual(Array.from({ length: 63 }, (_, index) => String(63 - index)));
  });

  it("begins anew where more came than it shows, once that is asked for", async () => {
    let newest = 60;
    const page = startLedger(numbered(() => newest));
    await page.rest();
    newest = 200;
    page.tell();
    await page.rest();
    expect([page.ids()[0], page.fresh()]).toEqual(["60", 50]);
    page.ledger.send({ type: "older.load" });
    await page.rest();
    expect([page.ids().length, page.fresh()]).toEqual([60, 50]);
    page.ledger.send({ type: "fresh.show" });
    expect([page.ids()[0], page.ids().at(-1), page.ledger.getSnapshot().context.next]).toEqual(["200", "151", "151"]);
  });

  it("shows what became of a message where it stands, and drops one that the filter no longer holds", async () => {
    let items = [sendOf(3, { state: "pending" }), sendOf(2, { state: "pending" }), sendOf(1, { state: "pending" })];
    const page = startLedger(async () => ({ items, next: null }));
    await page.rest();
    items = [sendOf(3, { state: "sending" }), sendOf(1, { state: "pending" })];
    page.tell();
    await page.rest();
    expect(page.ledger.getSnapshot().context.items.map(({ id, state }) => [id, state])).toEqual([
      ["3", "sending"],
      ["1", "pending"],
    ]);
    items = [];
    page.clock.increment(2_000);
    page.tell();
    await page.rest();
    expect([page.ids(), page.fresh()]).toEqual([[], 0]);
  });

  it("takes an older message that only now matches for no new one at the end", async () => {
    let items = [sendOf(9), sendOf(8)];
    let next: string | null = "8";
    const page = startLedger(async () => ({ items, next }));
    await page.rest();
    expect(page.asked).toHaveLength(2);
    items = [sendOf(9), sendOf(5)];
    next = null;
    page.tell();
    await page.rest();
    expect([page.ids(), page.fresh()]).toEqual([["9", "5"], 0]);
  });

  it("reads at most once in two seconds, however much happens, and not while older ones are on their way", async () => {
    const answers: (() => void)[] = [];
    let isSlow = false;
    const page = startLedger(async (request) => {
      if (isSlow) await new Promise<void>((resolve) => answers.push(resolve));
      return numbered(() => 300)(request);
    });
    await page.rest();
    isSlow = true;
    page.ledger.send({ type: "older.load" });
    for (let times = 0; times < 30; times += 1) page.tell();
    page.clock.increment(2_000);
    expect(page.asked).toHaveLength(2);
    isSlow = false;
    answers[0]?.();
    await page.rest();
    page.clock.increment(2_000);
    await page.rest();
    expect([page.asked.length, page.ids().length]).toEqual([3, 100]);
  });

  it.each(["ledger.changed", "lead.changed", "bulk.changed", "telegram.changed"])(
    "is read anew when the server tells of it by %s",
    async (type) => {
      const page = startLedger(numbered(() => 3));
      await page.rest();
      page.tell(type);
      await page.rest();
      expect(page.asked).toHaveLength(2);
    },
  );

  it("keeps its filters in the address, follows it back, and shows nothing of the filter before", async () => {
    const page = startLedger(numbered(() => 3));
    await page.rest();
    page.ledger.send({ type: "filters.change", filters: { kind: "bulk", from: "2026-03-05" } });
    expect([page.ids(), page.place()]).toEqual([[], { ...NO_FILTERS, kind: "bulk", from: "2026-03-05" }]);
    await page.rest();
    expect(page.asked.at(-1)).toEqual({ ...page.place(), before: null, limit: 50 });
    page.goTo(NO_FILTERS);
    await page.rest();
    expect([page.asked.at(-1)?.kind, page.ledger.getSnapshot().can({ type: "filters.clear" })]).toEqual(["", false]);
    page.goTo(NO_FILTERS);
    expect(page.asked).toHaveLength(3);
  });

  it("stops listening when its screen is left", async () => {
    const page = startLedger(numbered(() => 1));
    await page.rest();
    page.ledger.stop();
    expect(page.listeners.size).toEqual(0);
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
  ] as const)("'%s' brings the list back", (search, filters) => {
    expect(filtersOf(search)).toEqual(filters);
    expect(searchOf(filters)).toEqual(search);
  });

  it("leaves out what cannot be read", () =>
    expect(filtersOf("kind=constructor&state=x&from=2026-02-30&to=yesterday")).toEqual(NO_FILTERS));

  it("means whole days where the person is", () => {
    vi.stubEnv("TZ", "America/New_York");
    // The clocks went forward on that day.
    expect(rangeOf({ from: "2026-03-08", to: "2026-03-08" })).toEqual({
      from: "2026-03-08T05:00:00.000Z",
      to: "2026-03-09T03:59:59.999Z",
    });
    vi.unstubAllEnvs();
    expect(rangeOf(NO_FILTERS)).toEqual({ from: null, to: null });
  });
});
