import { Forecast, ForecastQuery } from "../../domain/forecast.ts";
import type { Deps } from "../core/deps.ts";
import type { Route } from "../core/routes.ts";
import { readForecast } from "./forecast.ts";

/** `GET /api/forecast`: what goes out by itself, before it does. */
export function registerForecast(route: Route, deps: Deps): void {
  route({
    tag: "Follow-ups",
    gate: "subscribed",
    method: "GET",
    url: "/api/forecast",
    summary: "Foresee what goes out in the next hours while nobody writes",
    query: ForecastQuery,
    answer: Forecast,
    handler: ({ caller, query }) => readForecast(deps, caller.id, query.hours),
  });
}
