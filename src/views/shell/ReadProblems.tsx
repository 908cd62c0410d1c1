import type { AnyMachineSnapshot } from "xstate";
import { selectOutdated, selectLoadFailed } from "../../machines/kit/loading.ts";
import { LoadError } from "../../ui/LoadError.tsx";

type ReadProblemsProps = { chart: AnyMachineSnapshot; send: (event: { type: "reading.retry" }) => void };

/** Lists what a chart could not load or refresh, with a retry; nothing if all is current. */
export function ReadProblems({ chart, send }: ReadProblemsProps) {
  const [missing, outdated] = [selectLoadFailed(chart), selectOutdated(chart)];
  const retry = () => send({ type: "reading.retry" });
  return (
    <>
      {missing !== null && <LoadError what={missing} onRetry={retry} />}
      {outdated !== null && <LoadError what={outdated} isOutdated onRetry={retry} />}
    </>
  );
}
