import { createReporter } from "../kit/reporting.ts";
import { createLeadRow } from "../lead-row/lead-row.machine.ts";
import { type LeadsDeps, createLeadsActors } from "./leads.actors.ts";
import { leadsMachine } from "./leads.machine.ts";

/** The leads list over a gateway; failures are logged once. */
export const createLeads = (deps: LeadsDeps) =>
  leadsMachine.provide({
    actors: { ...createLeadsActors(deps), leadRow: createLeadRow(deps.page, deps.row) },
    actions: {
      writeAddress: (_, place) => deps.address.write(place),
      correctAddress: (_, place) => deps.address.correct(place),
      reportFailure: createReporter(deps.logger),
    },
  });

export type { LeadsDeps } from "./leads.actors.ts";
export { type ListPlace, placeOf, searchOf } from "./leads.address.ts";
export { LeadsProvider, useCanLeads, useLeads, useLeadsEvents } from "./leads.context.tsx";
export { readDate, writeDate } from "./leads.dates.ts";
export {
  type FilterField,
  type LeadFilters,
  type LeadsRequest,
  NO_FILTERS,
  queryOf,
  requestOf,
  isReversed,
} from "./leads.filters.ts";
export { leadsMachine, selectRowRef, selectRowRefs } from "./leads.machine.ts";
export {
  ENTERED,
  type ExtraColumn,
  FOUND,
  type More,
  OWN_COLUMNS,
  ROOM_COLUMNS,
  type RoomColumn,
  addressOf,
  extraColumns,
  filterCount,
  hiddenColumns,
  isByEntry,
  readMore,
  roomColumns,
  shownColumns,
  sortsOf,
  viewOf,
  withColumn,
  writeMore,
} from "./leads.more.ts";
export { rowId } from "./leads.setup.ts";
export * from "./leads.selectors.ts";
