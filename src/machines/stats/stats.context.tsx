import { createMachineContext } from "../kit/context.tsx";
import { statsMachine } from "./stats.machine.ts";
import type { PeriodName } from "./stats.period.ts";

const Stats = createMachineContext(statsMachine, (stats) => ({
  choosePeriod: (name: PeriodName) => stats.send({ type: "period.choose", name }),
  chooseDates: (start: string, end: string) => stats.send({ type: "dates.choose", start, end }),
  chooseConversionStage: (stageId: string) => stats.send({ type: "conversionStage.choose", stageId }),
  retryReading: () => stats.send({ type: "reading.retry" }),
}));

export const StatsProvider = Stats.Provider;
export const useStats = Stats.use;
/** What a person can ask of the statistics. */
export const useStatsEvents = Stats.useVerbs;
