import { createMachineContext } from "../kit/context.tsx";
import type { LeadRowRef } from "../lead-row/lead-row.machine.ts";
import type { FilterField, LeadFilters } from "./leads.filters.ts";
import { leadsMachine, selectRowRef } from "./leads.machine.ts";

const Leads = createMachineContext(leadsMachine, (list) => ({
  changeFilter: (change: Partial<LeadFilters>) => list.send({ type: "filter.change", change }),
  clearFilter: (fields: readonly FilterField[]) => list.send({ type: "filter.clear", fields }),
  changeMore: (more: string) => list.send({ type: "more.change", more }),
  applyFilters: () => list.send({ type: "filters.apply" }),
  clearFilters: () => list.send({ type: "filters.clear" }),
  refresh: () => list.send({ type: "list.refresh" }),
  retry: () => list.send({ type: "reading.retry" }),
  showNextPage: () => list.send({ type: "page.next" }),
  showPreviousPage: () => list.send({ type: "page.previous" }),
  showArrivals: () => list.send({ type: "arrivals.show" }),
  /** The chart of a lead's row; its first touch makes it. */
  touch(leadId: string): LeadRowRef {
    list.send({ type: "row.touch", leadId });
    const row = selectRowRef(list.getSnapshot(), leadId);
    if (!row) throw new Error(`lead ${leadId} is not in the list`);
    return row;
  },
}));

export const LeadsProvider = Leads.Provider;
export const useLeads = Leads.use;
export const useCanLeads = Leads.useCan;
/** What a person can do to the list. */
export const useLeadsEvents = Leads.useVerbs;
