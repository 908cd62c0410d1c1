import { useLayoutEffect } from "react";
import { DryRun } from "../machines/dry-run/dry-run.machine.ts";
import { DryRunBanner } from "../views/dry-run/DryRunBanner.tsx";
import { dryRunOf } from "./dry-run.ts";
import type { Services } from "./services.ts";

export default function DryRunContainer({ services, onKnown }: { services: Services; onKnown: () => void }) {
  return (
    <DryRun.ActorProvider value={dryRunOf(services)}>
      <ReportWhenKnown onKnown={onKnown} />
      <DryRunBanner />
    </DryRun.ActorProvider>
  );
}

/** Reports before the browser paints, so that the banner replaces its reserved space without a layout shift. */
function ReportWhenKnown({ onKnown }: { onKnown: () => void }) {
  const isLoading = DryRun.useSelector((chart) => chart.matches("loading"));
  useLayoutEffect(() => {
    if (!isLoading) onKnown();
  }, [isLoading, onKnown]);
  return null;
}
