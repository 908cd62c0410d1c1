import { t } from "@lingui/core/macro";
import { type ReactNode, useMemo } from "react";
import { cumulativePoints, stageFigures, stageSteps } from "../../machines/stats/stats.figures.ts";
import { Stats, periodProblem } from "../../machines/stats/stats.machine.ts";
import { selectLoadFailed } from "../../machines/kit/loading.ts";
import { Card, Box, Grid, Note, Row, Text } from "../../ui/layout.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { MissingFigure, LoadError } from "../../ui/LoadError.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { ConversionCard, TotalCard } from "./FigureCards.tsx";
import { ConversionSteps } from "./ConversionSteps.tsx";
import { ShareChart } from "./ShareChart.tsx";
import { StageBars } from "./StageBars.tsx";
import css from "./StatsView.module.css";
import { VolumeChart } from "./VolumeChart.tsx";
import type { ControlId } from "../../commands/commands.ts";
import type { PeriodName } from "../../machines/stats/stats.period.ts";
import { DayRange } from "../../ui/DayRange.tsx";
import { Segments } from "../../ui/Segments.tsx";

/** `results` is shown below a period's charts. */
export function StatsView({ results }: { results?: ReactNode }) {
  const isAwaitingDates = Stats.useSelector((chart) => chart.matches({ figures: "awaitingDates" }));
  return (
    <Box max="76rem">
      <PageHeader title={t`Stats`} subtitle={t`Leads that arrived in the period, in UTC days.`} />
      <Row wraps gap={[2, 4]} after={4}>
        <PeriodPicker />
        <LoadingNote />
        <MissingNote />
      </Row>
      {isAwaitingDates ? (
        <EmptyState title={t`Choose both dates`}>{t`Figures appear once both dates are valid.`}</EmptyState>
      ) : (
        <>
          <Figures />
          {results}
        </>
      )}
    </Box>
  );
}

function Figures() {
  const isLoading = Stats.useSelector((chart) => chart.matches({ figures: "loading" }));
  const areStagesLoading = Stats.useSelector((chart) => chart.matches({ stages: "loading" }));
  const areStagesMissing = Stats.useSelector((chart) => chart.matches({ stages: "loadFailed" }));
  const { volume, breakdown, funnel } = Stats.useSelector(({ context }) => context.figures);
  const stages = Stats.useSelector(({ context }) => context.stages);
  const unknown = t({ message: "Unknown", comment: "In place of the name of a stage." });
  const figures = useMemo(() => breakdown && stageFigures(breakdown, stages, unknown), [breakdown, stages, unknown]);
  const steps = useMemo(() => breakdown && stageSteps(breakdown, stages, unknown), [breakdown, stages, unknown]);
  const cumulative = useMemo(() => cumulativePoints(funnel ?? []), [funnel]);
  const isFirst = isLoading && volume === null && breakdown === null;
  return (
    <>
      <Grid
        columns="minmax(12rem, 1fr) minmax(0, 2fr)"
        gap={4}
        after={4}
        className={css["cards"]}
        aria-busy={isLoading}
      >
        <TotalCard />
        <ConversionCard />
      </Grid>
      {isFirst || areStagesLoading ? (
        <ChartSkeletons />
      ) : (
        <Grid
          columns="repeat(2, minmax(0, 1fr))"
          gap={4}
          folds
          className={css["charts"]}
          data-stale={isLoading ? "" : undefined}
        >
          <Box share="line">
            {volume === null ? <Missing title={t`Lead Volume`} /> : <VolumeChart volume={volume} />}
          </Box>
          {figures === null || areStagesMissing ? (
            <>
              <Missing title={t`Leads per Stage, in Percent`} />
              <Missing title={t`Leads per Stage`} />
            </>
          ) : (
            <>
              <ShareChart stages={figures} />
              <StageBars stages={figures} />
            </>
          )}
          <Box share="line">
            {steps === null || areStagesMissing ? (
              <Missing title={t`Stage-to-Stage Conversion`} />
            ) : (
              <ConversionSteps steps={steps} cumulative={cumulative} isCumulativeRead={funnel !== null} />
            )}
          </Box>
        </Grid>
      )}
    </>
  );
}

function LoadingNote() {
  const isLoading = Stats.useSelector((chart) => chart.matches({ figures: "loading" }));
  return <Note role="status">{isLoading && t`Loading stats...`}</Note>;
}

/** Why the server refuses the period, or what failed to load, with one retry for all. */
function MissingNote() {
  const [chart, send] = Stats.use();
  const { refusal } = chart.context;
  const missing = selectLoadFailed(chart);
  if (missing !== null && refusal !== null) return <Mark>{refusal}</Mark>;
  return missing === null ? null : <LoadError what={missing} onRetry={() => send({ type: "reading.retry" })} />;
}

/** Replaces a chart whose figures failed to load. */
const Missing = ({ title }: { title: string }) => (
  <Card aria-label={title}>
    <Text as="h2" size="md">
      {title}
    </Text>
    <MissingFigure pad={[5, 0]} tone="warn" weight="firm" className={css["missing"]} />
  </Card>
);

const ChartSkeletons = () => (
  <Grid columns="repeat(2, minmax(0, 1fr))" gap={4} folds className={css["charts"]}>
    <Box share="line">
      <Skeleton height="21rem" />
    </Box>
    <Skeleton height="20rem" />
    <Skeleton height="20rem" />
  </Grid>
);

function PeriodPicker() {
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
