import { ArrowRightLeft } from "lucide-react";
import { type KeyboardEvent, memo, useRef } from "react";
import { useDrag } from "react-aria-components/useDrag";
import { Link } from "wouter";
import type { Lead } from "../../../domain/lead.ts";
import { type ValueField, useBoardEvents, valueOf } from "../../machines/board/index.ts";
import { amountText } from "./amount.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { nameOf } from "../conversation/names.ts";
import { shortTime } from "../conversation/times.ts";
import css from "./BoardCard.module.css";
import { holdByTouch } from "./touch-drag.ts";

/** The kind of what is dragged: a column takes nothing else. */
export const LEAD_TYPE = "application/x-leadloom-lead";

export type CardHand = {
  /** A card was lifted from this stage, or let go. */
  onLift: (stageId: string) => void;
  onDrop: (leadId: string, stageId: string) => void;
  onMenu: (lead: Lead, trigger: HTMLElement) => void;
  /** Arrow keys go from card to card. */
  onStep: (leadId: string, key: string) => void;
};

export type BoardCardProps = {
  lead: Lead;
  valueField: ValueField | null;
  now: number;
  /** The one card of its column that Tab comes to. */
  isCurrent: boolean;
  isLanded: boolean;
  hand: CardHand;
};

const STEPS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];

/** One lead: who it is, when they were heard of last, their tags and their value. Dragged by mouse, finger and keyboard. */
export const BoardCard = memo(function BoardCard({
  lead,
  valueField,
  now,
  isCurrent,
  isLanded,
  hand,
}: BoardCardProps) {
  const { lift, release } = useBoardEvents();
  const card = useRef<HTMLDivElement>(null);
  const name = nameOf(lead);
  const stageId = lead.stage_id ?? "";
  const begin = () => {
    hand.onLift(stageId);
    lift(lead.id);
  };
  const { dragProps, isDragging } = useDrag({
    getItems: () => [{ [LEAD_TYPE]: lead.id, "text/plain": name }],
    getAllowedDropOperations: () => ["move"],
    onDragStart: begin,
    onDragEnd: release,
  });
  const value = valueOf(lead, valueField);
  const tags = lead.tags ?? [];
  const at = lead.last_message_at ?? lead.created_at;
  return (
    <div
      {...dragProps}
      ref={card}
      role="group"
      aria-label={name}
      className={css["card"]}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Enter lifts it
      tabIndex={isCurrent ? 0 : -1}
      data-card={lead.id}
      data-dragging={isDragging || undefined}
      data-landed={isLanded || undefined}
      onPointerDown={(event) => {
        dragProps.onPointerDown?.(event);
        if (event.pointerType !== "touch" || !event.isPrimary) return;
        if (event.target instanceof Element && event.target.closest("button") !== null) return;
        const { clientX: x, clientY: y, pointerId } = event;
        holdByTouch(
          event.currentTarget,
          { x, y, pointerId },
          {
            onLift: begin,
            onDrop: (to) => hand.onDrop(lead.id, to),
            onRelease: release,
          },
        );
      }}
      onKeyDown={(event: KeyboardEvent<HTMLDivElement>) => {
        if (event.target !== event.currentTarget || !STEPS.includes(event.key)) return;
        event.preventDefault();
        hand.onStep(lead.id, event.key);
      }}
    >
      <span className={css["line"]}>
        <Link
          href={`/leads/${encodeURIComponent(lead.id)}`}
          className={css["name"] ?? ""}
          title={name}
          tabIndex={isCurrent ? 0 : -1}
          draggable={false}
        >
          <bdi>{name}</bdi>
        </Link>
        {at !== null && (
          <time className={css["time"]} dateTime={at}>
            {shortTime(at, now)}
          </time>
        )}
      </span>
      <span className={css["line"]}>
        <span className={css["tags"]}>
          {tags.map((tag) => (
            <span key={tag.id} className={css["tag"]} style={{ ["--tag" as string]: tag.color }}>
              {tag.name}
            </span>
          ))}
          {tags.length === 0 && lead.username !== null && (
            <span className={css["username"]} dir="auto">
              @{lead.username}
            </span>
          )}
        </span>
        {value !== 0 && <span className={css["value"]}>{amountText(value)}</span>}
        <IconButton
          className={css["menu"]}
          label={`Move ${name} to another stage`}
          icon={<ArrowRightLeft aria-hidden="true" />}
          tabIndex={isCurrent ? 0 : -1}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => hand.onMenu(lead, currentTarget)}
        />
      </span>
    </div>
  );
});
