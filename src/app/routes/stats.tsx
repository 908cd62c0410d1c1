import { useMemo } from "react";
import { StatsProvider, createStats } from "../../machines/stats/index.ts";
import { createStatsGateway } from "../../services/stats.ts";
import { StatsView } from "../../views/stats/StatsView.tsx";
import type { Services } from "../services.ts";

export default function StatsRoute({ services }: { services: Services }) {
  const stats = useMemo(
    () =>
      createStats({
        stats: createStatsGateway(services.http),
        now: () => services.clock.now(),
        logger: services.logger,
      }),
    [services],
  );
  return (
    <StatsProvider logic={stats}>
      <StatsView />
    </StatsProvider>
  );
}
