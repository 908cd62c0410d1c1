import { type BulkResult, selectResult, useBulkJob } from "../../machines/bulk-job/index.ts";
import { leadsText, numberText } from "../../machines/kit/format.ts";
import { Banner } from "../../ui/Banner.tsx";
import css from "./BulkMessageView.module.css";

const resultText = (result: BulkResult): string =>
  result.kind === "failed"
    ? `Bulk message failed: ${result.error || "Unknown error"}`
    : `✅ Bulk message sent to ${leadsText(result.sent)} and skipped ${numberText(result.failed)} (for example blocked or deleted accounts).`;

/** How the job ended; it stands for ten seconds. */
export function ResultBanner() {
  const result = useBulkJob(selectResult);
  if (result === null) return null;
  return (
    <div className={css["banner"]}>
      <Banner tone={result.kind === "failed" ? "bad" : "good"}>{resultText(result)}</Banner>
    </div>
  );
}
