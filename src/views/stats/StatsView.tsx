import { useMemo } from "react";
import {
  cumulativePoints,
  selectAreStagesKnown,
  selectFigures,
  selectIsAwaitingDates,
  selectIsLoading,
  selectStages,
  stageFigures,
  stageSteps,
  useStats,
} from "../../machines/stats/index.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ConversionCard, TotalCard } from "./FigureCards.tsx";
import { ConversionSteps } from "./ConversionSteps.tsx";
import { PeriodPicker } from "./PeriodPicker.tsx";
import { ShareChart } from "./ShareChart.tsx";
import { StageBars } from "./StageBars.tsx";
import css from "./StatsView.module.css";
import { VolumeChart } from "./VolumeChart.tsx";

export function StatsView() {
  const isAwaitingDates = useStats(selectIsAwaitingDates);
  return (
    <div className={css["page"]}>
      <PageHeader title="Stats" subtitle="Leads that arrived in the period, in UTC days." />
      <div className={css["controls"]}>
        <PeriodPicker />
        <LoadingNote />
      </div>
      {isAwaitingDates ? (
        <EmptyState title="Choose both dates">The figures come as soon as the start and the end are there.</EmptyState>
      ) : (
        <Figures />
      )}
    </div>
  );
}

function Figures() {
  const isLoading = useStats(selectIsLoading);
  const areStagesKnown = useStats(selectAreStagesKnown);
  const { volume, breakdown, funnel } = useStats(selectFigures);
  const stages = useStats(selectStages);
  const figures = useMemo(() => breakdown && stageFigures(breakdown, stages), [breakdown, stages]);
  const steps = useMemo(() => breakdown && stageSteps(breakdown, stages), [breakdown, stages]);
  const cumulative = useMemo(() => cumulativePoints(funnel ?? []), [funnel]);
  const isFirst = isLoading && volume === null && breakdown === null;
  return (
    <>
      <div className={css["cards"]} aria-busy={isLoading}>
        <TotalCard />
        <ConversionCard />
      </div>
      {isFirst || !areStagesKnown ? (
        <ChartSkeletons />
      ) : (
        <div className={css["charts"]} data-stale={isLoading ? "" : undefined}>
          <div className={css["wide"]}>
            <VolumeChart volume={volume ?? []} />
          </div>
          <ShareChart stages={figures ?? []} />
          <StageBars stages={figures ?? []} />
          <div className={css["wide"]}>
            <ConversionSteps steps={steps ?? []} cumulative={cumulative} />
          </div>
        </div>
      )}
    </>
  );
}

function LoadingNote() {
  const isLoading = useStats(selectIsLoading);
  return (
    <p role="status" className={css["loading"]}>
      {isLoading && "Loading stats..."}
    </p>
  );
}

const ChartSkeletons = () => (
  <div className={css["charts"]}>
    <div className={css["wide"]}>
      <Skeleton height="21rem" />
    </div>
    <Skeleton height="20rem" />
    <Skeleton height="20rem" />
  </div>
);
