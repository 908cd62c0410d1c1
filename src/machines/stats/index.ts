import { createReporter } from "../kit/reporting.ts";
import { type StatsDeps, createStatsActors } from "./stats.actors.ts";
import { statsMachine } from "./stats.machine.ts";

/** The statistics' chart over its outside parts. */
export const createStats = (deps: StatsDeps) =>
  statsMachine.provide({
    actors: createStatsActors(deps),
    actions: {
      rememberPeriod: (_, { period }) => deps.rememberPeriod(period),
      reportFailure: createReporter(deps.logger),
    },
  });

export { StatsProvider, useStats, useStatsEvents } from "./stats.context.tsx";
export type { StatsGateway } from "./stats.actors.ts";
export {
  type CumulativePoint,
  type StageFigure,
  type StageStep,
  FALLBACK_PALETTE,
  cumulativePoints,
  stageFigures,
  stageSteps,
} from "./stats.figures.ts";
export { statsMachine } from "./stats.machine.ts";
export { periodOf, searchOf } from "./stats.address.ts";
export { type Period, type PeriodName, type Range, fillDays, periodProblem, rangeOf } from "./stats.period.ts";
export * from "./stats.selectors.ts";
