import type { AnyMachineSnapshot } from "xstate";
import { selectOutdated, selectLoadFailed } from "../../machines/kit/loading.ts";
import { NotRead } from "../../ui/NotRead.tsx";

type ReadProblemsProps = { chart: AnyMachineSnapshot; send: (event: { type: "reading.retry" }) => void };

/** Lists what a chart could not load or refresh, with a retry; nothing if all is current. */
export function ReadProblems({ chart, send }: ReadProblemsProps) {
  const [missing, outdated] = [selectLoadFailed(chart), selectOutdated(chart)];
  const retry = () => send({ type: "reading.retry" });
  return (
    <>
      {missing !== null && <NotRead what={missing} onRetry={retry} />}
      {outdated !== null && <NotRead what={outdated} isOutdated onRetry={retry} />}
    </>
  );
}
