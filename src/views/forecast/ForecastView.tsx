import { ForecastChart, stateOfPart } from "../../machines/forecast/forecast.machine.ts";
import { Account } from "./Account.tsx";
import { useNow } from "../../ui/hooks.ts";
import { Grid, Stack } from "../../ui/layout.tsx";
import css from "./ForecastView.module.css";
import { HeldMessages } from "./HeldMessages.tsx";
import { People } from "./People.tsx";
import { Planned } from "./Planned.tsx";

/** The next day: planned messages, waiting leads, what is held, and the account's health. */
export function ForecastView() {
  const clock = useNow();
  const [chart] = ForecastChart.use();
  const { day, account } = chart.context;
  const state = stateOfPart(chart, "account");
  const isUnconnected = state !== "loading" && state !== "loadFailed" && account?.connected !== true;
  const now = day === null ? clock : Date.parse(day.forecast.now) + Math.max(0, clock - day.readAt);
  const isFirstRun = day !== null && day.forecast.waiting.every(({ count }) => count === 0);
  return (
    <div className={css["day"]}>
      <Grid columns="minmax(0, 1fr)" align="start" gap={4} className={css["columns"]}>
        <Stack gap={4} share="less">
          <Planned clock={clock} isFirstRun={isFirstRun} isUnconnected={isUnconnected} />
          <HeldMessages />
        </Stack>
        <Stack gap={4} share="less">
          <People clock={now} />
          <Account now={now} />
        </Stack>
      </Grid>
    </div>
  );
}
