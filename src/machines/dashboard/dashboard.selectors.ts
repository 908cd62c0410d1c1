import { ACCESS_STATUSES } from "../../../domain/access.ts";
import type { DashboardSnapshot } from "./dashboard.machine.ts";

export const selectLastLeadAt = (dashboard: DashboardSnapshot) => dashboard.context.lastLeadAt;
export const selectLeads = (dashboard: DashboardSnapshot) => dashboard.context.leads;
export const selectStages = (dashboard: DashboardSnapshot) => dashboard.context.stages;
export const selectAccounts = (dashboard: DashboardSnapshot) => dashboard.context.accounts;
/** Undefined while the status is being read. */
export const selectIsActive = (dashboard: DashboardSnapshot) =>
  dashboard.matches({ status: "known" }) ? ACCESS_STATUSES.includes(dashboard.context.status ?? "") : undefined;
