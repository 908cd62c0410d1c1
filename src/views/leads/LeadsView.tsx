import { plural } from "@lingui/core/macro";
import { Translated } from "#language";
import { Trans, useLingui } from "@lingui/react/macro";
import { RefreshCw, SlidersHorizontal } from "lucide-react";
import { type ReactNode, use, useDeferredValue, useId, useState } from "react";
import type { ControlId } from "../../commands/commands.ts";
import { leadsText, numberText } from "../../language/format.ts";
import { type LeadsRequest, requestOf } from "../../machines/leads/leads.filters.ts";
import { Leads, selectFilterCount, selectIsStageGone, selectPageCount } from "../../machines/leads/leads.machine.ts";
import type { RoomColumn } from "../../machines/leads/leads.more.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button, buttonLook } from "../../ui/Button.tsx";
import { OfflineContext } from "../../ui/NotRead.tsx";
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
  onTools?: () => void;
  /** What goes beyond the plain list, under its title; null while it is closed. */
  renderTools?: ((areFiltersOpen: boolean) => ReactNode) | null;
  /** Columns beside the list's own, where there is room for them. */
  columns?: readonly RoomColumn[];
  extras?: ExtraCells | null;
  /** Somebody is about to ask for this page: the pointer or the focus is on the way to it. */
  onNextNear?: (request: LeadsRequest) => void;
};

const NO_COLUMNS: readonly RoomColumn[] = [];

export function LeadsView({
  onTools,
  renderTools = null,
  columns = NO_COLUMNS,
  extras = null,
  onNextNear,
}: LeadsViewProps) {
  const { t } = useLingui();
  const hasFailed = Leads.useSelector((list) => list.hasTag("loadFailed"));
  const isOutdated = Leads.useSelector((list) => list.hasTag("outdated"));
  const refusal = Leads.useSelector((list) => list.context.refusal);
  // One notice on the page says it for all.
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
              {/* Where rows are cards, the filters and their button open under this one. */}
              <Button
                className={css["filters"]}
                aria-expanded={areFiltersOpen}
                aria-controls={headId}
                onClick={() => setAreFiltersOpen(!areFiltersOpen)}
              >
                <SlidersHorizontal aria-hidden="true" />
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
                  <RefreshCw aria-hidden="true" />
                  Refresh
                </Trans>
              </Button>
              {onTools && (
                <Button aria-expanded={renderTools !== null} onClick={onTools}>
                  {t`Tools`}
                </Button>
              )}
            </div>
          }
        />
      </div>
      {/* The fields stand in the table's head and belong to this form by its id. */}
      <form id={formId} onSubmit={apply} noValidate hidden />
      {renderTools !== null && <div className={css["tools"]}>{renderTools(areFiltersOpen)}</div>}
      {Leads.useSelector(selectIsStageGone) && <DeletedStage />}
      <ArrivalsOffer />
      {(hasFailed || isOutdated) && !isOffline && (
        <Box after={4}>
          <Banner tone="bad" actions={<Button onClick={() => send({ type: "reading.retry" })}>{t`Try again`}</Button>}>
            {t`Could not fetch leads, stages or followups. Check your login or backend.`}
            {refusal !== null && (
              <>
                {" "}
                <Translated text={refusal} />
              </>
            )}
            {isOutdated && <> {t`What you see is from before.`}</>}
          </Banner>
        </Box>
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

/** What the list holds. Its line is always there, so that nothing below it moves when the words change. */
function LeadsStatus() {
  const { t } = useLingui();
  const isLoading = Leads.useSelector((list) => list.hasTag("loading"));
  const hasList = Leads.useSelector((list) => list.context.shown !== null);
  const hasFailed = Leads.useSelector((list) => list.hasTag("loadFailed"));
  // The first number that a browser writes takes it longer than ten rows: the rows go first.
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

/** New leads wait over the list, taking no room in it, until the person asks for them. */
function ArrivalsOffer() {
  const { t } = useLingui();
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
  const { t } = useLingui();
  const filters = Leads.useSelector((list) => list.context.applied);
  const search = searchOf({ filters, page: 1 });
  return (
    <Link className={buttonLook()} href={search === "" ? "/board" : `/board?${search}`}>
      {t`Board`}
    </Link>
  );
}

type LeadsPaginationProps = { onNextNear?: ((request: LeadsRequest) => void) | undefined };

function LeadsPagination({ onNextNear }: LeadsPaginationProps) {
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
    <Row as="nav" wraps justify="center" gap={2} before={4} size="sm" tone="muted" aria-label={t`Pages`}>
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
