import { useMemo } from "react";
import { StagesProvider, createStages, selectIsUnsaved, useStages } from "../../machines/stages/index.ts";
import { createStagesGateway } from "../../services/stages.ts";
import { StagesView } from "../../views/stages/StagesView.tsx";
import { useUnsavedWork } from "../leaving.ts";
import type { Services } from "../services.ts";

export default function StagesRoute({ services }: { services: Services }) {
  const stages = useMemo(() => {
    const { http, notifier, logger } = services;
    return createStages({ stages: createStagesGateway(http), notifier, logger });
  }, [services]);
  return (
    <StagesProvider logic={stages}>
      <GuardedEdits services={services} />
      <StagesView />
    </StagesProvider>
  );
}

/** Edited stages ask before they are left. */
function GuardedEdits({ services: { leaving } }: { services: Services }) {
  useUnsavedWork(leaving, useStages(selectIsUnsaved));
  return null;
}
