import { createReporter } from "../kit/reporting.ts";
import { createLeadRow } from "../lead-row/index.ts";
import { type LeadPanelDeps, createLeadPanelActors } from "./lead-panel.actors.ts";
import { leadPanelMachine } from "./lead-panel.machine.ts";

/** A lead's panel over a gateway. */
export const createLeadPanel = (deps: LeadPanelDeps) =>
  leadPanelMachine.provide({
    actors: { ...createLeadPanelActors(deps), leadRow: createLeadRow(deps.row) },
    actions: { reportFailure: createReporter(deps.logger) },
  });

export type { LeadPanelDeps, Panel } from "./lead-panel.actors.ts";
export { LeadPanelProvider, useLeadPanel, useLeadPanelEvents } from "./lead-panel.context.tsx";
export { leadPanelMachine } from "./lead-panel.machine.ts";
export * from "./lead-panel.selectors.ts";
