import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { leadsText, numberText } from "../../language/format.ts";
import { Selection } from "../../machines/selection/selection.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { passFocusOnRemoval } from "../../ui/lost-focus.ts";
import { Spinner } from "../../ui/Loading.tsx";
import { VisuallyHidden, Row } from "../../ui/layout.tsx";

/** Announces each tenth, not each hundred leads. */
const milestone = (done: number, total: number) => Math.floor((done / Math.max(1, total)) * 10) * 10;

/** The progress of an action on many leads, and a button to stop it. */
export function BatchProgress() {
  const [chart, send] = Selection.use();
  const { job } = chart.context;
  const isCancelling = chart.matches({ work: { following: "cancelling" } });
  const cancel = { type: "job.cancel" } as const;
  if (job === null)
    return (
      <Row as="p" wraps gap={2} role="status">
        <Trans>
          <Spinner /> Working…
        </Trans>
      </Row>
    );
  const { done, total } = job;
  return (
    <Row wraps gap={2} ref={passFocusOnRemoval}>
      <progress aria-label={t`Leads done`} {...(total === null ? {} : { value: done, max: total })} />
      <span>
        {total === null
          ? leadsText(done)
          : t`${{ done: numberText(done) }} of ${plural({ total }, { one: "# lead", other: "# leads" })}`}
      </span>
      <VisuallyHidden role="status">
        {total !== null && t`${{ done: milestone(done, total) }} percent done`}
      </VisuallyHidden>
      <Button size="small" isPending={isCancelling} isAriaDisabled={!chart.can(cancel)} onClick={() => send(cancel)}>
        {t`Stop`}
      </Button>
    </Row>
  );
}
