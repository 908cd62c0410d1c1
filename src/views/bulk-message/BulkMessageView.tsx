import { PageHeader } from "../../ui/PageHeader.tsx";
import { BulkForm, type FormDraft } from "./BulkForm.tsx";
import css from "./BulkMessageView.module.css";
import { ProgressBanner } from "./ProgressBanner.tsx";
import { ResultBanner } from "./ResultBanner.tsx";

export function BulkMessageView({ draft }: { draft: FormDraft }) {
  return (
    <div className={css["page"]}>
      <PageHeader title="Bulk Message Sender" subtitle="One message to every lead, or to all leads of a stage." />
      <ProgressBanner />
      <ResultBanner />
      <BulkForm draft={draft} />
    </div>
  );
}
