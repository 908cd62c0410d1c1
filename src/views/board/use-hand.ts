import { useLayoutEffect, useState } from "react";
import type { Lead } from "../../../domain/lead.ts";
import type { Column } from "../../machines/board/board.shape.ts";

export type ColumnHandle = {
  /** Shows a card and gives it the focus; false where the column has no such place. */
  focusAt: (index: number) => boolean;
};

/** What a hand does with cards; the same object for the life of the board. */
export type Hand = {
  lift: (lead: Lead) => void;
  drop: (stageId: string) => void;
  release: () => void;
  openMenu: (lead: Lead, trigger: HTMLElement) => void;
  /** Arrow keys go from card to card. */
  step: (leadId: string, key: string) => void;
  /** Whether the card that is being dragged comes from this stage: there it is at home already. */
  isHome: (stageId: string) => boolean;
  /** Tells of a column that is on the screen; returns what ends it. */
  addColumn: (stageId: string, handle: ColumnHandle) => () => void;
};

type Table = {
  columns: readonly Column[];
  lift: (leadId: string) => void;
  drop: (stageId: string) => void;
  release: () => void;
  onLand: (leadId: string, stageId: string) => void;
  onMenu: (lead: Lead, trigger: HTMLElement) => void;
};

const indexIn = (column: Column, leadId: string) => column.leads.findIndex(({ id }) => id === leadId);

function createHand(first: Table): Hand & { lay: (table: Table) => void } {
  let table = first;
  let held: Lead | null = null;
  const handles = new Map<string, ColumnHandle>();
  const focusAt = (column: Column | undefined, index: number) =>
    column !== undefined && handles.get(column.stage.id)?.focusAt(index) === true;
  return {
    lay: (next) => void (table = next),
    lift(lead) {
      held = lead;
      table.lift(lead.id);
    },
    drop(stageId) {
      const lead = held;
      held = null;
      if (lead === null) return;
      if (lead.stage_id === stageId) return table.release();
      table.drop(stageId);
      table.onLand(lead.id, stageId);
    },
    release() {
      held = null;
      table.release();
    },
    openMenu: (lead, trigger) => table.onMenu(lead, trigger),
    step(leadId, key) {
      const at = table.columns.findIndex((column) => indexIn(column, leadId) !== -1);
      const column = table.columns[at];
      if (column === undefined) return;
      const row = indexIn(column, leadId);
      const rows: Record<string, number> = {
        ArrowDown: row + 1,
        ArrowUp: row - 1,
        Home: 0,
        End: column.leads.length - 1,
      };
      if (rows[key] !== undefined) focusAt(column, rows[key]);
      else {
        const isOnward = key === (document.dir === "rtl" ? "ArrowLeft" : "ArrowRight");
        const onward = isOnward ? table.columns.slice(at + 1) : table.columns.slice(0, at).toReversed();
        const next = onward.find(({ leads }) => leads.length > 0);
        if (next) focusAt(next, Math.min(row, next.leads.length - 1));
      }
    },
    isHome: (stageId) => held !== null && held.stage_id === stageId,
    addColumn(stageId, handle) {
      handles.set(stageId, handle);
      return () => void handles.delete(stageId);
    },
  };
}

export function useHand(table: Table): Hand {
  const [hand] = useState(() => createHand(table));
  useLayoutEffect(() => hand.lay(table));
  return hand;
}
