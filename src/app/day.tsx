import { useMemo } from "react";
import { ForecastProvider, createForecast } from "../machines/forecast/index.ts";
import { TelegramAccountProvider, createTelegramAccount } from "../machines/telegram-account/index.ts";
import { createForecastGateway } from "../services/forecast.ts";
import { createTelegramGateway } from "../services/telegram.ts";
import { DayView } from "../views/day/DayView.tsx";
import type { Services } from "./services.ts";

/** What the day brings, under the dashboard's cards, with the services behind it. */
export default function DayPlace({ services }: { services: Services }) {
  const { forecast, account } = useMemo(() => logicOf(services), [services]);
  return (
    <ForecastProvider logic={forecast}>
      <TelegramAccountProvider logic={account}>
        <DayView />
      </TelegramAccountProvider>
    </ForecastProvider>
  );
}

const logicOf = ({ http, events, clock, notifier, logger }: Services) => ({
  forecast: createForecast({ forecast: createForecastGateway(http), events, now: clock.now, logger }),
  account: createTelegramAccount({
    account: createTelegramGateway(http),
    news: { onAccountChanged: (listener) => events.subscribe("telegram.changed", listener) },
    notifier,
    logger,
  }),
});
