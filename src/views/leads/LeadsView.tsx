import { plural, t } from "@lingui/core/macro";
import { translate } from "#language";
import { Trans } from "@lingui/react/macro";
import { RefreshCw, SlidersHorizontal } from "lucide-react";
import { type ReactNode, use, useDeferredValue, useId, useState } from "react";
import type { ControlId } from "../../commands/commands.ts";
import { leadsText, numberText } from "../../language/format.ts";
import { type LeadsRequest, requestOf } from "../../machines/leads/leads.filters.ts";
import { Leads, selectFilterCount, selectIsStageGone, selectPageCount } from "../../machines/leads/leads.machine.ts";
import type { WideColumn } from "../../machines/leads/leads.options.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { OfflineContext } from "../../ui/LoadError.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { VisuallyHidden, Box, Row } from "../../ui/layout.tsx";
import { DeletedStage } from "./DeletedStage.tsx";
import type { ExtraCells } from "./extra-cells.ts";
import { LeadsTable } from "./LeadsTable.tsx";
import css from "./LeadsView.module.css";
import { Link } from "wouter";
import { searchOf } from "../../machines/leads/leads.address.ts";
import { submitting } from "../../ui/form.tsx";

export type LeadsViewProps = {
  onTools: () => void;
  /** Renders the additional tools below the title; null while closed. */
  renderTools: ((areFiltersOpen: boolean) => ReactNode) | null;
  /** Additional columns, if there is room. */
  columns: readonly WideColumn[];
  extras: ExtraCells | null;
  /** The user is about to open this page: the pointer or the focus is near its link. */
  onNextNear: (request: LeadsRequest) => void;
};

export function LeadsView({ onTools, renderTools, columns, extras, onNextNear }: LeadsViewProps) {
  const hasFailed = Leads.useSelector((list) => list.hasTag("loadFailed"));
  const isOutdated = Leads.useSelector((list) => list.hasTag("outdated"));
  const refusal = Leads.useSelector((list) => list.context.refusal);
  // One notice on the page says that it is offline.
  const isOffline = use(OfflineContext);
  const send = Leads.useSend();
  const formId = useId();
  const [areFiltersOpen, setAreFiltersOpen] = useState(false);
  const headId = useId();
  const filterCount = Leads.useSelector(selectFilterCount);

  const apply = submitting(() => send({ type: "filters.apply" }));

  return (
    <Box share="less">
      <div className={css["header"]}>
        <PageHeader
          title={t`Leads`}
          subtitle={<LeadsStatus />}
          actions={
            <div className={css["acts"]}>
              {/* In the card layout, the filters open below this button. */}
              <Button
                className={css["filters"]}
                aria-expanded={areFiltersOpen}
                aria-controls={headId}
                onClick={() => setAreFiltersOpen(!areFiltersOpen)}
              >
                <SlidersHorizontal />
                {filterCount === 0 ? t`Filters` : t`Filters (${filterCount})`}
              </Button>
              <Button type="submit" form={formId} variant="primary" className={css["apply"]}>
                {t`Apply Filters`}
              </Button>
              <Button
                data-command={"leads.clear" satisfies ControlId}
                onClick={() => send({ type: "filters.clear" })}
              >{t`Clear All`}</Button>
              <BoardLink />
              <Button data-command={"leads.refresh" satisfies ControlId} onClick={() => send({ type: "list.refresh" })}>
                <Trans>
                  <RefreshCw />
                  Refresh
                </Trans>
              </Button>
              <Button aria-expanded={renderTools !== null} onClick={onTools}>
                {t`Tools`}
              </Button>
            </div>
          }
        />
      </div>
      {/* The fields are in the table's head and belong to this form by its id. */}
      <form id={formId} onSubmit={apply} noValidate hidden />
      {renderTools !== null && <div className={css["tools"]}>{renderTools(areFiltersOpen)}</div>}
      {Leads.useSelector(selectIsStageGone) && <DeletedStage />}
      <ArrivalsOffer />
      {(hasFailed || isOutdated) && !isOffline && (
        <Banner
          after={4}
          tone="bad"
          actions={<Button onClick={() => send({ type: "reading.retry" })}>{t`Try again`}</Button>}
        >
          {t`Could not fetch leads, stages or followups. Check your login or backend.`}
          {refusal !== null && <> {translate(refusal)}</>}
          {isOutdated && <> {t`What you see is from before.`}</>}
        </Banner>
      )}
      {!hasFailed && (
        <>
          <LeadsTable
            formId={formId}
            headId={headId}
            areFiltersOpen={areFiltersOpen}
            columns={columns}
            extras={extras}
          />
          <LeadsPagination onNextNear={onNextNear} />
        </>
      )}
    </Box>
  );
}

/** The number of leads. Its line is always reserved, so that nothing below moves. */
function LeadsStatus() {
  const isLoading = Leads.useSelector((list) => list.hasTag("loading"));
  const hasList = Leads.useSelector((list) => list.context.shown !== null);
  const hasFailed = Leads.useSelector((list) => list.hasTag("loadFailed"));
  // Deferred: the browser's first number formatting takes longer than ten rows.
  const total = useDeferredValue(
    Leads.useSelector((list) => list.context.total),
    null,
  );
  return (
    <span role="status">
      {isLoading ? t`Loading leads...` : hasList && !hasFailed && total !== null && leadsText(total)}
    </span>
  );
}

/** Offers new leads above the list without taking space in it. */
function ArrivalsOffer() {
  const arrived = Leads.useSelector((list) => list.context.arrived);
  const hasFailed = Leads.useSelector((list) => list.hasTag("loadFailed"));
  const send = Leads.useSend();
  const isOffered = arrived > 0 && !hasFailed;
  return (
    <>
      <VisuallyHidden role="status">
        {isOffered && t`${plural({ arrived }, { one: "# lead came in.", other: "# leads came in." })}`}
      </VisuallyHidden>
      {isOffered && (
        <Row align="stretch" justify="center" className={css["offer"]}>
          <Button size="small" onClick={() => send({ type: "arrivals.show" })}>
            {t`${{ arrived: numberText(arrived) }} new, refresh`}
          </Button>
        </Row>
      )}
    </>
  );
}

function BoardLink() {
  const filters = Leads.useSelector((list) => list.context.applied);
  const search = searchOf({ filters, page: 1 });
  return (
    <Link className={buttonClass()} href={search === "" ? "/board" : `/board?${search}`}>
      {t`Board`}
    </Link>
  );
}

function LeadsPagination({ onNextNear }: Pick<LeadsViewProps, "onNextNear">) {
  const page = Leads.useSelector((list) => list.context.page);
  const shownPage = Leads.useSelector((list) => list.context.shown?.page ?? null);
  const pageCount = Leads.useSelector(selectPageCount);
  const applied = Leads.useSelector((list) => list.context.applied);
  const isLoading = Leads.useSelector((list) => list.hasTag("loading"));
  const hasPrevious = Leads.useCan({ type: "page.previous" });
  const hasNext = Leads.useCan({ type: "page.next" });
  const send = Leads.useSend();
  const near = () => {
    if (hasNext && !isLoading) onNextNear(requestOf(applied, page + 1));
  };
  // Before the first response it would be below the skeleton, and then jump up.
  if (shownPage === null) return null;
  return (
    <Row as="nav" wraps justify="center" gap={2} before={4} size="sm" tone="muted" aria-label={t`Pages`}>
      <Button onClick={() => send({ type: "page.previous" })} disabled={!hasPrevious}>
        {t`← Prev`}
      </Button>
      {/* The page number belongs to the visible rows, not to those being loaded. */}
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
