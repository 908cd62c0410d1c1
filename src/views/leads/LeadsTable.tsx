import { Inbox, SlidersHorizontal } from "lucide-react";
import { useId, useState } from "react";
import { type LeadRowLogic, LeadRowProvider } from "../../machines/lead-row/index.ts";
import {
  selectHasList,
  selectIsFiltered,
  selectIsLoading,
  selectLeads,
  selectStages,
  selectStepsByStage,
  useLeads,
} from "../../machines/leads/index.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { LeadRow } from "./LeadRow.tsx";
import { LeadsHead } from "./LeadsHead.tsx";
import css from "./LeadsTable.module.css";

const COLUMNS = 8;
const SKELETON_ROWS = Array.from({ length: 12 }, (_, index) => index);

export function LeadsTable({ formId, rowLogic }: { formId: string; rowLogic: LeadRowLogic }) {
  const hasList = useLeads(selectHasList);
  const isLoading = useLeads(selectIsLoading);
  const headId = useId();
  const [areFiltersOpen, setAreFiltersOpen] = useState(false);
  return (
    <div className={css["frame"]}>
      <Button
        className={css["filtersToggle"]}
        aria-expanded={areFiltersOpen}
        aria-controls={headId}
        onClick={() => setAreFiltersOpen(!areFiltersOpen)}
      >
        <SlidersHorizontal className={css["icon"]} aria-hidden="true" />
        Filters
      </Button>
      <table className={css["table"]} aria-label="Leads" aria-busy={isLoading}>
        <thead id={headId} className={css["head"]} data-open={areFiltersOpen || undefined}>
          <LeadsHead formId={formId} />
        </thead>
        <tbody className={css["body"]}>{hasList ? <LeadRows rowLogic={rowLogic} /> : <SkeletonRows />}</tbody>
      </table>
    </div>
  );
}

function LeadRows({ rowLogic }: { rowLogic: LeadRowLogic }) {
  const leads = useLeads(selectLeads);
  const stages = useLeads(selectStages);
  const stepsByStage = useLeads(selectStepsByStage);
  const isFiltered = useLeads(selectIsFiltered);
  const isLoading = useLeads(selectIsLoading);
  if (leads.length === 0 && !isLoading) {
    return (
      <tr className={css["emptyRow"]}>
        <td colSpan={COLUMNS}>
          <EmptyState icon={<Inbox />} title="No leads found for selected filters.">
            {isFiltered
              ? "Loosen a filter, or Clear All to see everyone."
              : "Everyone who writes to your connected Telegram account becomes a lead here."}
          </EmptyState>
        </td>
      </tr>
    );
  }
  return leads.map((lead) => (
    <LeadRowProvider key={lead.id} logic={rowLogic} options={{ input: { lead } }}>
      <LeadRow lead={lead} stages={stages} stepsByStage={stepsByStage} />
    </LeadRowProvider>
  ));
}

function SkeletonRows() {
  return SKELETON_ROWS.map((row) => (
    <tr key={row} className={css["row"]}>
      {Array.from({ length: COLUMNS }, (_, cell) => (
        <td key={cell} className={css["cell"]}>
          <Skeleton width={`${50 + ((row * 7 + cell * 13) % 40)}%`} />
        </td>
      ))}
    </tr>
  ));
}
