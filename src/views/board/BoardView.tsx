import { t } from "@lingui/core/macro";
import { Columns3 } from "lucide-react";
import { Suspense, lazy, useEffect, useState } from "react";
import { Link } from "wouter";
import { translate } from "#language";
import type { Lead } from "../../../domain/lead.ts";
import { BoardChart, isFiltered, selectColumns, selectIsStageGone } from "../../machines/board/board.machine.ts";
import { leadsText } from "../../language/format.ts";
import { selectOutdated, selectLoadFailed } from "../../machines/kit/loading.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { LoadError } from "../../ui/LoadError.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { useNow } from "../../ui/hooks.ts";
import { nameOf } from "../conversation/names.ts";
import { DeletedStage } from "../leads/DeletedStage.tsx";
import { readyForTouch } from "./BoardCard.tsx";
import { BoardColumn } from "./BoardColumn.tsx";
import { Box, Row, Stack } from "../../ui/layout.tsx";
import css from "./BoardView.module.css";
import { useCardDrag } from "./use-card-drag.ts";

const MoveMenu = lazy(() => import("./MoveMenu.tsx"));

export function BoardView({ listHref }: { listHref: string }) {
  const missing = BoardChart.useSelector(selectLoadFailed);
  const outdated = BoardChart.useSelector(selectOutdated);
  const isLoading = BoardChart.useSelector((board) => board.hasTag("loading"));
  const refusal = BoardChart.useSelector((board) => board.context.refusal);
  const isNarrowed = BoardChart.useSelector((board) => isFiltered(board.context.filters));
  const isStageGone = BoardChart.useSelector(selectIsStageGone);
  const canClear = BoardChart.useCan({ type: "filters.clear" });
  const canRetry = BoardChart.useCan({ type: "reading.retry" });
  const send = BoardChart.useSend();
  const retry = () => send({ type: "reading.retry" });
  return (
    <Box share="rest" className={css["screen"]}>
      <PageHeader
        title={t`Board`}
        subtitle={<BoardStatus />}
        actions={
          <>
            {isNarrowed && (
              <Button isAriaDisabled={!canClear} onClick={() => send({ type: "filters.clear" })}>
                {t`Clear filters`}
              </Button>
            )}
            <Link href={listHref} className={buttonClass()}>
              {isNarrowed ? t`Filters and list` : t`List`}
            </Link>
          </>
        }
      />
      {missing !== null && <LoadError what={missing} onRetry={retry} />}
      {outdated !== null && <LoadError what={outdated} isOutdated isAriaDisabled={!canRetry} onRetry={retry} />}
      {isStageGone && <DeletedStage />}
      {refusal !== null && (
        <Banner tone="bad">{t`These filters cannot be read. ${{ refusal: translate(refusal) }}`}</Banner>
      )}
      {isLoading ? <Skeletons /> : missing === null && refusal === null && <Columns />}
    </Box>
  );
}

function BoardStatus() {
  const isLoading = BoardChart.useSelector((board) => board.hasTag("loading"));
  const columns = BoardChart.useSelector(selectColumns);
  const total = columns.reduce((sum, column) => sum + column.total, 0);
  return <span role="status">{isLoading ? t`Loading the board...` : columns.length > 0 && leadsText(total)}</span>;
}

const Skeletons = () => (
  <Row align="stretch" gap={3} share="rest" className={css["board"]} aria-hidden="true">
    {["a", "b", "c", "d"].map((key) => (
      <Stack gap={3} pad={3} key={key} className={css["skeletons"]}>
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

/** The focused element moved away with its card. */
const hasFocus = () =>
  document.activeElement === document.body || document.activeElement?.closest("[data-board]") != null;

function Columns() {
  const columns = BoardChart.useSelector(selectColumns);
  const valueField = BoardChart.useSelector((board) => board.context.board?.valueField ?? null);
  const send = BoardChart.useSend();
  const now = useNow();
  const [menu, setMenu] = useState<Menu | null>(null);
  const [landed, setLanded] = useState<Landed | null>(null);
  // Without this code, touch users can use the card's menu.
  useEffect(() => void readyForTouch().catch(() => {}), []);
  const cardDrag = useCardDrag({
    columns,
    lift: (leadId) => send({ type: "card.lift", leadId }),
    drop: (stageId) => send({ type: "card.drop", stageId }),
    release: () => send({ type: "card.release" }),
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
            cardDrag={cardDrag}
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
              send({ type: "card.move", leadId: menu.lead.id, stageId });
              setLanded({ leadId: menu.lead.id, stageId, takesFocus: true });
            }}
            onClose={() => setMenu(null)}
          />
        </Suspense>
      )}
    </>
  );
}
