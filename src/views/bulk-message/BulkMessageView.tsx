import { selectIsJobUnread, useBulkJob, useBulkJobEvents } from "../../machines/bulk-job/index.ts";
import { NotRead } from "../../ui/NotRead.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { BulkForm, type FormDraft } from "./BulkForm.tsx";
import css from "./BulkMessageView.module.css";
import { ProgressBanner } from "./ProgressBanner.tsx";
import { ResultBanner } from "./ResultBanner.tsx";

export function BulkMessageView({ draft }: { draft: FormDraft }) {
  return (
    <div className={css["page"]}>
      <PageHeader title="Bulk Message Sender" subtitle="One message to every lead, or to all leads of a stage." />
      <UnreadJob />
      <ProgressBanner />
      <ResultBanner />
      <BulkForm draft={draft} />
    </div>
  );
}

/** Whether a job is running is not known: a message can be sent all the same, and the server refuses a second one. */
function UnreadJob() {
  const isUnread = useBulkJob(selectIsJobUnread);
  const { retryReading } = useBulkJobEvents();
  if (!isUnread) return null;
  return (
    <div className={css["banner"]}>
      <NotRead what="whether a bulk message is being sent" onRetry={retryReading} />
    </div>
  );
}
