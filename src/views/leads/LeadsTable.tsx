import { t } from "@lingui/core/macro";
import { Inbox } from "lucide-react";
import { type MouseEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { LeadFilters } from "../../machines/leads/leads.filters.ts";
import { Leads, rowId, selectRows, selectStages, selectSteps, touchRow } from "../../machines/leads/leads.machine.ts";
import type { WideColumn } from "../../machines/leads/leads.options.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { INSIDE } from "../../ui/inside.ts";
import type { ExtraCells } from "./extra-cells.ts";
import { LeadRow } from "./LeadRow.tsx";
import { LeadsHead } from "./LeadsHead.tsx";
import { Table, TableFrame } from "../../ui/Table.tsx";
import css from "./LeadsTable.module.css";
import { NowProvider } from "./wide-cells.tsx";

const COLUMNS = 8;

type LeadsTableProps = {
  formId: string;
  headId: string;
  /** Whether the filters of the card layout are open. */
  areFiltersOpen: boolean;
  columns: readonly WideColumn[];
  extras: ExtraCells | null;
};

export function LeadsTable({ formId, headId, areFiltersOpen, columns, extras }: LeadsTableProps) {
  const isLoading = Leads.useSelector((list) => list.hasTag("loading"));
  const isLate = useIsLate(isLoading);
  const frame = usePageTop();
  const page = Leads.useSelector((list) => list.context.shown?.page ?? null);
  const filters = Leads.useSelector((list) => list.context.shown?.filters ?? null);
  const body = useLaidInFrames(page, filters);
  return (
    <TableFrame ref={frame} tabIndex={-1} role="group" aria-label={t`Leads`}>
      <NowProvider>
        <Table
          asCards
          className={css["table"]}
          aria-label={t`Leads`}
          aria-busy={isLoading}
          data-hidden={extras?.hidden}
        >
          <thead id={headId} className={css["head"]} data-open={areFiltersOpen || undefined}>
            <LeadsHead formId={formId} columns={columns} extras={extras} />
            {areFiltersOpen && (
              <tr className={css["apply"]}>
                <td colSpan={COLUMNS}>
                  <Button type="submit" form={formId} variant="primary">
                    {t`Apply Filters`}
                  </Button>
                </td>
              </tr>
            )}
          </thead>
          <tbody ref={body} className={css["body"]} data-late={isLate || undefined}>
            {page !== null ? <LeadRows columns={columns} extras={extras} /> : <SkeletonRow />}
          </tbody>
        </Table>
      </NowProvider>
    </TableFrame>
  );
}

/** How many rows the first frames of a page lay out; the style sheet has a rule for each. */
const LAID = [14, 24, 36];
const ROW_PX = 42;
/** The minimum height above the rows: the page's title and the table's head. */
const ABOVE_PX = 216;

/**
 * Lays out only the rows that fit the window in the first frame of a page or filter; the others keep their height and follow in the next
 * frames. If the window is scrolled down, as after Back, all are laid out at once.
 */
function useLaidInFrames(page: number | null, filters: LeadFilters | null) {
  const body = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => {
    const rows = body.current;
    const first = LAID.findIndex((count) => ABOVE_PX + count * ROW_PX >= window.innerHeight);
    if (rows === null) return undefined;
    if (first < 0) {
      rows.removeAttribute("data-laid");
      return undefined;
    }
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const layOut = (step: number) => {
      rows.setAttribute("data-laid", String(LAID[step] ?? "all"));
      if (page === null || filters === null || step >= LAID.length) return;
      frame = requestAnimationFrame(() => {
        if (window.scrollY > 0) layOut(LAID.length);
        else timer = setTimeout(layOut, 0, step + 1);
      });
    };
    layOut(first);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [page, filters]);
  return body;
}

/** Outgoing rows fade only if the response is slow: a brief fade would cost two extra frames. */
const LATE_MS = 200;

function useIsLate(isLoading: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isLoading) return undefined;
    const timer = setTimeout(() => setIsLate(true), LATE_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isLoading]);
  return isLate;
}

const isTyping = () => document.activeElement?.matches("input, select, textarea") ?? false;

/** Another page scrolls to the top, with the focus before the first row; a filter being typed keeps the focus. */
function usePageTop() {
  const page = Leads.useSelector((list) => list.context.shown?.page ?? null);
  const frame = useRef<HTMLDivElement>(null);
  const before = useRef(page);
  useEffect(() => {
    if (before.current !== null && before.current !== page) {
      window.scrollTo(0, 0);
      if (!isTyping()) frame.current?.focus({ preventScroll: true });
    }
    before.current = page;
  }, [page]);
  return frame;
}

/** Follows a row's link within the page like wouter's links; one handler for all rows. */
function useOpening() {
  const [, navigate] = useLocation();
  return useCallback(
    (event: MouseEvent<HTMLAnchorElement>) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      navigate(event.currentTarget.getAttribute("href") ?? "", { state: INSIDE });
    },
    [navigate],
  );
}

function LeadRows({ columns, extras }: Pick<LeadsTableProps, "columns" | "extras">) {
  const leads = Leads.useSelector((list) => list.context.leads);
  const slots = Leads.useSelector((list) => list.context.slots);
  const stages = Leads.useSelector(selectStages);
  const steps = Leads.useSelector(selectSteps);
  const isFiltered = Leads.useSelector((chart) => Object.values(chart.context.applied).some((text) => text !== ""));
  const isLoading = Leads.useSelector((list) => list.hasTag("loading"));
  const rows = Leads.useSelector(selectRows);
  const list = Leads.useActorRef();
  const touch = useCallback((leadId: string) => touchRow(list, leadId), [list]);
  const open = useOpening();
  if (leads.length === 0 && !isLoading) {
    return (
      <tr className={css["emptyRow"]}>
        <td colSpan={COLUMNS + columns.length + (extras?.count ?? 0)}>
          <EmptyState icon={<Inbox />} title={t`No leads found for selected filters.`}>
            {isFiltered
              ? t`Loosen a filter, or Clear All to see everyone.`
              : t`Everyone who writes to your connected Telegram account becomes a lead here.`}
          </EmptyState>
        </td>
      </tr>
    );
  }
  return leads.map((lead, index) => (
    <LeadRow
      key={slots[index]}
      lead={lead}
      stages={stages}
      steps={steps}
      rowRef={rows[rowId(lead.id)]}
      onTouch={touch}
      onOpen={open}
      columns={columns}
      extras={extras}
    />
  ));
}

/** Placeholder rows in one element: most often the leads load before it is seen. */
function SkeletonRow() {
  return (
    <tr className={css["emptyRow"]}>
      <td colSpan={COLUMNS} aria-hidden="true">
        <div className={css["skeleton"]} />
      </td>
    </tr>
  );
}
