import { createActorContext } from "@xstate/react";
import { dashboardMachine } from "./dashboard.machine.ts";

const Dashboard = createActorContext(dashboardMachine);

export const DashboardProvider = Dashboard.Provider;
export const useDashboard = Dashboard.useSelector;
