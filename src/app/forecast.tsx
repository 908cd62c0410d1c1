import { useMemo } from "react";
import { ForecastChart, createForecast } from "../machines/forecast/forecast.machine.ts";
import { ForecastView } from "../views/forecast/ForecastView.tsx";
import type { Services } from "./services.ts";

export default function ForecastContainer({ services }: { services: Services }) {
  const logic = useMemo(() => createForecast(services, { now: services.clock.now }), [services]);
  return (
    <ForecastChart.Provider logic={logic}>
      <ForecastView />
    </ForecastChart.Provider>
  );
}
