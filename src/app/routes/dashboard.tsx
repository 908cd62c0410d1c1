import { msg } from "@lingui/core/runtime-macro";
import { type ReactNode, useMemo, useState } from "react";
import { Checklist, createChecklist } from "../../machines/checklist/checklist.machine.ts";
import type { DashboardParts } from "../../machines/dashboard/dashboard.figures.ts";
import { Session } from "../../machines/session/session.machine.ts";
import { unsubscribeAll } from "../../services/unsubscribe-all.ts";
import { createChecklistGateway } from "../../services/checklist.ts";
import { createOwnData } from "../../services/data.ts";
import { watchReturns } from "../../services/page-returns.ts";
import { createTelegramGateway } from "../../services/telegram.ts";
import { useFirstSteps } from "../../views/dashboard/Checklist.tsx";
import { DashboardView } from "../../views/dashboard/DashboardView.tsx";
import { createPart } from "../loading/loadable.tsx";
import { memoizeByServices } from "../lifetime.ts";
import { sandboxParts } from "../sandbox-parts.ts";
import type { Services } from "../services.ts";
import { createSignal } from "../../services/signal.ts";

const Day = createPart(msg`the day ahead`, () => import("../forecast.tsx"));

const checklistOf = memoizeByServices(({ http }) => {
  const gateway = createChecklistGateway(http);
  const stagesAdded = createSignal();
  return { ...gateway, addStages: () => gateway.addStages().finally(stagesAdded.notify), stagesAdded };
});

export default function DashboardRoute({ services }: { services: Services }) {
  const subscription = Session.useSelector((session) => session.context.subscription);
  const checklist = useMemo(() => createChecklist(services, { checklist: checklistOf(services) }), [services]);
  const [deps] = useState<DashboardParts>(() => ({
    data: createOwnData(services.auth),
    readIsLost: async (signal) => {
      const { connected, phone } = await createTelegramGateway(services.http).fetchStatus(signal);
      return !connected && phone !== null;
    },
    news: services.events,
    onReturn: (listener) =>
      unsubscribeAll([watchReturns(listener), checklistOf(services).stagesAdded.listen(listener)]),
    logger: services.logger,
    now: services.clock.now,
    userId: services.userId(),
    status: subscription?.status ?? null,
  }));
  return (
    <Checklist.Provider logic={checklist}>
      <Dashboard deps={deps} day={<Day services={services} />} />
    </Checklist.Provider>
  );
}

function Dashboard(props: { deps: DashboardParts; day: ReactNode }) {
  const isLoading = Checklist.useSelector((chart) => chart.hasTag("loading"));
  const checklist = useFirstSteps(sandboxParts.includes("telegram"));
  return <DashboardView {...props} checklist={checklist} isChecklistAwaited={isLoading} />;
}
