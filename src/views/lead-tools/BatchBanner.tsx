import { t } from "@lingui/core/macro";
import { X } from "lucide-react";
import { Selection, selectIsBusy } from "../../machines/selection/selection.machine.ts";
import { FormProblem } from "../../ui/form.tsx";
import { IconButton } from "../../ui/Button.tsx";
import { passFocusToHeading } from "../../ui/lost-focus.ts";
import { BatchProgress } from "./BatchProgress.tsx";
import { Row } from "../../ui/layout.tsx";
import css from "./LeadTools.module.css";

/** The running or failed action on many leads, while the list does not show it. */
export function BatchBanner() {
  const [chart, send] = Selection.use();
  const { job, problem } = chart.context;
  const isFollowing = selectIsBusy(chart) && job !== null;
  if (!isFollowing && problem === null) return null;
  return (
    <Row
      as="section"
      wraps
      justify="between"
      gap={[2, 4]}
      after={4}
      pad={[2, 4]}
      surface="raised"
      ref={passFocusToHeading}
      className={css["banner"]}
      aria-label={t`Work on many leads`}
    >
      {isFollowing && <BatchProgress />}
      <FormProblem>{problem}</FormProblem>
      {problem !== null && (
        <IconButton label={t`Close`} icon={<X />} onClick={() => send({ type: "selection.clear" })} />
      )}
    </Row>
  );
}
