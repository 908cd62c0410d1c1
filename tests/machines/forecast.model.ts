import type { AnyMachineSnapshot } from "xstate";
import type { Forecast, ForecastItem } from "../../domain/forecast.ts";
import { type Day, type PeopleWaiting, forecastMachine } from "../../src/machines/forecast/index.ts";
import { type WalkedModel, overPending } from "../support/walk-suite.ts";
import { conversationOf } from "./inbox.model.ts";

const offline = new Error("offline");
export const DAY_START = "2026-03-05T10:00:00.000Z";

export const plannedOf = (number: number, known: Partial<ForecastItem> = {}): ForecastItem => ({
  at: new Date(Date.parse(DAY_START) + number * 600_000).toISOString(),
  kind: "followup",
  lead: { id: `l${number}`, name: `Lead ${number}` },
  step: { id: "f1", order: 0, preview: "Hi" },
  preview: `Hi Lead ${number}`,
  ...known,
});

export const forecastOf = (known: Partial<Forecast> = {}): Forecast => {
  const items = known.items ?? [plannedOf(1), plannedOf(2)];
  return {
    now: DAY_START,
    until: new Date(Date.parse(DAY_START) + 86_400_000).toISOString(),
    items,
    waiting: [{ state: "not_connected", count: 2 }],
    by_hour: [],
    total: items.length,
    ...known,
  };
};
/** Read at the moment itself: the browser's clock and the server's are one. */
export const dayOf = (known: Partial<Forecast> = {}): Day => ({
  forecast: forecastOf(known),
  readAt: Date.parse(DAY_START),
});
export const people: PeopleWaiting = { items: [conversationOf("1")], count: 1 };

type Region = "day" | "people" | "news";
const REST: Record<Region, string | Record<string, string>> = {
  day: { shown: "current" },
  people: { shown: "current" },
  news: "quiet",
};
const isOf = (type: string): Region =>
  type.includes("fetchForecast") ? "day" : type.includes("fetchPeople") ? "people" : "news";

export const forecastModel: WalkedModel = {
  events: [
    { type: "xstate.done.actor.fetchForecast", output: dayOf() },
    { type: "xstate.done.actor.fetchForecast", output: null },
    { type: "xstate.error.actor.fetchForecast", error: offline },
    { type: "xstate.done.actor.fetchPeople", output: people },
    { type: "xstate.done.actor.fetchPeople", output: null },
    { type: "xstate.error.actor.fetchPeople", error: offline },
  ],
  project: ({ value, context }) => [value, context.isUntold],
  allow: (snapshot: AnyMachineSnapshot, { type }) => {
    if (/actor\.watch/.test(type)) return false;
    const own = isOf(type);
    // News wait for either reading; the readings are walked one after the other.
    if (own === "people") return snapshot.matches({ day: REST.day });
    return (
      own === "news" || !(snapshot.matches({ people: "unread" }) || snapshot.matches({ people: { shown: "outdated" } }))
    );
  },
  delays: { newsPause: 3_000, age: 600_000 },
  provide: overPending(forecastMachine, ["fetchForecast", "fetchPeople"]),
};
