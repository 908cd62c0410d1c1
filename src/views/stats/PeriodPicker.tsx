import { type PeriodName, selectPeriod, useStats, useStatsEvents } from "../../machines/stats/index.ts";
import { TextField } from "../../ui/TextField.tsx";
import css from "./PeriodPicker.module.css";

const LABELS: Record<PeriodName, string> = {
  "1d": "Today",
  "7d": "Last 7 Days",
  "30d": "Last 30 Days",
  custom: "Custom",
};

export function PeriodPicker() {
  const { name, start, end } = useStats(selectPeriod);
  const { choosePeriod, chooseDates } = useStatsEvents();
  return (
    <div className={css["picker"]}>
      <div className={css["buttons"]} role="group" aria-label="Period">
        {(Object.keys(LABELS) as PeriodName[]).map((period) => (
          <button
            key={period}
            type="button"
            className={css["button"]}
            aria-pressed={period === name}
            onClick={() => choosePeriod(period)}
          >
            {LABELS[period]}
          </button>
        ))}
      </div>
      {name === "custom" && (
        <div className={css["dates"]}>
          <TextField
            label="Start date"
            type="date"
            value={start}
            max={end || undefined}
            onChange={(event) => chooseDates(event.target.value, end)}
          />
          <TextField
            label="End date"
            type="date"
            value={end}
            min={start || undefined}
            onChange={(event) => chooseDates(start, event.target.value)}
          />
        </div>
      )}
    </div>
  );
}
