import { type LeadsDeps, createLeadsActors } from "./leads.actors.ts";
import { leadsMachine } from "./leads.machine.ts";

/** The leads list over a gateway; failures are logged once. */
export const createLeads = (deps: LeadsDeps) =>
  leadsMachine.provide({
    actors: createLeadsActors(deps),
    actions: { reportFailure: (_, { what, error }) => deps.logger.warn(what, error) },
  });

export type { LeadsDeps, LeadsGateway } from "./leads.actors.ts";
export { LeadsProvider, useLeads, useLeadsEvents } from "./leads.context.tsx";
export { readDate, writeDate } from "./leads.dates.ts";
export { type FilterField, type LeadFilters, type LeadsRequest, NO_FILTERS, requestOf } from "./leads.filters.ts";
export { type LeadsSnapshot, leadsMachine } from "./leads.machine.ts";
export * from "./leads.selectors.ts";
