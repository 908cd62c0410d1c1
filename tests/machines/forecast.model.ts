import type { AnyMachineSnapshot } from "xstate";
import type { Forecast, ForecastItem } from "../../domain/forecast.ts";
import { type Day, type PeopleWaiting, createForecast } from "../../src/machines/forecast/forecast.machine.ts";
import { done, failed, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";
import { account } from "./telegram-account.model.ts";
import { conversationOf } from "./inbox.model.ts";

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
/** A forecast loaded at its own time: browser and server clocks agree. */
export const dayOf = (known: Partial<Forecast> = {}): Day => ({
  forecast: forecastOf(known),
  readAt: Date.parse(DAY_START),
});
export const people: PeopleWaiting = { items: [conversationOf("1")], count: 1 };

const CALLS = { fetchForecast: "day", fetchPeople: "people", fetchAccount: "account" } as const;
const rests = (snapshot: AnyMachineSnapshot, region: string) => snapshot.matches({ [region]: { shown: "current" } });

export const forecastModel = modelOf(createForecast(fakePage(), { now: () => 0 }), {
  events: Object.entries({ fetchForecast: dayOf(), fetchPeople: people, fetchAccount: account }).flatMap(
    ([call, output]) => [...done(call, output, null), ...failed(call)],
  ),
  allow: (snapshot: AnyMachineSnapshot, { type }) => {
    const own = /actor\.(\w+)/.exec(type)?.[1] as keyof typeof CALLS | undefined;
    const { day, people: waiting, account: health } = snapshot.context.isUnknown;
    // The calls are walked one after the other. When one fails, the later ones fail too.
    if (own === undefined) return true;
    const before = Object.values(CALLS).slice(0, Object.keys(CALLS).indexOf(own));
    return before.every((region) => rests(snapshot, region)) && !(!day && waiting) && !(!waiting && health);
  },
  delays: { newsPause: 3_000, age: 600_000 },
});
