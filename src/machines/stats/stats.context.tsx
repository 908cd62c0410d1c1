import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import { statsMachine } from "./stats.machine.ts";
import type { PeriodName } from "./stats.period.ts";

const Stats = createActorContext(statsMachine);

export const StatsProvider = Stats.Provider;
export const useStats = Stats.useSelector;

/** What a person can ask of the statistics. */
export function useStatsEvents() {
  const stats = Stats.useActorRef();
  return useMemo(
    () => ({
      choosePeriod: (name: PeriodName) => stats.send({ type: "period.choose", name }),
      chooseDates: (start: string, end: string) => stats.send({ type: "dates.choose", start, end }),
      chooseConversionStage: (stageId: string) => stats.send({ type: "conversionStage.choose", stageId }),
    }),
    [stats],
  );
}
