import { t } from "@lingui/core/macro";
import { ArrowRightLeft } from "lucide-react";
import { type KeyboardEvent, memo, useEffect, useRef } from "react";
import { useLocale } from "#language";
import { useDrag } from "react-aria-components/useDrag";
import { Link } from "wouter";
import type { Lead } from "../../../domain/lead.ts";
import { type ValueField, valueOf } from "../../machines/board/board.shape.ts";
import { amountText } from "../../language/format.ts";
import { IconButton } from "../../ui/Button.tsx";
import { nameOf } from "../conversation/names.ts";
import { shortTime } from "../conversation/times.ts";
import { Note, Row, Text, plainLink, Span } from "../../ui/layout.tsx";
import css from "./BoardCard.module.css";
import type * as TouchDrag from "./touch-drag.ts";
import type { CardDrag } from "./use-card-drag.ts";

/** The type of dragged data; columns accept no other. */
export const LEAD_TYPE = "application/x-leadloom-lead";

export type BoardCardProps = {
  lead: Lead;
  valueField: ValueField | null;
  now: number;
  /** Whether it is the column's only card in the tab order. */
  isCurrent: boolean;
  isLanded: boolean;
  cardDrag: CardDrag;
};

let touchDrag: typeof TouchDrag | null = null;
/** Loads the code for dragging by touch, on devices with touch. */
export const readyForTouch = async (): Promise<void> => {
  if (window.matchMedia("(any-pointer: coarse)").matches) touchDrag = await import("./touch-drag.ts");
};

const STEPS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];

/** A lead's card: name, last message, tags and value. Can be dragged by mouse, touch and keyboard. */
export const BoardCard = memo(function BoardCard({
  lead,
  valueField,
  now,
  isCurrent,
  isLanded,
  cardDrag,
}: BoardCardProps) {
  useLocale();
  const card = useRef<HTMLDivElement>(null);
  const name = nameOf(lead);
  const begin = () => cardDrag.lift(lead);
  const { dragProps, isDragging } = useDrag({
    getItems: () => [{ [LEAD_TYPE]: lead.id, "text/plain": name }],
    getAllowedDropOperations: () => ["move"],
    onDragStart: begin,
    onDragEnd: cardDrag.release,
  });
  // A keyboard drag captures all keys and presses of the page until the drop, even if the card is removed.
  const isLifted = useRef(false);
  useEffect(() => {
    isLifted.current = isDragging;
  }, [isDragging]);
  useEffect(
    () => () => {
      if (isLifted.current) document.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape" }));
    },
    [],
  );
  const value = valueOf(lead, valueField);
  const tags = lead.tags ?? [];
  const at = lead.last_message_at ?? lead.created_at;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- contains a link and a button; Enter and arrows act on the card itself
    <div
      {...dragProps}
      ref={card}
      role="group"
      aria-label={name}
      className={css["card"]}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Enter starts a drag
      tabIndex={isCurrent ? 0 : -1}
      data-card={lead.id}
      data-dragging={isDragging || undefined}
      data-landed={isLanded || undefined}
      onPointerDown={(event) => {
        // React Aria takes a press on the exact center for a screen reader's, but a mouse can hit it too.
        if (event.pointerType !== "mouse") dragProps.onPointerDown?.(event);
        if (event.pointerType !== "touch" || !event.isPrimary) return;
        if (event.target instanceof Element && event.target.closest("button") !== null) return;
        const { clientX: x, clientY: y, pointerId } = event;
        touchDrag?.holdByTouch(
          event.currentTarget,
          { x, y, pointerId },
          {
            onLift: begin,
            onDrop: cardDrag.drop,
            onRelease: cardDrag.release,
          },
        );
      }}
      onKeyDown={(event: KeyboardEvent<HTMLDivElement>) => {
        if (event.target !== event.currentTarget || !STEPS.includes(event.key)) return;
        event.preventDefault();
        cardDrag.step(lead.id, event.key);
      }}
    >
      <Row as="span" gap={2} share="less">
        <Text
          as={Link}
          clamp={1}
          weight="medium"
          dir="auto"
          href={`/leads/${encodeURIComponent(lead.id)}`}
          className={plainLink}
          title={name}
          tabIndex={isCurrent ? 0 : -1}
          draggable={false}
        >
          {name}
        </Text>
        {at !== null && (
          <Note as="time" share="own" size="xs" className={css["time"]} dateTime={at}>
            {shortTime(at, now)}
          </Note>
        )}
      </Row>
      <Row as="span" gap={2} share="less">
        <Row as="span" align="stretch" gap={1} share="rest" className={css["tags"]}>
          {tags.map((tag) => (
            <Span
              share="own"
              clamp={1}
              size="xs"
              key={tag.id}
              className={css["tag"]}
              style={{ ["--tag" as string]: tag.color }}
            >
              {tag.name}
            </Span>
          ))}
          {tags.length === 0 && lead.username !== null && (
            <Note as="span" clamp={1} size="xs" dir="auto">
              @{lead.username}
            </Note>
          )}
        </Row>
        {value !== 0 && (
          <Span share="own" size="sm" weight="strong">
            {amountText(value)}
          </Span>
        )}
        <IconButton
          className={css["menu"]}
          label={t`Move ${name} to another stage`}
          icon={<ArrowRightLeft />}
          tabIndex={isCurrent ? 0 : -1}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => cardDrag.openMenu(lead, currentTarget)}
        />
      </Row>
    </div>
  );
});
