import { BulkJob, type Reached, selectResult } from "../../machines/bulk-job/bulk-job.machine.ts";
import type { BulkResult } from "../../machines/bulk-job/bulk-job.memory.ts";
import { leadsText, numberText } from "../../language/format.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Box } from "../../ui/layout.tsx";

const resultText = (result: BulkResult): string =>
  result.kind === "failed"
    ? `Bulk message failed: ${result.error || "Unknown error"}`
    : `✅ Bulk message sent to ${leadsText(result.sent)} and skipped ${numberText(result.failed)} (for example blocked or deleted accounts).`;

const cancelledText = ({ sent, total }: Reached): string =>
  `Cancelled. The message was sent to ${numberText(sent)} of ${leadsText(total)}.`;

/** How the job ended: a result for ten seconds, a cancelled one until the next job. */
export function ResultBanner() {
  const result = BulkJob.useSelector(selectResult);
  const cancelled = BulkJob.useSelector(({ context }) => context.cancelled);
  if (cancelled !== null)
    return (
      <Box after={5}>
        <Banner>{cancelledText(cancelled)}</Banner>
      </Box>
    );
  if (result === null) return null;
  return (
    <Box after={5}>
      <Banner tone={result.kind === "failed" ? "bad" : "good"}>{resultText(result)}</Banner>
    </Box>
  );
}
