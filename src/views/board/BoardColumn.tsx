import { t } from "@lingui/core/macro";
import { type Range, defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useRef, useState } from "react";
import { useLocale } from "#language";
import { useDrop } from "react-aria-components/useDrop";
import { leadsText, numberText, amountText } from "../../language/format.ts";
import { BoardChart } from "../../machines/board/board.machine.ts";
import type { Column, ValueField } from "../../machines/board/board.shape.ts";
import { ColorDot } from "../../ui/Badge.tsx";
import { LoadError } from "../../ui/LoadError.tsx";
import { BoardCard, LEAD_TYPE } from "./BoardCard.tsx";
import { Box, Note, Row, Text, Span } from "../../ui/layout.tsx";
import css from "./BoardView.module.css";
import type { CardDrag } from "./use-card-drag.ts";

/** A card with its gap, in CSS pixels; matches the style sheet. */
const CARD_PX = 84;
const TOUCH_CARD_PX = 100;
/** The next page loads when only this many cards are left below. */
const AHEAD = 20;

export type BoardColumnProps = {
  column: Column;
  valueField: ValueField | null;
  now: number;
  landed: { leadId: string; takesFocus: boolean } | null;
  cardDrag: CardDrag;
};

/** A stage's column: name, count, value and a virtualized list of cards. */
export const BoardColumn = memo(function BoardColumn({ column, valueField, now, landed, cardDrag }: BoardColumnProps) {
  useLocale();
  const { stage, total, value } = column;
  const frame = useRef<HTMLElement>(null);
  const { dropProps, isDropTarget } = useDrop({
    ref: frame,
    getDropOperation: (types) => (types.has(LEAD_TYPE) && !cardDrag.isHome(stage.id) ? "move" : "cancel"),
    onDrop: () => cardDrag.drop(stage.id),
  });
  const name = stage.name || t`Unnamed stage`;
  const sum = valueField !== null && value !== null ? amountText(value) : null;
  const label =
    sum === null ? `${name}, ${leadsText(total)}` : `${name}, ${leadsText(total)}, ${valueField?.name} ${sum}`;
  return (
    <Box
      as="section"
      surface="well"
      max="24rem"
      {...dropProps}
      ref={frame}
      className={css["column"]}
      aria-label={label}
      tabIndex={-1}
      data-stage={stage.id}
      data-over={isDropTarget ? "" : undefined}
    >
      <Row as="header" gap={2} pad={3}>
        <ColorDot color={stage.color} />
        <Text as="h2" clamp={1} size="md" title={name}>
          <bdi>{name}</bdi>
        </Text>
        <Note as="span" share="own">
          {numberText(total)}
        </Note>
        {sum !== null && (
          <Span share="own" weight="strong" className={css["sum"]} title={valueField?.name}>
            {sum}
          </Span>
        )}
      </Row>
      <Cards column={column} valueField={valueField} now={now} landed={landed} cardDrag={cardDrag} />
    </Box>
  );
});

const isCoarse = () => window.matchMedia("(pointer: coarse)").matches;

const Cards = memo(function Cards({
  column: { stage, leads, total },
  valueField,
  now,
  landed,
  cardDrag,
}: BoardColumnProps) {
  useLocale();
  const scroller = useRef<HTMLDivElement>(null);
  const dragged = BoardChart.useSelector((board) => board.context.dragged);
  const isExtending = BoardChart.useSelector((board) => board.matches({ tail: "extending" }));
  // A next page failed to load, in any column: none loads automatically until the user retries.
  const isUnextended = BoardChart.useSelector((board) => board.matches({ tail: "unextended" }));
  const canShowMore = BoardChart.useCan({ type: "column.more", stageId: stage.id });
  const send = BoardChart.useSend();
  const [currentId, setCurrentId] = useState<string | null>(null);
  const [cardPx] = useState(() => (isCoarse() ? TOUCH_CARD_PX : CARD_PX));
  const current = Math.max(
    0,
    leads.findIndex(({ id }) => id === currentId),
  );
  const held = dragged === null ? -1 : leads.findIndex(({ id }) => id === dragged);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized over it
  const virtualizer = useVirtualizer({
    count: leads.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => cardPx,
    getItemKey: (index) => leads[index]?.id ?? index,
    overscan: 6,
    // The dragged card and the focusable one stay rendered while out of view.
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), current, held])]
        .filter((index) => index >= 0 && index < leads.length)
        .toSorted((a, b) => a - b),
  });
  const items = virtualizer.getVirtualItems();
  const last = virtualizer.range?.endIndex ?? 0;

  const focusAt = (index: number) => {
    const lead = leads[index];
    if (!lead) return false;
    setCurrentId(lead.id);
    virtualizer.scrollToIndex(index, { align: "auto" });
    // The card may have to render first.
    requestAnimationFrame(() => {
      scroller.current
        ?.querySelector<HTMLElement>(`[data-card="${CSS.escape(lead.id)}"]`)
        ?.focus({ preventScroll: true });
    });
    return true;
  };
  useEffect(() => cardDrag.addColumn(stage.id, { focusAt }));

  const landedAt = landed === null ? -1 : leads.findIndex(({ id }) => id === landed.leadId);
  const shownLanding = useRef<unknown>(null);
  useEffect(() => {
    if (landed === null || landedAt === -1 || shownLanding.current === landed) return;
    shownLanding.current = landed;
    if (landed.takesFocus) focusAt(landedAt);
    else virtualizer.scrollToIndex(landedAt, { align: "auto" });
  });

  const isAtEnd = leads.length < total && last >= leads.length - AHEAD;
  const wantsMore = isAtEnd && !isExtending && !isUnextended;
  useEffect(() => {
    if (wantsMore) send({ type: "column.more", stageId: stage.id });
  }, [wantsMore, send, stage.id]);

  if (leads.length === 0)
    return (
      <div ref={scroller} className={css["scroller"]}>
        <Text tone="muted" className={css["nobody"]}>
          {t`Nobody here.`}
        </Text>
      </div>
    );
  return (
    <div
      ref={scroller}
      className={css["scroller"]}
      onFocus={({ target }) => {
        const id = target.closest<HTMLElement>("[data-card]")?.dataset["card"];
        if (id !== undefined) setCurrentId(id);
      }}
    >
      <ul className={css["cards"]} style={{ blockSize: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const lead = leads[index];
          return (
            lead && (
              <li
                key={key}
                className={css["item"]}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={total}
                aria-posinset={index + 1}
              >
                <BoardCard
                  lead={lead}
                  valueField={valueField}
                  now={now}
                  isCurrent={index === current}
                  isLanded={landed?.leadId === lead.id}
                  cardDrag={cardDrag}
                />
              </li>
            )
          );
        })}
      </ul>
      {isUnextended && isAtEnd && (
        <Box pad={[2, 0]}>
          <LoadError
            what={t`further leads`}
            isAriaDisabled={!canShowMore}
            onRetry={() => send({ type: "column.more", stageId: stage.id })}
          />
        </Box>
      )}
    </div>
  );
});
