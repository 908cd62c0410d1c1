import { i18n } from "@lingui/core";
import { translate } from "../../../domain/ui-text.ts";
import { plural, t } from "@lingui/core/macro";
import { BulkJob, type Reached, selectResult } from "../../machines/bulk-job/bulk-job.machine.ts";
import type { BulkResult } from "../../machines/bulk-job/bulk-job.memory.ts";
import { numberText } from "../../language/format.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Box } from "../../ui/layout.tsx";

const resultText = (result: BulkResult): string =>
  result.kind === "failed"
    ? t`Bulk message failed: ${{ reason: result.error ? translate(result.error, i18n) : t`Unknown error` }}`
    : t`✅ Bulk message sent to ${plural({ sent: result.sent }, { one: "# lead", other: "# leads" })} and skipped ${{ failed: numberText(result.failed) }} (for example blocked or deleted accounts).`;

const cancelledText = ({ sent, total }: Reached): string =>
  t`Cancelled. The message was sent to ${{ sent: numberText(sent) }} of ${plural({ total }, { one: "# lead", other: "# leads" })}.`;

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
