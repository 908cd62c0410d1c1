import { createReporter } from "../kit/reporting.ts";
import { type DryRunDeps, createDryRunActors } from "./dry-run.actors.ts";
import { dryRunMachine } from "./dry-run.machine.ts";

/** The dry run over a gateway. */
export const createDryRun = (deps: DryRunDeps) =>
  dryRunMachine.provide({
    actors: createDryRunActors(deps),
    actions: {
      announceEnd: () => deps.notifier.toast("Dry run is over: automatic messages go out from now on."),
      reportFailure: createReporter(deps.logger),
    },
  });

export type { DryRunDeps, DryRunGateway, HeldBack } from "./dry-run.actors.ts";
export { DryRunActorProvider, DryRunProvider, useCanDryRun, useDryRun, useDryRunEvents } from "./dry-run.context.tsx";
export { dryRunMachine } from "./dry-run.machine.ts";
export * from "./dry-run.selectors.ts";
