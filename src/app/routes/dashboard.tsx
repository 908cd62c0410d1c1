import { useMemo, useState } from "react";
import { DashboardProvider, createDashboard } from "../../machines/dashboard/index.ts";
import { selectSubscription, useSession } from "../../machines/session/index.ts";
import { DashboardView } from "../../views/dashboard/DashboardView.tsx";
import type { Services } from "../services.ts";

export default function DashboardRoute({ services }: { services: Services }) {
  const dashboard = useMemo(
    () => createDashboard({ data: services.data, logger: services.logger, now: services.clock.now }),
    [services],
  );
  const subscription = useSession(selectSubscription);
  const [input] = useState({ userId: services.userId(), status: subscription?.status ?? null });
  return (
    <DashboardProvider logic={dashboard} options={{ input }}>
      <DashboardView now={services.clock.now} />
    </DashboardProvider>
  );
}
