import { selectPage, selectPageCount, useCanLeads, useLeads, useLeadsEvents } from "../../machines/leads/index.ts";
import { Button } from "../../ui/Button.tsx";
import css from "./LeadsView.module.css";

export function LeadsPagination() {
  const page = useLeads(selectPage);
  const pageCount = useLeads(selectPageCount);
  const hasPrevious = useCanLeads({ type: "page.previous" });
  const hasNext = useCanLeads({ type: "page.next" });
  const { showNextPage, showPreviousPage } = useLeadsEvents();
  return (
    <nav className={css["pagination"]} aria-label="Pages">
      <Button onClick={showPreviousPage} disabled={!hasPrevious}>
        ← Prev
      </Button>
      <span>
        Page {page} of {pageCount}
      </span>
      <Button onClick={showNextPage} disabled={!hasNext}>
        Next →
      </Button>
    </nav>
  );
}
