import { translate } from "#language";
import { type BulkTarget, bulkTargetKey } from "../../../domain/bulk-target.ts";
import {
  BulkJob,
  selectAreChosen,
  selectStageName,
  type Reached,
  selectResult,
} from "../../machines/bulk-job/bulk-job.machine.ts";
import { recipientsText } from "../../machines/bulk-job/bulk-job.texts.ts";
import type { Page } from "../../machines/kit/page.ts";
import { useReading } from "../../machines/reading/reading.machine.ts";
import { LoadError } from "../../ui/LoadError.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { BulkForm, type FormDraft } from "./BulkForm.tsx";
import { Box } from "../../ui/layout.tsx";
import { ProgressBanner } from "./ProgressBanner.tsx";
import { plural, t } from "@lingui/core/macro";
import type { BulkResult } from "../../machines/bulk-job/bulk-job.memory.ts";
import { numberText } from "../../language/format.ts";
import { Banner } from "../../ui/Banner.tsx";

type WhomProps = {
  /** Predicts the effect of a message to the target; null if the server does not know the call. */
  preflight: (target: BulkTarget, signal: AbortSignal) => Promise<{ targets: number } | null>;
  logger: Page["logger"];
};

export function BulkMessageView({ draft, whom }: { draft: FormDraft; whom: WhomProps }) {
  return (
    <Box max="68rem">
      <PageHeader title={t`Bulk Message Sender`} subtitle={<Whom {...whom} />} />
      <JobNotLoaded />
      <ProgressBanner />
      <ResultBanner />
      <BulkForm draft={draft} />
    </Box>
  );
}

/** The recipients; for leads chosen in the list, also their current number. */
function Whom(props: WhomProps) {
  const target = BulkJob.useSelector(({ context }) => context.target);
  const stageName = BulkJob.useSelector(selectStageName);
  const areChosen = BulkJob.useSelector(selectAreChosen);
  return areChosen ? (
    <Chosen key={bulkTargetKey(target)} target={target} {...props} />
  ) : (
    translate(recipientsText(target, stageName, null))
  );
}

function Chosen({ target, preflight, logger }: WhomProps & { target: BulkTarget }) {
  const { value } = useReading({ read: (signal) => preflight(target, signal), what: "how many were chosen", logger });
  return translate(recipientsText(target, null, value?.targets ?? null));
}

/** It is unknown whether a job is running: sending is possible, and the server refuses a second job. */
function JobNotLoaded() {
  const hasFailed = BulkJob.useSelector((chart) => chart.matches({ job: "loadFailed" }));
  const send = BulkJob.useSend();
  if (!hasFailed) return null;
  return (
    <Box after={5}>
      <LoadError what={t`whether a bulk message is being sent`} onRetry={() => send({ type: "reading.retry" })} />
    </Box>
  );
}

const resultText = (result: BulkResult): string =>
  result.kind === "failed"
    ? t`Bulk message failed: ${{ reason: result.error ? translate(result.error) : t`Unknown error` }}`
    : t`✅ Bulk message sent to ${plural({ sent: result.sent }, { one: "# lead", other: "# leads" })} and skipped ${{ failed: numberText(result.failed) }} (for example blocked or deleted accounts).`;

const cancelledText = ({ sent, total }: Reached): string =>
  t`Cancelled. The message was sent to ${{ sent: numberText(sent) }} of ${plural({ total }, { one: "# lead", other: "# leads" })}.`;

function ResultBanner() {
  const result = BulkJob.useSelector(selectResult);
  const cancelled = BulkJob.useSelector(({ context }) => context.cancelled);
  if (cancelled !== null) return <Banner after={5}>{cancelledText(cancelled)}</Banner>;
  if (result === null) return null;
  return (
    <Banner after={5} tone={result.kind === "failed" ? "bad" : "good"}>
      {resultText(result)}
    </Banner>
  );
}
