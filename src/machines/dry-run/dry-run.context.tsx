import { createMachineContext } from "../kit/context.tsx";
import { dryRunMachine } from "./dry-run.machine.ts";

const DryRun = createMachineContext(dryRunMachine, (chart) => ({
  retry: () => chart.send({ type: "reading.retry" }),
  start: () => chart.send({ type: "dryRun.start" }),
  leave: () => chart.send({ type: "dryRun.leave" }),
  stay: () => chart.send({ type: "dryRun.stay" }),
  end: () => chart.send({ type: "dryRun.end" }),
}));

export const DryRunProvider = DryRun.Provider;
/** For the chart that lives as long as the page. */
export const DryRunActorProvider = DryRun.ActorProvider;
export const useDryRun = DryRun.use;
export const useCanDryRun = DryRun.useCan;
/** What a person can do about the dry run. */
export const useDryRunEvents = DryRun.useVerbs;
