import { createReporter } from "../kit/reporting.ts";
import { type ForecastDeps, createForecastActors } from "./forecast.actors.ts";
import { forecastMachine } from "./forecast.machine.ts";

/** The next hours and the people waiting, over their outside parts. */
export const createForecast = (deps: ForecastDeps) =>
  forecastMachine.provide({
    actors: createForecastActors(deps),
    actions: { reportFailure: createReporter(deps.logger) },
  });

export type { Day, ForecastDeps, ForecastGateway, PeopleWaiting } from "./forecast.actors.ts";
export { ForecastProvider, useForecast, useForecastEvents } from "./forecast.context.tsx";
export { forecastMachine } from "./forecast.machine.ts";
export * from "./forecast.selectors.ts";
export { heldOf, quietOf } from "./forecast.words.ts";
