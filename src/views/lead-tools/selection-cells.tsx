import { t } from "@lingui/core/macro";
import type { ChangeEvent, KeyboardEvent } from "react";
import type { Lead } from "../../../domain/lead.ts";
import { Selection, selectPageMark } from "../../machines/selection/selection.machine.ts";
import css from "./LeadTools.module.css";

function usePageTick() {
  const toggle = { type: "page.toggle" } as const;
  const mark = Selection.useSelector(selectPageMark);
  const canToggle = Selection.useCan(toggle);
  const send = Selection.useSend();
  return {
    className: css["tick"],
    checked: mark === "all",
    ref: (input: HTMLInputElement | null) => {
      if (input) input.indeterminate = mark === "some";
    },
    disabled: !canToggle,
    onChange: () => send(toggle),
  };
}

/** The page's checkbox for rows as cards, which have no table head. */
export function SelectPage() {
  const tick = usePageTick();
  return (
    <label className={css["pageTick"]} title={t`Select page`}>
      <input type="checkbox" {...tick} />
      <span className={css["toolWords"]}>{t`Select page`}</span>
    </label>
  );
}

export function HeaderCheckbox() {
  const tick = usePageTick();
  return (
    <th scope="col" className={css["tickHead"]} data-column="select">
      <input type="checkbox" aria-label={t`Select all on this page`} {...tick} />
    </th>
  );
}

const tickOf = (row: Element | null | undefined) => row?.querySelector<HTMLInputElement>("input[data-lead]") ?? null;

/** Selects a lead; with Shift, all leads from the last selected one, by pointer or arrow keys. */
export function RowCheckbox({ lead }: { lead: Lead }) {
  const isPicked = Selection.useSelector(({ context }) => context.ids.includes(lead.id));
  const send = Selection.useSend();
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const click = event.nativeEvent as MouseEvent;
    send({ type: click.shiftKey ? "lead.extend" : "lead.toggle", leadId: lead.id });
  };
  const move = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape") send({ type: "selection.clear" });
    const isDown = event.key === "ArrowDown";
    if (!isDown && event.key !== "ArrowUp") return;
    const row = event.currentTarget.closest("tr");
    const next = tickOf(isDown ? row?.nextElementSibling : row?.previousElementSibling);
    if (next === null) return;
    event.preventDefault();
    next.focus();
    if (!event.shiftKey) return;
    if (!isPicked) send({ type: "lead.toggle", leadId: lead.id });
    send({ type: "lead.extend", leadId: next.dataset["lead"] ?? "" });
  };
  return (
    <td data-label={t`Select`} className={css["tickCell"]}>
      <input
        type="checkbox"
        className={css["tick"]}
        aria-label={t`Select ${{ name: lead.name ?? lead.username ?? t`this lead` }}`}
        data-lead={lead.id}
        checked={isPicked}
        onChange={change}
        onKeyDown={move}
      />
    </td>
  );
}
