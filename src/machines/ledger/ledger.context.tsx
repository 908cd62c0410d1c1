import { createMachineContext } from "../kit/context.tsx";
import type { LedgerFilters } from "./ledger.address.ts";
import { ledgerMachine } from "./ledger.machine.ts";

const Ledger = createMachineContext(ledgerMachine, (ledger) => ({
  changeFilters: (filters: Partial<LedgerFilters>) => ledger.send({ type: "filters.change", filters }),
  clearFilters: () => ledger.send({ type: "filters.clear" }),
  loadOlder: () => ledger.send({ type: "older.load" }),
  showFresh: () => ledger.send({ type: "fresh.show" }),
  retryReading: () => ledger.send({ type: "reading.retry" }),
}));

export const LedgerProvider = Ledger.Provider;
export const useLedger = Ledger.use;
/** What a person can do to the list of messages. */
export const useLedgerEvents = Ledger.useVerbs;
export const useCanLedger = Ledger.useCan;
