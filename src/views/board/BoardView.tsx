import { useLingui } from "@lingui/react/macro";
import { Columns3 } from "lucide-react";
import { Suspense, lazy, useEffect, useState } from "react";
import { Link } from "wouter";
import type { Lead } from "../../../domain/lead.ts";
import {
  selectColumns,
  selectIsFiltered,
  selectIsLoading,
  selectIsStageGone,
  selectRefusal,
  selectValueField,
  useBoard,
  useBoardEvents,
  useCanBoard,
} from "../../machines/board/index.ts";
import { leadsText } from "../../machines/kit/format.ts";
import { selectOutdated, selectUnread } from "../../machines/kit/reading.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button, buttonLook } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { nameOf } from "../conversation/names.ts";
import { DeletedStage } from "../leads/DeletedStage.tsx";
import { readyForTouch } from "./BoardCard.tsx";
import { BoardColumn } from "./BoardColumn.tsx";
import { Box, Row, Stack } from "../../ui/layout.tsx";
import css from "./BoardView.module.css";
import { useHand } from "./use-hand.ts";

const MoveMenu = lazy(() => import("./MoveMenu.tsx"));

export type BoardViewProps = {
  /** The list under the same filters. */
  listHref: string;
};

/** The leads as a board: a column a stage. */
export function BoardView({ listHref }: BoardViewProps) {
  const { t } = useLingui();
  const unread = useBoard(selectUnread);
  const outdated = useBoard(selectOutdated);
  const isLoading = useBoard(selectIsLoading);
  const refusal = useBoard(selectRefusal);
  const isFiltered = useBoard(selectIsFiltered);
  const canClear = useCanBoard({ type: "filters.clear" });
  const canRetry = useCanBoard({ type: "reading.retry" });
  const { clearFilters, retryReading } = useBoardEvents();
  return (
    <Box share="rest" className={css["screen"]}>
      <PageHeader
        title={t`Board`}
        subtitle={<BoardStatus />}
        actions={
          <>
            {isFiltered && (
              <Button isResting={!canClear} onClick={clearFilters}>
                {t`Clear filters`}
              </Button>
            )}
            <Link href={listHref} className={buttonLook()}>
              {isFiltered ? t`Filters and list` : t`List`}
            </Link>
          </>
        }
      />
      {unread !== null && <NotRead what={unread} onRetry={retryReading} />}
      {outdated !== null && <NotRead what={outdated} isOutdated isResting={!canRetry} onRetry={retryReading} />}
      {useBoard(selectIsStageGone) && <DeletedStage />}
      {refusal !== null && <Banner tone="bad">{t`These filters cannot be read. ${refusal}`}</Banner>}
      {isLoading ? <Skeletons /> : unread === null && refusal === null && <Columns />}
    </Box>
  );
}

function BoardStatus() {
  const { t } = useLingui();
  const isLoading = useBoard(selectIsLoading);
  const columns = useBoard(selectColumns);
  const total = columns.reduce((sum, column) => sum + column.total, 0);
  return (
    <span role="status" className={css["status"]}>
      {isLoading ? t`Loading the board...` : columns.length > 0 && leadsText(total)}
    </span>
  );
}

const Skeletons = () => (
  <Row align="stretch" gap={3} share="rest" className={css["board"]} aria-hidden="true">
    {["a", "b", "c", "d"].map((key) => (
      <Stack isPacked gap={3} pad={3} key={key} className={css["skeletons"]}>
        <Skeleton height="1.5rem" width="60%" />
        <Skeleton height="4.5rem" />
        <Skeleton height="4.5rem" />
        <Skeleton height="4.5rem" />
      </Stack>
    ))}
  </Row>
);

type Menu = { lead: Lead; trigger: HTMLElement };
type Landed = { leadId: string; stageId: string; takesFocus: boolean };

/** What the keyboard's focus was on is gone from its place with the card. */
const hasFocus = () =>
  document.activeElement === document.body || document.activeElement?.closest("[data-board]") != null;

function Columns() {
  const { t } = useLingui();
  const columns = useBoard(selectColumns);
  const valueField = useBoard(selectValueField);
  const { lift, drop, release, move } = useBoardEvents();
  const now = useNow();
  const [menu, setMenu] = useState<Menu | null>(null);
  const [landed, setLanded] = useState<Landed | null>(null);
  // Without its code a finger has the card's menu.
  useEffect(() => void readyForTouch().catch(() => {}), []);
  const hand = useHand({
    columns,
    lift,
    drop,
    release,
    onLand: (leadId, stageId) => setLanded({ leadId, stageId, takesFocus: hasFocus() }),
    onMenu: (lead, trigger) => setMenu({ lead, trigger }),
  });

  if (columns.length === 0)
    return (
      <EmptyState
        icon={<Columns3 />}
        title={t`No stages yet`}
        actions={<Link href="/stages">{t`Set up the stages`}</Link>}
      >
        {t`Each stage is a column here.`}
      </EmptyState>
    );
  return (
    <>
      <Row align="stretch" gap={3} share="rest" className={css["board"]} data-board role="group" aria-label={t`Stages`}>
        {columns.map((column) => (
          <BoardColumn
            key={column.stage.id}
            column={column}
            valueField={valueField}
            now={now}
            landed={landed?.stageId === column.stage.id ? landed : null}
            hand={hand}
          />
        ))}
      </Row>
      {menu !== null && (
        <Suspense fallback={null}>
          <MoveMenu
            label={t`Move ${{ lead: nameOf(menu.lead) }} to`}
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
