import type { ChangeEvent, KeyboardEvent } from "react";
import type { Lead } from "../../../domain/lead.ts";
import {
  selectIsPicked,
  selectPageMark,
  useCanSelection,
  useSelection,
  useSelectionEvents,
} from "../../machines/selection/index.ts";
import css from "./LeadTools.module.css";

/** Ticks every lead of the page, or none. */
function usePageTick() {
  const mark = useSelection(selectPageMark);
  const canToggle = useCanSelection({ type: "page.toggle" });
  const { togglePage } = useSelectionEvents();
  return {
    className: css["tick"],
    checked: mark === "all",
    ref: (input: HTMLInputElement | null) => {
      if (input) input.indeterminate = mark === "some";
    },
    disabled: !canToggle,
    onChange: togglePage,
  };
}

/** Where rows are cards: there is no head to tick. */
export function PageChoice() {
  const tick = usePageTick();
  return (
    <label className={css["pageTick"]} title="Select page">
      <input type="checkbox" {...tick} />
      <span className={css["toolWords"]}>Select page</span>
    </label>
  );
}

export function HeadTick() {
  const tick = usePageTick();
  return (
    <th scope="col" className={css["tickHead"]} data-column="Select">
      <input type="checkbox" aria-label="Select all on this page" {...tick} />
    </th>
  );
}

const tickOf = (row: Element | null | undefined) => row?.querySelector<HTMLInputElement>("input[data-lead]") ?? null;

/** Ticks a lead; with Shift everything from the last one ticked, by the pointer or by the arrows. */
export function RowTick({ lead }: { lead: Lead }) {
  const isPicked = useSelection((chart) => selectIsPicked(chart, lead.id));
  const { toggle, extendTo, clear } = useSelectionEvents();
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const click = event.nativeEvent as MouseEvent;
    if (click.shiftKey) extendTo(lead.id);
    else toggle(lead.id);
  };
  const move = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape") clear();
    const isDown = event.key === "ArrowDown";
    if (!isDown && event.key !== "ArrowUp") return;
    const row = event.currentTarget.closest("tr");
    const next = tickOf(isDown ? row?.nextElementSibling : row?.previousElementSibling);
    if (next === null) return;
    event.preventDefault();
    next.focus();
    if (!event.shiftKey) return;
    if (!isPicked) toggle(lead.id);
    extendTo(next.dataset["lead"] ?? "");
  };
  return (
    <td data-label="Select" className={css["tickCell"]}>
      <input
        type="checkbox"
        className={css["tick"]}
        aria-label={`Select ${lead.name ?? lead.username ?? "this lead"}`}
        data-lead={lead.id}
        checked={isPicked}
        onChange={change}
        onKeyDown={move}
      />
    </td>
  );
}
