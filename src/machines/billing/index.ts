import { createReporter } from "../kit/reporting.ts";
import { type BillingDeps, createBillingActors } from "./billing.actors.ts";
import { billingMachine } from "./billing.machine.ts";

export { type BillingDeps, safeDestination } from "./billing.actors.ts";
export { BillingProvider, useBilling, useBillingEvents } from "./billing.context.tsx";
export { billingMachine } from "./billing.machine.ts";
export * from "./billing.selectors.ts";

/** The billing chart with its outside parts in place. */
export const createBilling = (deps: BillingDeps) =>
  billingMachine.provide({
    actors: createBillingActors(deps),
    actions: {
      openUrl: (_args, { url }) => deps.openUrl(url),
      reportFailure: createReporter(deps.logger),
    },
  });
