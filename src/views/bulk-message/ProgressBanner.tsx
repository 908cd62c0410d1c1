import { translate } from "#language";
import { plural, t } from "@lingui/core/macro";
import { pauseMessage } from "../../../domain/bulk.ts";
import { BulkJob, selectIsSending } from "../../machines/bulk-job/bulk-job.machine.ts";
import type { Progress } from "../../machines/bulk-job/bulk-job.memory.ts";
import { momentText, numberText } from "../../language/format.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { FormProblem } from "../../ui/form.tsx";
import { VisuallyHidden, Box, Text, Span } from "../../ui/layout.tsx";
import { Meter } from "../../ui/Meter.tsx";
import css from "./BulkMessageView.module.css";

/** Shows the progress of the running job, why it is paused, and buttons to continue or cancel it. */
export function ProgressBanner() {
  const isSending = BulkJob.useSelector(selectIsSending);
  const progress = BulkJob.useSelector(({ context }) => context.progress);
  const isStalled = BulkJob.useSelector((chart) => chart.matches({ job: { running: "stalled" } }));
  const problem = BulkJob.useSelector(({ context }) => context.jobProblem);
  const milestone = useMilestoneText(progress);
  const pause = usePauseText(progress);
  if (!isSending) return null;
  return (
    <Box after={5}>
      <Banner tone={pause !== null || isStalled ? "warn" : "info"} actions={<JobActions />} isSilent>
        {progress === null ? <Text weight="medium">{t`Sending bulk message...`}</Text> : <Count {...progress} />}
        {pause !== null && <p>{pause}</p>}
        <FormProblem>{problem}</FormProblem>
        {isStalled && <p>{t`The progress could not be read. The server may still be sending.`}</p>}
      </Banner>
      <div role="status">
        <VisuallyHidden>
          {milestone}
          {pause !== null && ` ${pause}`}
          {isStalled && <> {t`The progress could not be read.`}</>}
        </VisuallyHidden>
      </div>
    </Box>
  );
}

/** Returns the text for screen readers, which changes at each tenth instead of each message. */
function useMilestoneText(progress: Progress | null): string {
  const share = progress === null || progress.total === 0 ? 0 : (progress.sent + progress.failed) / progress.total;
  return t`Bulk message: ${{ percent: Math.floor(share * 10) * 10 }} % done.`;
}

function Count({ sent, failed, total }: Progress) {
  const settled = sent + failed;
  return (
    <>
      <Text weight="medium">
        {t`Sending bulk message... ${{ settled: numberText(settled) }} of ${plural({ total }, { one: "# lead", other: "# leads" })}`}
        {failed > 0 && (
          <Span tone="muted" weight="normal">
            {" "}
            {t`(${{ failed: numberText(failed) }} skipped)`}
          </Span>
        )}
      </Text>
      <Meter
        role="progressbar"
        label={t`Bulk message progress`}
        max={total}
        value={settled}
        className={css["progress"]}
      />
    </>
  );
}

function usePauseText(progress: Progress | null): string | null {
  if (progress === null || (progress.pausedReason === null && progress.pausedUntil === null)) return null;
  const moment = momentText(progress.pausedUntil);
  const reason = translate(pauseMessage(progress.pausedCode, progress.pausedReason));
  if (reason === null) return moment === null ? t`Paused.` : t`Paused until ${moment}.`;
  return moment === null ? t`Paused: ${reason}` : t`Paused until ${moment}: ${reason}`;
}

function JobActions() {
  const isStalled = BulkJob.useSelector((chart) => chart.matches({ job: { running: "stalled" } }));
  const canCancel = BulkJob.useSelector((chart) => chart.can({ type: "job.cancel" }));
  const isCancelling = BulkJob.useSelector((chart) => chart.matches({ job: "cancelling" }));
  const canContinue = BulkJob.useSelector((chart) => chart.can({ type: "job.continue" }));
  const isContinuing = BulkJob.useSelector((chart) => chart.matches({ job: "continuing" }));
  const send = BulkJob.useSend();
  return (
    <>
      {isStalled && <Button onClick={() => send({ type: "job.recheck" })}>{t`Check again`}</Button>}
      {(canContinue || isContinuing) && (
        <Button variant="primary" onClick={() => send({ type: "job.continue" })} isPending={isContinuing}>
          {t`Continue`}
        </Button>
      )}
      {(canCancel || isCancelling) && (
        <Button variant="danger" onClick={() => send({ type: "job.cancel" })} isPending={isCancelling}>
          {t`Cancel Send`}
        </Button>
      )}
    </>
  );
}
