import { useMemo } from "react";
import { StagesProvider, createStages } from "../../machines/stages/index.ts";
import { createStagesGateway } from "../../services/stages.ts";
import { StagesView } from "../../views/stages/StagesView.tsx";
import type { Services } from "../services.ts";

export default function StagesRoute({ services }: { services: Services }) {
  const stages = useMemo(() => {
    const { http, notifier, logger } = services;
    return createStages({ stages: createStagesGateway(http), notifier, logger });
  }, [services]);
  return (
    <StagesProvider logic={stages}>
      <StagesView />
    </StagesProvider>
  );
}
