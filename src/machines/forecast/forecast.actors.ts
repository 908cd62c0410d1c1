import { type EventObject, fromCallback, fromPromise } from "xstate";
import type { Forecast } from "../../../domain/forecast.ts";
import type { InboxItem } from "../../../domain/inbox.ts";
import type { TelegramAccount } from "../../../domain/telegram.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { Logger } from "../kit/reporting.ts";

/** Those who wait the longest, and how many wait in all. */
export type PeopleWaiting = { items: InboxItem[]; count: number };
/** A forecast, and the moment of this machine's clock at which it was read. */
export type Day = { forecast: Forecast; readAt: number };

export type ForecastGateway = {
  /** Null from a server that foresees nothing. */
  fetchForecast(signal: AbortSignal): Promise<Forecast | null>;
  /** Null from a server that keeps no conversations. */
  fetchPeopleWaiting(signal: AbortSignal): Promise<PeopleWaiting | null>;
  /** Null from a server that tells nothing of the account's health. */
  fetchAccount(signal: AbortSignal): Promise<TelegramAccount | null>;
};

export const NEWS = ["lead.changed", "message.changed", "inbox.changed", "bulk.changed", "telegram.changed"] as const;

export type ForecastDeps = {
  forecast: ForecastGateway;
  events: { subscribe(type: (typeof NEWS)[number], listener: () => void): () => void };
  now(): number;
  logger: Logger;
};

export const placeholderActors = {
  fetchForecast: notProvided<Day | null, void>("fetchForecast"),
  fetchPeople: notProvided<PeopleWaiting | null, void>("fetchPeople"),
  fetchAccount: notProvided<TelegramAccount | null, void>("fetchAccount"),
  watchNews: fromCallback<EventObject>(() => {}),
};

export const createForecastActors = ({ forecast, events, now }: ForecastDeps): typeof placeholderActors => ({
  fetchForecast: fromPromise(async ({ signal }) => {
    const read = await forecast.fetchForecast(signal);
    return read === null ? null : { forecast: read, readAt: now() };
  }),
  fetchPeople: fromPromise(({ signal }) => forecast.fetchPeopleWaiting(signal)),
  fetchAccount: fromPromise(({ signal }) => forecast.fetchAccount(signal)),
  watchNews: fromCallback(({ sendBack }) => {
    const ends = NEWS.map((type) => events.subscribe(type, () => sendBack({ type: "news.changed" })));
    return () => ends.forEach((end) => end());
  }),
});
