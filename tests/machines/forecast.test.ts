import { describe, expect, it } from "vitest";
import { type ContextFrom, SimulatedClock, createActor, waitFor } from "xstate";
import {
  type ForecastGateway,
  createForecast,
  forecastMachine,
  selectDay,
  selectDayState,
  selectPeopleState,
} from "../../src/machines/forecast/index.ts";
import type { Visit } from "../support/invariants.ts";
import { newsInvariants, readingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { forecastModel, forecastOf, people } from "./forecast.model.ts";
import { account } from "./telegram-account.model.ts";

type Context = ContextFrom<typeof forecastMachine>;
const READS = ["fetchForecast", "fetchPeople", "fetchAccount"];
const stores =
  (what: "day" | "people" | "account") =>
  ({ context, before, event }: Visit<Context>) =>
    expect(context).toEqual({
      ...before,
      [what]: event.output,
      isUntold: { ...before.isUntold, [what]: event.output === null },
    });
const isUntold = ({ context }: Visit<Context>) => Object.values(context.isUntold).every(Boolean);
const readsAll = ({ calls }: Visit<Context>) => expect(Object.keys(calls)).toEqual(expect.arrayContaining(READS));
const startsReading = (visit: Visit<Context>) => {
  expect(READS.filter((read) => read in visit.callsBefore)).toEqual([]);
  readsAll(visit);
};

walkEveryPath(forecastMachine, forecastModel, {
  ...readingInvariants("day.", "fetchForecast", null),
  ...readingInvariants("people.", "fetchPeople", null),
  ...readingInvariants("account.", "fetchAccount", null),
  "day.shown.current": { after: { "done fetchForecast": stores("day") }, accepts: ["reading.refresh"] },
  "people.shown.current": { after: { "done fetchPeople": stores("people") }, accepts: ["reading.refresh"] },
  "account.shown.current": { after: { "done fetchAccount": stores("account") }, accepts: ["reading.refresh"] },
  ...newsInvariants("news.changed", READS),
  "news.pausing": {
    accepts: ["news.changed"],
    after: {
      "news.changed": (visit) => {
        startsReading(visit);
        expect(isUntold(visit)).toEqual(false);
      },
      "after newsPause": startsReading,
      "after age": (visit) => {
        readsAll(visit);
        expect(isUntold(visit)).toEqual(false);
      },
    },
  },
  "news.unheard": {
    after: {
      "news.changed": (visit) => expect(isUntold(visit)).toEqual(true),
      "after age": (visit) => expect(isUntold(visit)).toEqual(true),
    },
  },
});

function startForecast(known: Partial<ForecastGateway> = {}) {
  const seen = { reads: 0, warnings: [] as string[] };
  const listeners = new Set<() => void>();
  const clock = new SimulatedClock();
  const gateway: ForecastGateway = {
    fetchForecast: async () => forecastOf(),
    fetchPeopleWaiting: async () => people,
    fetchAccount: async () => account,
    ...known,
  };
  const logic = createForecast({
    forecast: {
      fetchForecast(signal) {
        seen.reads += 1;
        return gateway.fetchForecast(signal);
      },
      fetchPeopleWaiting: (signal) => gateway.fetchPeopleWaiting(signal),
      fetchAccount: (signal) => gateway.fetchAccount(signal),
    },
    events: {
      subscribe(_type, listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    now: () => 1_000,
    logger: { warn: (what) => void seen.warnings.push(what) },
  });
  const forecast = createActor(logic, { clock }).start();
  const isRead = () => waitFor(forecast, (now) => !now.hasTag("loading") && !now.hasTag("refreshing"));
  return { forecast, seen, gateway, clock, listeners, isRead, tell: () => listeners.values().next().value?.() };
}

describe("the forecast", () => {
  it("is read again for news, once for all that come together, and once in a while without any", async () => {
    const { forecast, seen, clock, isRead, tell } = startForecast();
    await isRead();
    expect(selectDay(forecast.getSnapshot())).toEqual({ forecast: forecastOf(), readAt: 1_000 });
    for (let times = 0; times < 30; times += 1) tell();
    await isRead();
    expect(seen.reads).toEqual(2);
    clock.increment(3_000);
    await isRead();
    expect(seen.reads).toEqual(3);
    clock.increment(3_000);
    clock.increment(599_999);
    await isRead();
    expect(seen.reads).toEqual(3);
    clock.increment(1);
    await isRead();
    expect(seen.reads).toEqual(4);
  });

  it("that cannot be read leaves the people waiting alone, and keeps what it told before", async () => {
    const { forecast, seen, gateway, isRead, tell } = startForecast();
    await isRead();
    gateway.fetchForecast = () => Promise.reject(new Error("503"));
    tell();
    await isRead();
    const states = () => [selectDayState(forecast.getSnapshot()), selectPeopleState(forecast.getSnapshot())];
    expect([states(), seen.warnings]).toEqual([["outdated", "shown"], ["the next 24 hours could not be read"]]);
    expect(selectDay(forecast.getSnapshot())?.forecast).toEqual(forecastOf());
    gateway.fetchForecast = async () => forecastOf({ items: [] });
    forecast.send({ type: "reading.retry" });
    await isRead();
    expect(states()).toEqual(["shown", "shown"]);
  });

  it("stops listening when its screen is left", async () => {
    const { forecast, listeners } = startForecast();
    forecast.stop();
    expect(listeners.size).toEqual(0);
  });
});
