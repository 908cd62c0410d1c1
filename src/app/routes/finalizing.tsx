import { useMemo, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { FinalizingProvider, createFinalizing } from "../../machines/finalizing/index.ts";
import { createBillingGateway } from "../../services/billing.ts";
import { FinalizingView } from "../../views/finalizing/FinalizingView.tsx";
import type { Services } from "../services.ts";

export default function FinalizingRoute({ services }: { services: Services }) {
  const finalizing = useMemo(
    () =>
      createFinalizing({
        billing: createBillingGateway(services.http),
        openBilling: () => navigate("/subscribe?from=checkout", { replace: true }),
        logger: services.logger,
      }),
    [services],
  );
  const [sessionId] = useState(() => new URLSearchParams(window.location.search).get("session_id") ?? "");
  return (
    <FinalizingProvider logic={finalizing} options={{ input: { sessionId } }}>
      <FinalizingView />
    </FinalizingProvider>
  );
}
