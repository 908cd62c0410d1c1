export { type DashboardDeps, useDashboardFigures } from "./dashboard.figures.ts";
export { lastLeadText } from "./last-lead.ts";
