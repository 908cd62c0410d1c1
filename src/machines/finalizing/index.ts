import { createActorContext } from "@xstate/react";
import { createReporter } from "../kit/reporting.ts";
import { type FinalizingDeps, createFinalizingActors } from "./finalizing.actors.ts";
import { finalizingMachine } from "./finalizing.machine.ts";

export type { FinalizingDeps } from "./finalizing.actors.ts";
export { finalizingMachine } from "./finalizing.machine.ts";

/** Runs the finalizing of a checkout as long as its screen is shown; there is nothing to read or to say to it. */
export const FinalizingProvider = createActorContext(finalizingMachine).Provider;

/** The finalizing chart with its outside parts in place. */
export const createFinalizing = (deps: FinalizingDeps) =>
  finalizingMachine.provide({
    actors: createFinalizingActors(deps),
    actions: {
      openBilling: () => deps.openBilling(),
      reportFailure: createReporter(deps.logger),
    },
  });
