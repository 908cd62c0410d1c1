import { type DashboardDeps, createDashboardActors } from "./dashboard.actors.ts";
import { dashboardMachine } from "./dashboard.machine.ts";

export type { DashboardDeps } from "./dashboard.actors.ts";
export { DashboardProvider, useDashboard } from "./dashboard.context.tsx";
export { dashboardMachine } from "./dashboard.machine.ts";
export * from "./dashboard.selectors.ts";
export { lastLeadText } from "./last-lead.ts";

/** The dashboard chart with its outside parts in place. */
export const createDashboard = (deps: DashboardDeps) =>
  dashboardMachine.provide({
    actors: createDashboardActors(deps),
    actions: { reportFailure: (_args, { what, error }) => deps.logger.warn(what, error) },
  });
