import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import type { FilterField, LeadFilters } from "./leads.filters.ts";
import { leadsMachine } from "./leads.machine.ts";

const Leads = createActorContext(leadsMachine);

export const LeadsProvider = Leads.Provider;
export const useLeads = Leads.useSelector;

/** What a person can do to the list. */
export function useLeadsEvents() {
  const list = Leads.useActorRef();
  return useMemo(
    () => ({
      changeFilter: (change: Partial<LeadFilters>) => list.send({ type: "filter.change", change }),
      clearFilter: (fields: readonly FilterField[]) => list.send({ type: "filter.clear", fields }),
      applyFilters: () => list.send({ type: "filters.apply" }),
      clearFilters: () => list.send({ type: "filters.clear" }),
      refresh: () => list.send({ type: "list.refresh" }),
      reload: () => list.send({ type: "list.reload" }),
      showNextPage: () => list.send({ type: "page.next" }),
      showPreviousPage: () => list.send({ type: "page.previous" }),
    }),
    [list],
  );
}
