import { type LeadRowDeps, createLeadRowActors } from "./lead-row.actors.ts";
import { leadRowMachine } from "./lead-row.machine.ts";

/** A row's logic over a gateway; one for all rows of a list. */
export const createLeadRow = (deps: LeadRowDeps) =>
  leadRowMachine.provide({
    actors: createLeadRowActors(deps),
    actions: {
      announceMove: () => deps.notifier.toast("Lead stage updated"),
      reloadList: () => deps.reloadList(),
      reportFailure: (_, { what, error }) => deps.logger.warn(what, error),
    },
  });

/** What each row's provider is given. */
export type LeadRowLogic = ReturnType<typeof createLeadRow>;

export type { LeadRowDeps, LeadRowGateway, SendOutcome } from "./lead-row.actors.ts";
export { LeadRowProvider, useLeadRow, useLeadRowEvents } from "./lead-row.context.tsx";
export { type LeadRowSnapshot, leadRowMachine } from "./lead-row.machine.ts";
export * from "./lead-row.selectors.ts";
