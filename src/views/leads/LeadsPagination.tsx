import { useLingui } from "@lingui/react/macro";
import {
  type LeadsRequest,
  requestOf,
  selectApplied,
  selectIsLoading,
  selectPage,
  selectPageCount,
  selectShownPage,
  useCanLeads,
  useLeads,
  useLeadsEvents,
} from "../../machines/leads/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Row } from "../../ui/layout.tsx";
import css from "./LeadsView.module.css";

type LeadsPaginationProps = { onNextNear?: ((request: LeadsRequest) => void) | undefined };

export function LeadsPagination({ onNextNear }: LeadsPaginationProps) {
  const { t } = useLingui();
  const page = useLeads(selectPage);
  const shownPage = useLeads(selectShownPage);
  const pageCount = useLeads(selectPageCount);
  const applied = useLeads(selectApplied);
  const isLoading = useLeads(selectIsLoading);
  const hasPrevious = useCanLeads({ type: "page.previous" });
  const hasNext = useCanLeads({ type: "page.next" });
  const { showNextPage, showPreviousPage } = useLeadsEvents();
  const near = () => {
    if (hasNext && !isLoading) onNextNear?.(requestOf(applied, page + 1));
  };
  // Before the rows are there it would stand under the skeleton, and come up with the first answer.
  if (shownPage === null) return null;
  return (
    <Row as="nav" justify="center" gap={4} before={4} size="sm" tone="muted" aria-label={t`Pages`}>
      <Button onClick={showPreviousPage} disabled={!hasPrevious}>
        {t`← Prev`}
      </Button>
      {/* Of the rows on the screen: the number of pages belongs to them, not to what is being loaded. */}
      <span className={css["pages"]}>{t`Page ${shownPage} of ${pageCount}`}</span>
      <Button onClick={showNextPage} disabled={!hasNext} onPointerEnter={near} onPointerDown={near} onFocus={near}>
        {t`Next →`}
      </Button>
    </Row>
  );
}
