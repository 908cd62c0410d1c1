import { NO_FILTERS, isSame } from "./ledger.address.ts";
import { freshCount } from "./ledger.list.ts";
import type { LedgerSnapshot } from "./ledger.machine.ts";

export { selectOutdated, selectUnread } from "../kit/reading.ts";

export const selectItems = (ledger: LedgerSnapshot) => ledger.context.items;
export const selectFilters = (ledger: LedgerSnapshot) => ledger.context.filters;
export const selectIsFiltered = (ledger: LedgerSnapshot) => !isSame(ledger.context.filters, NO_FILTERS);
export const selectIsLoading = (ledger: LedgerSnapshot) => ledger.hasTag("loading");
export const selectHasOlder = (ledger: LedgerSnapshot) => ledger.context.next !== null;
/** How many new messages wait to be shown. */
export const selectFreshCount = (ledger: LedgerSnapshot) => freshCount(ledger.context);
export const selectOlder = (ledger: LedgerSnapshot) => ledger.value.older;
/** The name of the one person whose messages are listed, where it is known. */
export const selectPerson = ({ context: { filters, items } }: LedgerSnapshot): string | null =>
  filters.leadId === "" ? null : (items.find(({ lead }) => lead?.id === filters.leadId)?.lead?.name ?? null);
