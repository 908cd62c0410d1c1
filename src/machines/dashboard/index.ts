export { type DashboardDeps, type DashboardFigures, useDashboardFigures } from "./dashboard.figures.ts";
export { lastLeadText } from "./last-lead.ts";
