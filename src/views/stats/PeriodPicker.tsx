import { type PeriodName, periodProblem, selectPeriod, useStats, useStatsEvents } from "../../machines/stats/index.ts";
import { DayRange } from "../../ui/DayRange.tsx";
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
          <DayRange
            labels={{ start: "Start date", end: "End date" }}
            days={{ start, end }}
            onDays={(days) => chooseDates(days.start, days.end)}
            problemOf={(days) => periodProblem({ name: "custom", ...days })}
          />
        </div>
      )}
    </div>
  );
}
