import { useSyncExternalStore } from "react";
import { Selection } from "../machines/selection/selection.machine.ts";
import { BatchBanner } from "../views/lead-tools/BatchBanner.tsx";
import { selectionOf } from "./selection.ts";
import type { Services } from "./services.ts";

export default function BatchContainer({ services }: { services: Services }) {
  const { selection, bar } = selectionOf(services);
  const isShownInBar = useSyncExternalStore(bar.listen, bar.get);
  return <Selection.ActorProvider value={selection}>{isShownInBar ? null : <BatchBanner />}</Selection.ActorProvider>;
}
