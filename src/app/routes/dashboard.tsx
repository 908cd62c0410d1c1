import { useState } from "react";
import type { DashboardDeps } from "../../machines/dashboard/index.ts";
import { selectSubscription, useSession } from "../../machines/session/index.ts";
import { watchReturns } from "../../services/page-returns.ts";
import { createTelegramGateway } from "../../services/telegram.ts";
import { DashboardView } from "../../views/dashboard/DashboardView.tsx";
import { createLater } from "../later.tsx";
import type { Services } from "../services.ts";

const Day = createLater<{ services: Services }>("the day ahead", () => import("../day.tsx"));

export default function DashboardRoute({ services }: { services: Services }) {
  const subscription = useSession(selectSubscription);
  const [deps] = useState<DashboardDeps>(() => ({
    data: services.data,
    readIsLost: async (signal) => {
      const { connected, phone } = await createTelegramGateway(services.http).fetchStatus(signal);
      return !connected && phone !== null;
    },
    news: services.events,
    onReturn: watchReturns,
    logger: services.logger,
    now: services.clock.now,
    userId: services.userId(),
    status: subscription?.status ?? null,
  }));
  return <DashboardView deps={deps} day={<Day services={services} />} />;
}
