import { DryRunActorProvider } from "../machines/dry-run/index.ts";
import { DryRunBanner } from "../views/dry-run/DryRunBanner.tsx";
import { dryRunOf } from "./dry-run.ts";
import type { Services } from "./services.ts";

/** The banner of the dry run, over whatever screen is shown. */
export default function DryRunPlace({ services }: { services: Services }) {
  return (
    <DryRunActorProvider value={dryRunOf(services)}>
      <DryRunBanner />
    </DryRunActorProvider>
  );
}
