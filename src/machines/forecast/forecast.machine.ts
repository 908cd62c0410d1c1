import { type SnapshotFrom, assign, or, raise, setup, stateIn } from "xstate";
import type { TelegramAccount } from "../../../domain/telegram.ts";
import { gatheringNews } from "../kit/news.ts";
import { type ReadingEvent, reading } from "../kit/reading.ts";
import { unreported } from "../kit/reporting.ts";
import { type Day, type PeopleWaiting, placeholderActors } from "./forecast.actors.ts";

type ForecastContext = {
  day: Day | null;
  people: PeopleWaiting | null;
  account: TelegramAccount | null;
  /** Which of them the server has answered that it does not know. */
  isUntold: { day: boolean; people: boolean; account: boolean };
};

const news = gatheringNews("news.changed");

/**
 * What goes out in the next hours, who waits meanwhile, and how the account fares. News have all of it read anew, one reading
 * after the other and with a pause between them, so that a busy account is foreseen at all; without news it ages, and is read
 * anew in time. A server that tells nothing of it is not asked again.
 */
export const forecastMachine = setup({
  types: {
    context: {} as ForecastContext,
    events: {} as ReadingEvent | { type: "news.changed" },
    tags: {} as "loading" | "refreshing" | "unread" | "outdated",
  },
  actors: placeholderActors,
  actions: {
    storeDay: assign(({ context }, day: Day | null) => ({
      day,
      isUntold: { ...context.isUntold, day: day === null },
    })),
    storePeople: assign(({ context }, people: PeopleWaiting | null) => ({
      people,
      isUntold: { ...context.isUntold, people: people === null },
    })),
    storeAccount: assign(({ context }, account: TelegramAccount | null) => ({
      account,
      isUntold: { ...context.isUntold, account: account === null },
    })),
    refresh: raise({ type: "reading.refresh" }),
    reportFailure: unreported,
  },
  guards: {
    isUntold: ({ context }) => Object.values(context.isUntold).every(Boolean),
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
  context: { day: null, people: null, account: null, isUntold: { day: false, people: false, account: false } },
  invoke: { id: "watchNews", src: "watchNews" },
  type: "parallel",
  states: {
    day: reading({ src: "fetchForecast", store: "storeDay", what: "the next 24 hours" }),
    people: reading({ src: "fetchPeople", store: "storePeople", what: "the people waiting" }),
    account: reading({ src: "fetchAccount", store: "storeAccount", what: "the account's health" }),
    news: {
      ...news,
      states: {
        ...news.states,
        quiet: {
          on: {
            "news.changed": [{ guard: "isUntold", target: "unheard" }, ...news.states.quiet.on["news.changed"]],
          },
          after: {
            age: [
              { guard: "isUntold", target: "unheard" },
              { target: "pausing", actions: "refresh" },
            ],
          },
        },
        /** Nothing that happens makes such a server tell. */
        unheard: {},
      },
    },
  },
});

export type ForecastSnapshot = SnapshotFrom<typeof forecastMachine>;
