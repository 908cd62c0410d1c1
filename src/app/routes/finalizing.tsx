import { useMemo, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { Finalizing, createFinalizing } from "../../machines/finalizing/finalizing.machine.ts";
import { FinalizingView } from "../../views/finalizing/FinalizingView.tsx";
import type { Services } from "../services.ts";

export default function FinalizingRoute({ services }: { services: Services }) {
  const finalizing = useMemo(
    () =>
      createFinalizing(services, {
        openBilling: () => navigate("/subscribe?from=checkout", { replace: true }),
      }),
    [services],
  );
  const [sessionId] = useState(() => new URLSearchParams(window.location.search).get("session_id") ?? "");
  return (
    <Finalizing.Provider logic={finalizing} options={{ input: { sessionId } }}>
      <FinalizingView />
    </Finalizing.Provider>
  );
}
