import { Columns3 } from "lucide-react";
import { Suspense, lazy, useCallback, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import type { Lead } from "../../../domain/lead.ts";
import {
  type Column,
  selectColumns,
  selectIsLoading,
  selectValueField,
  useBoard,
  useBoardEvents,
  useCanBoard,
} from "../../machines/board/index.ts";
import { leadsText } from "../../machines/kit/format.ts";
import { selectOutdated, selectUnread } from "../../machines/kit/reading.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { nameOf } from "../conversation/names.ts";
import type { CardHand } from "./BoardCard.tsx";
import { BoardColumn, type ColumnHandle } from "./BoardColumn.tsx";
import css from "./BoardView.module.css";

const MoveMenu = lazy(() => import("./MoveMenu.tsx"));

export type BoardViewProps = {
  /** The list under the same filters. */
  listHref: string;
};

/** The leads as a board: a column a stage. */
export function BoardView({ listHref }: BoardViewProps) {
  const unread = useBoard(selectUnread);
  const outdated = useBoard(selectOutdated);
  const isLoading = useBoard(selectIsLoading);
  const isFiltered = useCanBoard({ type: "filters.clear" });
  const { clearFilters, retryReading } = useBoardEvents();
  return (
    <div className={css["screen"]}>
      <PageHeader
        title="Board"
        subtitle={<BoardStatus />}
        actions={
          <>
            {isFiltered && <Button onClick={clearFilters}>Clear filters</Button>}
            <Link href={listHref} className={css["switch"] ?? ""}>
              {isFiltered ? "Filters and list" : "List"}
            </Link>
          </>
        }
      />
      {unread !== null && <NotRead what={unread} onRetry={retryReading} />}
      {outdated !== null && <NotRead what={outdated} isOutdated onRetry={retryReading} />}
      {isLoading ? <Skeletons /> : unread === null && <Columns />}
    </div>
  );
}

function BoardStatus() {
  const isLoading = useBoard(selectIsLoading);
  const columns = useBoard(selectColumns);
  const total = columns.reduce((sum, column) => sum + column.total, 0);
  return (
    <span role="status" className={css["status"]}>
      {isLoading ? "Loading the board..." : columns.length > 0 && leadsText(total)}
    </span>
  );
}

const Skeletons = () => (
  <div className={css["board"]} aria-hidden="true">
    {["a", "b", "c", "d"].map((key) => (
      <div key={key} className={css["skeletons"]}>
        <Skeleton height="1.5rem" width="60%" />
        <Skeleton height="4.5rem" />
        <Skeleton height="4.5rem" />
        <Skeleton height="4.5rem" />
      </div>
    ))}
  </div>
);

type Menu = { lead: Lead; trigger: HTMLElement };
type Landed = { leadId: string; stageId: string; takesFocus: boolean };

const indexIn = (column: Column, leadId: string) => column.leads.findIndex(({ id }) => id === leadId);

function Columns() {
  const columns = useBoard(selectColumns);
  const valueField = useBoard(selectValueField);
  const { drop, move, release } = useBoardEvents();
  const now = useNow();
  const [menu, setMenu] = useState<Menu | null>(null);
  const [landed, setLanded] = useState<Landed | null>(null);
  const handles = useRef(new Map<string, ColumnHandle>());
  const home = useRef<string | null>(null);
  const latest = useRef(columns);
  latest.current = columns;

  const land = useCallback((leadId: string, stageId: string) => {
    // The keyboard's focus was on what is gone from its place.
    const takesFocus = document.activeElement?.closest("[data-board]") != null || document.activeElement === document.body;
    setLanded({ leadId, stageId, takesFocus });
  }, []);

  const hand = useMemo<CardHand>(
    () => ({
      onLift(stageId) {
        home.current = stageId;
      },
      onDrop(leadId, stageId) {
        if (home.current === stageId) release();
        else {
          drop(stageId);
          land(leadId, stageId);
        }
        home.current = null;
      },
      onMenu: (lead, trigger) => setMenu({ lead, trigger }),
      onStep(leadId, key) {
        const at = latest.current.findIndex((column) => indexIn(column, leadId) !== -1);
        const column = latest.current[at];
        if (column === undefined) return;
        const row = indexIn(column, leadId);
        const focusAt = (other: Column | undefined, index: number) =>
          other !== undefined && (handles.current.get(other.stage.id)?.focusAt(index) ?? false);
        if (key === "ArrowDown") focusAt(column, row + 1);
        else if (key === "ArrowUp") focusAt(column, row - 1);
        else if (key === "Home") focusAt(column, 0);
        else if (key === "End") focusAt(column, column.leads.length - 1);
        else {
          const by = key === "ArrowRight" ? 1 : -1;
          for (let next = at + by; latest.current[next] !== undefined; next += by) {
            const other = latest.current[next];
            if (other && other.leads.length > 0) return void focusAt(other, Math.min(row, other.leads.length - 1));
          }
        }
      },
    }),
    [drop, land, release],
  );
  const isHome = useCallback((stageId: string) => home.current === stageId, []);

  if (columns.length === 0)
    return (
      <EmptyState icon={<Columns3 />} title="No stages yet" actions={<Link href="/stages">Set up the stages</Link>}>
        Each stage is a column here.
      </EmptyState>
    );
  return (
    <>
      <div className={css["board"]} data-board role="group" aria-label="Stages">
        {columns.map((column) => (
          <BoardColumn
            key={column.stage.id}
            ref={(handle) => {
              if (handle) handles.current.set(column.stage.id, handle);
              return () => void handles.current.delete(column.stage.id);
            }}
            column={column}
            valueField={valueField}
            now={now}
            landed={landed?.stageId === column.stage.id ? landed : null}
            hand={hand}
            isHome={isHome}
          />
        ))}
      </div>
      {menu !== null && (
        <Suspense fallback={null}>
          <MoveMenu
            label={`Move ${nameOf(menu.lead)} to`}
            trigger={menu.trigger}
            stages={columns.map(({ stage }) => stage).filter(({ id }) => id !== menu.lead.stage_id)}
            onChoose={(stageId) => {
              move(menu.lead.id, stageId);
              setLanded({ leadId: menu.lead.id, stageId, takesFocus: true });
            }}
            onClose={() => setMenu(null)}
          />
        </Suspense>
      )}
    </>
  );
}
