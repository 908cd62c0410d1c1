import { useLayoutEffect, useState } from "react";
import type { Lead } from "../../../domain/lead.ts";
import type { Column } from "../../machines/board/board.shape.ts";

export type ColumnHandle = {
  /** Scrolls to a card and focuses it; false when the column has no card at this index. */
  focusAt: (index: number) => boolean;
};

/** Drags cards, opens their menu and moves the focus between them. The same object for the life of the board. */
export type CardDrag = {
  lift: (lead: Lead) => void;
  drop: (stageId: string) => void;
  release: () => void;
  openMenu: (lead: Lead, trigger: HTMLElement) => void;
  /** Moves the focus from card to card by the arrow keys. */
  step: (leadId: string, key: string) => void;
  /** Whether the dragged card comes from this stage. */
  isHome: (stageId: string) => boolean;
  /** Registers a column; returns a function that removes it. */
  addColumn: (stageId: string, handle: ColumnHandle) => () => void;
};

type Board = {
  columns: readonly Column[];
  lift: (leadId: string) => void;
  drop: (stageId: string) => void;
  release: () => void;
  onLand: (leadId: string, stageId: string) => void;
  onMenu: (lead: Lead, trigger: HTMLElement) => void;
};

const indexIn = (column: Column, leadId: string) => column.leads.findIndex(({ id }) => id === leadId);

function createCardDrag(first: Board): CardDrag & { update: (board: Board) => void } {
  let board = first;
  let held: Lead | null = null;
  const handles = new Map<string, ColumnHandle>();
  const focusAt = (column: Column | undefined, index: number) =>
    column !== undefined && handles.get(column.stage.id)?.focusAt(index) === true;
  return {
    update: (next) => void (board = next),
    lift(lead) {
      held = lead;
      board.lift(lead.id);
    },
    drop(stageId) {
      const lead = held;
      held = null;
      if (lead === null) return;
      if (lead.stage_id === stageId) return board.release();
      board.drop(stageId);
      board.onLand(lead.id, stageId);
    },
    release() {
      held = null;
      board.release();
    },
    openMenu: (lead, trigger) => board.onMenu(lead, trigger),
    step(leadId, key) {
      const at = board.columns.findIndex((column) => indexIn(column, leadId) !== -1);
      const column = board.columns[at];
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
        const onward = isOnward ? board.columns.slice(at + 1) : board.columns.slice(0, at).toReversed();
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

export function useCardDrag(board: Board): CardDrag {
  const [cardDrag] = useState(() => createCardDrag(board));
  useLayoutEffect(() => cardDrag.update(board));
  return cardDrag;
}
