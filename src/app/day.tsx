import { useMemo } from "react";
import { ForecastProvider, createForecast } from "../machines/forecast/index.ts";
import { createForecastGateway } from "../services/forecast.ts";
import { DayView } from "../views/day/DayView.tsx";
import type { Services } from "./services.ts";

/** What the day brings, under the dashboard's cards, with the services behind it. */
export default function DayPlace({ services }: { services: Services }) {
  const logic = useMemo(() => {
    const { http, events, clock, logger } = services;
    return createForecast({ forecast: createForecastGateway(http), events, now: clock.now, logger });
  }, [services]);
  return (
    <ForecastProvider logic={logic}>
      <DayView />
    </ForecastProvider>
  );
}
