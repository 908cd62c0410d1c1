import { useMemo } from "react";
import { ForecastChart, createForecast } from "../machines/forecast/forecast.machine.ts";
import { DayView } from "../views/day/DayView.tsx";
import type { Services } from "./services.ts";

export default function DayContainer({ services }: { services: Services }) {
  const logic = useMemo(() => createForecast(services, { now: services.clock.now }), [services]);
  return (
    <ForecastChart.Provider logic={logic}>
      <DayView />
    </ForecastChart.Provider>
  );
}
