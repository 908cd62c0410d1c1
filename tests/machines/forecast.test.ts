import { describe, expect, it } from "vitest";
import { SimulatedClock, createActor, waitFor } from "xstate";
import {
  type ForecastGateway,
  createForecast,
  forecastMachine,
  selectDay,
  selectDayState,
  selectPeopleState,
} from "../../src/machines/forecast/index.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { forecastModel, forecastOf, people } from "./forecast.model.ts";
import { account } from "./telegram-account.model.ts";

walkEveryPath(forecastMachine, forecastModel);

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

  it("does not start a reading over that is under way", async () => {
    let answer = () => {};
    const { seen, clock, isRead, tell } = startForecast({
      fetchForecast: () => new Promise((resolve) => (answer = () => resolve(forecastOf()))),
    });
    tell();
    clock.increment(3_000);
    clock.increment(3_000);
    expect(seen.reads).toEqual(1);
    answer();
    await isRead();
    clock.increment(3_000);
    expect(seen.reads).toEqual(2);
  });

  it("asks a server that tells nothing of it no more", async () => {
    const { forecast, seen, clock, isRead, tell } = startForecast({
      fetchForecast: async () => null,
      fetchPeopleWaiting: async () => null,
      fetchAccount: async () => null,
    });
    await isRead();
    tell();
    clock.increment(1_000_000);
    await isRead();
    const now = forecast.getSnapshot();
    expect([seen.reads, selectDayState(now), selectPeopleState(now)]).toEqual([1, "untold", "untold"]);
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
