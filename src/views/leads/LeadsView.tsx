import { RefreshCw } from "lucide-react";
import { type FormEvent, useId, useMemo } from "react";
import { leadsText, numberText } from "../../machines/kit/format.ts";
import { type LeadRowDeps, createLeadRow } from "../../machines/lead-row/index.ts";
import {
  selectArrived,
  selectHasFailed,
  selectIsLoading,
  selectTotal,
  useLeads,
  useLeadsEvents,
} from "../../machines/leads/index.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { LeadsPagination } from "./LeadsPagination.tsx";
import { LeadsTable } from "./LeadsTable.tsx";
import css from "./LeadsView.module.css";

export type LeadsViewProps = { rowDeps: Omit<LeadRowDeps, "reloadList"> };

export function LeadsView({ rowDeps }: LeadsViewProps) {
  const hasFailed = useLeads(selectHasFailed);
  const { applyFilters, clearFilters, refresh, reload } = useLeadsEvents();
  const rowLogic = useMemo(() => createLeadRow({ ...rowDeps, reloadList: reload }), [rowDeps, reload]);
  const formId = useId();

  const apply = (event: FormEvent) => {
    event.preventDefault();
    applyFilters();
  };

  return (
    <div className={css["screen"]}>
      <PageHeader
        title="Leads"
        subtitle={<LeadsStatus />}
        actions={
          <>
            <Button type="submit" form={formId} variant="primary">
              Apply Filters
            </Button>
            <Button onClick={clearFilters}>Clear All</Button>
            <Button onClick={refresh}>
              <RefreshCw className={css["icon"]} aria-hidden="true" />
              Refresh
            </Button>
          </>
        }
      />
      {/* The fields stand in the table's head and belong to this form by its id. */}
      <form id={formId} onSubmit={apply} noValidate hidden />
      <ArrivalsOffer />
      {hasFailed ? (
        <Banner tone="bad" actions={<Button onClick={refresh}>Try again</Button>}>
          Could not fetch leads, stages or followups. Check your login or backend.
        </Banner>
      ) : (
        <>
          <LeadsTable formId={formId} rowLogic={rowLogic} />
          <LeadsPagination />
        </>
      )}
    </div>
  );
}

/** What the list holds. Its line is always there, so that nothing below it moves when the words change. */
function LeadsStatus() {
  const isLoading = useLeads(selectIsLoading);
  const hasFailed = useLeads(selectHasFailed);
  const total = useLeads(selectTotal);
  const count = leadsText(total);
  return (
    <span role="status" className={css["status"]}>
      {isLoading ? "Loading leads..." : !hasFailed && count}
    </span>
  );
}

/** New leads wait over the list, taking no room in it, until the person asks for them. */
function ArrivalsOffer() {
  const arrived = useLeads(selectArrived);
  const { refresh } = useLeadsEvents();
  if (arrived === 0) return null;
  return (
    <div className={css["offer"]} role="status">
      <Button size="small" onClick={refresh}>
        {numberText(arrived)} new, refresh
      </Button>
    </div>
  );
}
