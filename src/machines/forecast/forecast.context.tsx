import { createMachineContext } from "../kit/context.tsx";
import { forecastMachine } from "./forecast.machine.ts";

const Forecast = createMachineContext(forecastMachine, (forecast) => ({
  retryReading: () => forecast.send({ type: "reading.retry" }),
}));

export const ForecastProvider = Forecast.Provider;
export const useForecast = Forecast.use;
/** What a person can do about the forecast. */
export const useForecastEvents = Forecast.useVerbs;
