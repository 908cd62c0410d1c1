import { useMemo, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { StatsProvider, createStats, periodOf, searchOf } from "../../machines/stats/index.ts";
import { createStatsGateway } from "../../services/stats.ts";
import { StatsView } from "../../views/stats/StatsView.tsx";
import type { Services } from "../services.ts";

export default function StatsRoute({ services }: { services: Services }) {
  const stats = useMemo(
    () =>
      createStats({
        stats: createStatsGateway(services.http),
        now: () => services.clock.now(),
        rememberPeriod: (period) => navigate(window.location.pathname + searchOf(period), { replace: true }),
        logger: services.logger,
      }),
    [services],
  );
  const [period] = useState(() => periodOf(window.location.search));
  return (
    <StatsProvider logic={stats} options={{ input: { period } }}>
      <StatsView />
    </StatsProvider>
  );
}
