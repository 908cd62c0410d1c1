import { useMemo } from "react";
import { SnippetsProvider, createSnippets } from "../../machines/snippets/index.ts";
import { createSnippetsGateway } from "../../services/snippets.ts";
import { SampleLeadProvider } from "../../views/preview/PlaceholderPreview.tsx";
import { SnippetsView } from "../../views/snippets/SnippetsView.tsx";
import { sampleLeadOf } from "../sample-lead.ts";
import type { Services } from "../services.ts";

export default function SnippetsRoute({ services }: { services: Services }) {
  const logic = useMemo(() => {
    const { http, notifier, logger } = services;
    return createSnippets({ snippets: createSnippetsGateway(http), notifier, logger });
  }, [services]);
  return (
    <SampleLeadProvider value={sampleLeadOf(services)}>
      <SnippetsProvider logic={logic}>
        <SnippetsView />
      </SnippetsProvider>
    </SampleLeadProvider>
  );
}
