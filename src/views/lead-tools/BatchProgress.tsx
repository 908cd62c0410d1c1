import { leadsText, numberText } from "../../machines/kit/format.ts";
import { Selection } from "../../machines/selection/selection.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { handFocusOn } from "../../ui/focus.ts";
import { Spinner } from "../../ui/Spinner.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import css from "./LeadTools.module.css";

/** A tenth is worth saying aloud, each hundred leads is not. */
const milestone = (done: number, total: number) => Math.floor((done / Math.max(1, total)) * 10) * 10;

/** How far the work on many leads is, and the way to stop it. */
export function BatchProgress() {
  const [chart, send] = Selection.use();
  const { job } = chart.context;
  const isCancelling = chart.matches({ work: { following: "cancelling" } });
  const cancel = { type: "job.cancel" } as const;
  if (job === null)
    return (
      <p role="status" className={css["working"]}>
        <Spinner /> Working…
      </p>
    );
  const { done, total } = job;
  return (
    <div ref={handFocusOn} className={css["working"]}>
      <progress aria-label="Leads done" {...(total === null ? {} : { value: done, max: total })} />
      <span>{total === null ? leadsText(done) : `${numberText(done)} of ${leadsText(total)}`}</span>
      <VisuallyHidden role="status">{total !== null && `${milestone(done, total)} percent done`}</VisuallyHidden>
      <Button
        size="small"
        isPending={isCancelling}
        isResting={!chart.can(cancel) && !isCancelling}
        onClick={() => send(cancel)}
      >
        Stop
      </Button>
    </div>
  );
}
