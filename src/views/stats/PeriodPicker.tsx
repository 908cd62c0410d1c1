import { useLingui } from "@lingui/react/macro";
import type { ControlId } from "../../commands/commands.ts";
import { Stats, periodProblem } from "../../machines/stats/stats.machine.ts";
import type { PeriodName } from "../../machines/stats/stats.period.ts";
import { DayRange } from "../../ui/DayRange.tsx";
import { Grid, Row } from "../../ui/layout.tsx";
import { Segments } from "../../ui/Segments.tsx";
import css from "./PeriodPicker.module.css";

export function PeriodPicker() {
  const { t } = useLingui();
  const { name, start, end } = Stats.useSelector(({ context }) => context.period);
  const send = Stats.useSend();
  return (
    <Row wraps align="start" gap={[3, 4]} className={css["picker"]}>
      <Segments
        label={t`Period`}
        choices={
          {
            "1d": t`Today`,
            "7d": t`Last 7 Days`,
            "30d": t`Last 30 Days`,
            custom: t({ message: "Custom", comment: "A period between two chosen days." }),
          } satisfies Record<PeriodName, string>
        }
        chosen={name}
        onChoose={(chosen) => send({ type: "period.choose", name: chosen })}
        commandOf={(period) => `stats.${period}` satisfies ControlId}
        className={css["buttons"]}
      />
      {name === "custom" && (
        <Grid columns="repeat(2, minmax(0, 9.5rem))" align="start" gap={3} className={css["dates"]}>
          <DayRange
            labels={{ start: t`Start date`, end: t`End date` }}
            days={{ start, end }}
            onDays={(days) => send({ type: "dates.choose", ...days })}
            problemOf={(days) => periodProblem({ name: "custom", ...days })}
          />
        </Grid>
      )}
    </Row>
  );
}
