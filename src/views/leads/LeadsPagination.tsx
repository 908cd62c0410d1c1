import { useLingui } from "@lingui/react/macro";
import { type LeadsRequest, requestOf } from "../../machines/leads/leads.filters.ts";
import { Leads, selectPageCount } from "../../machines/leads/leads.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { Row } from "../../ui/layout.tsx";
import css from "./LeadsView.module.css";

type LeadsPaginationProps = { onNextNear?: ((request: LeadsRequest) => void) | undefined };

export function LeadsPagination({ onNextNear }: LeadsPaginationProps) {
  const { t } = useLingui();
  const page = Leads.useSelector((list) => list.context.page);
  const shownPage = Leads.useSelector((list) => list.context.shown?.page ?? null);
  const pageCount = Leads.useSelector(selectPageCount);
  const applied = Leads.useSelector((list) => list.context.applied);
  const isLoading = Leads.useSelector((list) => list.hasTag("loading"));
  const hasPrevious = Leads.useCan({ type: "page.previous" });
  const hasNext = Leads.useCan({ type: "page.next" });
  const send = Leads.useSend();
  const near = () => {
    if (hasNext && !isLoading) onNextNear?.(requestOf(applied, page + 1));
  };
  // Before the rows are there it would stand under the skeleton, and come up with the first answer.
  if (shownPage === null) return null;
  return (
    <Row as="nav" justify="center" gap={4} before={4} size="sm" tone="muted" aria-label={t`Pages`}>
      <Button onClick={() => send({ type: "page.previous" })} disabled={!hasPrevious}>
        {t`← Prev`}
      </Button>
      {/* Of the rows on the screen: the number of pages belongs to them, not to what is being loaded. */}
      <span className={css["pages"]}>{t`Page ${shownPage} of ${pageCount}`}</span>
      <Button
        onClick={() => send({ type: "page.next" })}
        disabled={!hasNext}
        onPointerEnter={near}
        onPointerDown={near}
        onFocus={near}
      >
        {t`Next →`}
      </Button>
    </Row>
  );
}
