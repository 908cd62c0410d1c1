import { RefreshCw } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { leadsText, numberText } from "../../machines/kit/format.ts";
import {
  type LeadsRequest,
  selectArrived,
  selectHasList,
  selectIsLoading,
  selectIsOutdated,
  selectIsStageGone,
  selectIsUnread,
  selectRefusal,
  selectTotal,
  useLeads,
  useLeadsEvents,
} from "../../machines/leads/index.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { useWidth } from "../../ui/use-width.ts";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { BoardLink } from "./BoardLink.tsx";
import { DeletedStage } from "./DeletedStage.tsx";
import type { ExtraCells } from "./extra-cells.ts";
import { LeadsPagination } from "./LeadsPagination.tsx";
import { LeadsTable } from "./LeadsTable.tsx";
import css from "./LeadsView.module.css";

/** The container's width in CSS pixels under which rows are cards, as the style sheet has it. */
const CARDS_UNDER = 54 * 16;

export type LeadsViewProps = {
  /** Opens and closes what stands in `tools`. */
  onTools?: () => void;
  /** What goes beyond the plain list, under its title; null while it is closed. */
  tools?: ReactNode;
  extras?: ExtraCells | null;
  /** Somebody is about to ask for this page: the pointer or the focus is on the way to it. */
  onNextNear?: (request: LeadsRequest) => void;
};

export function LeadsView({ onTools, tools = null, extras = null, onNextNear }: LeadsViewProps) {
  const isUnread = useLeads(selectIsUnread);
  const isOutdated = useLeads(selectIsOutdated);
  const refusal = useLeads(selectRefusal);
  const { applyFilters, clearFilters, refresh, retry } = useLeadsEvents();
  const formId = useId();
  const [areFiltersOpen, setAreFiltersOpen] = useState(false);
  const [width, measure] = useWidth(CARDS_UNDER);
  // Where rows are cards, the fields open under a button, and Apply stands under them.
  const isApplyBelow = areFiltersOpen && width < CARDS_UNDER && !isUnread;
  const applyButton = (
    <Button type="submit" form={formId} variant="primary">
      Apply Filters
    </Button>
  );

  const apply = (event: FormEvent) => {
    event.preventDefault();
    applyFilters();
  };

  return (
    <div ref={areFiltersOpen ? measure : undefined} className={css["screen"]}>
      <PageHeader
        title="Leads"
        subtitle={<LeadsStatus />}
        actions={
          <div className={css["acts"]}>
            {!isApplyBelow && applyButton}
            <Button onClick={clearFilters}>Clear All</Button>
            <BoardLink />
            <Button onClick={refresh}>
              <RefreshCw className={css["icon"]} aria-hidden="true" />
              Refresh
            </Button>
            {onTools && (
              <Button aria-expanded={tools !== null} onClick={onTools}>
                Tools
              </Button>
            )}
          </div>
        }
      />
      {/* The fields stand in the table's head and belong to this form by its id. */}
      <form id={formId} onSubmit={apply} noValidate hidden />
      {tools !== null && <div className={css["tools"]}>{tools}</div>}
      {useLeads(selectIsStageGone) && <DeletedStage />}
      <ArrivalsOffer />
      {(isUnread || isOutdated) && (
        <div className={css["failure"]}>
          <Banner tone="bad" actions={<Button onClick={retry}>Try again</Button>}>
            Could not fetch leads, stages or followups. Check your login or backend.
            {refusal !== null && ` ${refusal}`}
            {isOutdated && " What you see is from before."}
          </Banner>
        </div>
      )}
      {!isUnread && (
        <>
          <LeadsTable
            formId={formId}
            areFiltersOpen={areFiltersOpen}
            onFilters={setAreFiltersOpen}
            apply={isApplyBelow && applyButton}
            extras={extras}
          />
          <LeadsPagination onNextNear={onNextNear} />
        </>
      )}
    </div>
  );
}

/** What the list holds. Its line is always there, so that nothing below it moves when the words change. */
function LeadsStatus() {
  const isLoading = useLeads(selectIsLoading);
  const hasList = useLeads(selectHasList);
  const isUnread = useLeads(selectIsUnread);
  const total = useLeads(selectTotal);
  return (
    <span role="status" className={css["status"]}>
      {isLoading ? "Loading leads..." : hasList && !isUnread && leadsText(total)}
    </span>
  );
}

/** New leads wait over the list, taking no room in it, until the person asks for them. */
function ArrivalsOffer() {
  const arrived = useLeads(selectArrived);
  const isUnread = useLeads(selectIsUnread);
  const { showArrivals } = useLeadsEvents();
  const isOffered = arrived > 0 && !isUnread;
  return (
    <>
      <VisuallyHidden role="status">{isOffered && `${leadsText(arrived)} came in.`}</VisuallyHidden>
      {isOffered && (
        <div className={css["offer"]}>
          <Button size="small" onClick={showArrivals}>
            {numberText(arrived)} new, refresh
          </Button>
        </div>
      )}
    </>
  );
}
