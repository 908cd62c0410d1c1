import { msg } from "@lingui/core/runtime-macro";
import { type SnapshotFrom, assign, or, raise, setup, stateIn } from "xstate";
import type { Forecast } from "../../../domain/forecast.ts";
import type { TelegramAccount } from "../../../domain/telegram.ts";
import { createForecastGateway } from "../../services/forecast.ts";
import { createChart } from "../kit/chart.ts";
import { type ReadingEvent, type ReadingTag, fetching } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { loadRegion, throttledRefresh, watchingEvents } from "../kit/refreshing.ts";

type ForecastService = ReturnType<typeof createForecastGateway>;

type ForecastParts = {
  /** milliseconds since 1970 */
  now: () => number;
  forecast?: ForecastService;
};

/** The leads that wait longest, and how many wait in total. */
export type PeopleWaiting = NonNullable<Awaited<ReturnType<ForecastService["fetchPeopleWaiting"]>>>;
/** A forecast, and when it was read by this machine's clock. */
export type Day = { forecast: Forecast; readAt: number };

const NEWS = ["lead.changed", "message.changed", "inbox.changed", "bulk.changed", "telegram.changed"] as const;

type ForecastContext = {
  day: Day | null;
  people: PeopleWaiting | null;
  account: TelegramAccount | null;
  /** Which calls the server does not know. */
  isUnknown: { day: boolean; people: boolean; account: boolean };
};

const news = throttledRefresh("news.changed");

/**
 * What will be sent in the next hours, which leads are waiting, and the account's health. Updates refresh it one request at a time with a
 * pause in between; without updates it refreshes when it is old. A server without a forecast is not asked again.
 */
export const createForecast = (page: Page, { now, forecast = createForecastGateway(page.http) }: ForecastParts) =>
  setup({
    types: {
      context: {} as ForecastContext,
      events: {} as ReadingEvent | { type: "news.changed" },
      tags: {} as ReadingTag,
    },
    actors: {
      fetchForecast: fetching(async (signal: AbortSignal): Promise<Day | null> => {
        const read = await forecast.fetchForecast(signal);
        return read === null ? null : { forecast: read, readAt: now() };
      }),
      fetchPeople: fetching(forecast.fetchPeopleWaiting),
      fetchAccount: fetching(forecast.fetchAccount),
      watchNews: watchingEvents(page.events, NEWS, "news.changed"),
    },
    actions: {
      storeDay: assign(({ context }, day: Day | null) => ({
        day,
        isUnknown: { ...context.isUnknown, day: day === null },
      })),
      storePeople: assign(({ context }, people: PeopleWaiting | null) => ({
        people,
        isUnknown: { ...context.isUnknown, people: people === null },
      })),
      storeAccount: assign(({ context }, account: TelegramAccount | null) => ({
        account,
        isUnknown: { ...context.isUnknown, account: account === null },
      })),
      refresh: raise({ type: "reading.refresh" }),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isUnknown: ({ context }) => Object.values(context.isUnknown).every(Boolean),
      isReading: or([
        stateIn({ day: "loading" }),
        stateIn({ day: { shown: "refreshing" } }),
        stateIn({ people: "loading" }),
        stateIn({ people: { shown: "refreshing" } }),
        stateIn({ account: "loading" }),
        stateIn({ account: { shown: "refreshing" } }),
      ]),
    },
    delays: { newsPause: 3_000, age: 600_000 },
  }).createMachine({
    id: "forecast",
    context: { day: null, people: null, account: null, isUnknown: { day: false, people: false, account: false } },
    invoke: { id: "watchNews", src: "watchNews" },
    type: "parallel",
    states: {
      day: loadRegion({ src: "fetchForecast", store: "storeDay", what: msg`the next 24 hours` }),
      people: loadRegion({ src: "fetchPeople", store: "storePeople", what: msg`the people waiting` }),
      account: loadRegion({ src: "fetchAccount", store: "storeAccount", what: msg`the account's health` }),
      news: {
        ...news,
        states: {
          ...news.states,
          quiet: {
            on: {
              "news.changed": [{ guard: "isUnknown", target: "unheard" }, ...news.states.quiet.on["news.changed"]],
            },
            after: {
              age: [
                { guard: "isUnknown", target: "unheard" },
                { target: "pausing", actions: "refresh" },
              ],
            },
          },
          /** This server has no forecast, so events are ignored. */
          unheard: {},
        },
      },
    },
  });

export const ForecastChart = createChart<typeof createForecast>("forecast");

/** The state of a part: `unknown` means that the server does not know the call. */
export function stateOfPart(
  { value, context }: SnapshotFrom<typeof createForecast>,
  part: "day" | "people" | "account",
): "loading" | "loadFailed" | "unknown" | "shown" | "outdated" {
  const at = value[part];
  if (typeof at === "string") return at;
  // A failed refresh is shown, even if there was no data before.
  const isOutdated = at.shown === "outdated";
  if (context.isUnknown[part]) return isOutdated ? "loadFailed" : "unknown";
  return isOutdated ? "outdated" : "shown";
}
