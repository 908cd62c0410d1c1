import { parse } from "valibot";
import { FORECAST_DEFAULT_HOURS, Forecast } from "../../domain/forecast.ts";
import { InboxCounts, InboxPage } from "../../domain/inbox.ts";
import { nullOn } from "../../domain/problem.ts";
import type { Http } from "./http.ts";
import { createTelegramGateway } from "./telegram.ts";

/** How many waiting leads are listed by name. */
const NAMED = 5;

/** The forecast: `/forecast`, the waiting leads from `/inbox`, the account's health. Each is null if the server does not know the call. */
export const createForecastGateway = (http: Http) => ({
  fetchForecast: (signal: AbortSignal): Promise<Forecast | null> =>
    http("/forecast", { query: { hours: FORECAST_DEFAULT_HOURS }, signal }).then(
      (answer) => parse(Forecast, answer),
      nullOn(404),
    ),

  fetchPeopleWaiting: (signal: AbortSignal) =>
    Promise.all([
      http("/inbox", { query: { view: "waiting", limit: NAMED }, signal }).then((answer) => parse(InboxPage, answer)),
      http("/inbox/counts", { signal }).then((answer) => parse(InboxCounts, answer)),
    ]).then(([{ items }, { waiting }]) => ({ items, count: waiting }), nullOn(404)),

  fetchAccount: createTelegramGateway(http).fetchAccount,
});
