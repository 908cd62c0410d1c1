import { createReporter } from "../kit/reporting.ts";
import { type LedgerDeps, createLedgerActors } from "./ledger.actors.ts";
import { ledgerMachine } from "./ledger.machine.ts";

/** The list of all messages over its outside parts. */
export const createLedger = (deps: LedgerDeps) =>
  ledgerMachine.provide({
    actors: createLedgerActors(deps),
    actions: {
      writeAddress: (_, filters) => deps.address.write(filters),
      reportFailure: createReporter(deps.logger),
    },
  });

export type { LedgerDeps } from "./ledger.actors.ts";
export { type LedgerFilters, NO_FILTERS, filtersOf, rangeOf, searchOf } from "./ledger.address.ts";
export { LedgerProvider, useCanLedger, useLedger, useLedgerEvents } from "./ledger.context.tsx";
export { ledgerMachine } from "./ledger.machine.ts";
export * from "./ledger.selectors.ts";
export { STATE_WORDS } from "./ledger.words.ts";
