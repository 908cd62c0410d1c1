import type { Lead } from "../../../domain/lead.ts";
import { type Board, type Column, type ColumnPage, valueOf } from "../../services/board.ts";
import { movedLead } from "../lead-row/lead-row.move.ts";

export { type Board, type Column, type ValueField, valueOf } from "../../services/board.ts";
export type Move = { leadId: string; stageId: string };

/** Returns a lead and its column; null if it is not shown. */
export function findLead(board: Board, leadId: string): { column: Column; lead: Lead } | null {
  for (const column of board.columns) {
    const lead = column.leads.find(({ id }) => id === leadId);
    if (lead) return { column, lead };
  }
  return null;
}

const createdAt = ({ created_at: at }: Lead) => (at === null ? 0 : Date.parse(at) || 0);
/** Compares newest first; the id breaks ties. */
const isAfter = (lead: Lead, other: Lead): boolean =>
  createdAt(lead) === createdAt(other) ? lead.id < other.id : createdAt(lead) < createdAt(other);

/** Inserts by date, or at the top of a column sorted by something else. */
function withLead(leads: readonly Lead[], lead: Lead, isSorted: boolean): Lead[] {
  const place = isSorted ? 0 : leads.findIndex((other) => isAfter(other, lead));
  return place === -1 ? [...leads, lead] : [...leads.slice(0, place), lead, ...leads.slice(place)];
}

/** Moves a lead to another column and resets its follow-ups. Returns the same board if the lead is already there or unknown. */
export function withMove(board: Board, { leadId, stageId }: Move, isSorted: boolean): Board {
  const found = findLead(board, leadId);
  if (!found || found.column.stage.id === stageId || !board.columns.some(({ stage }) => stage.id === stageId))
    return board;
  const lead = movedLead(found.lead, stageId);
  const value = valueOf(lead, board.valueField);
  return {
    ...board,
    columns: board.columns.map((column) => {
      if (column === found.column)
        return {
          ...column,
          total: Math.max(0, column.total - 1),
          value: column.value === null ? null : column.value - value,
          leads: column.leads.filter(({ id }) => id !== leadId),
        };
      if (column.stage.id !== stageId) return column;
      return {
        ...column,
        total: column.total + 1,
        value: column.value === null ? null : column.value + value,
        leads: withLead(column.leads, lead, isSorted),
      };
    }),
  };
}

/** Appends a page of cards to a column; leads already on the board stay in place. */
export function withPage(board: Board, { stageId, leads, total }: ColumnPage): Board {
  const known = new Set(board.columns.flatMap((column) => column.leads.map(({ id }) => id)));
  return {
    ...board,
    columns: board.columns.map((column) => {
      if (column.stage.id !== stageId) return column;
      const fresh = leads.filter(({ id }) => !known.has(id));
      const all = [...column.leads, ...fresh];
      // A page without new leads is the last until the next refresh.
      return { ...column, leads: all, total: fresh.length === 0 ? all.length : Math.max(total, all.length) };
    }),
  };
}

/** A refreshed board; cards beyond its end stay, except those that it has elsewhere. */
export function withTails(fresh: Board, before: Board | null): Board {
  if (before === null) return fresh;
  const known = new Set(fresh.columns.flatMap(({ leads }) => leads.map(({ id }) => id)));
  return {
    ...fresh,
    columns: fresh.columns.map((column) => {
      const old = before.columns.find(({ stage }) => stage.id === column.stage.id);
      if (!old || old.leads.length <= column.leads.length || column.leads.length >= column.total) return column;
      const tail = old.leads.slice(column.leads.length).filter(({ id }) => !known.has(id));
      return { ...column, leads: [...column.leads, ...tail].slice(0, Math.max(column.leads.length, column.total)) };
    }),
  };
}

/** How many cards of each column are loaded, by stage id. */
export const lengthsOf = (board: Board | null): Record<string, number> =>
  Object.fromEntries((board?.columns ?? []).map(({ stage, leads }) => [stage.id, leads.length]));

/** The board with unconfirmed moves applied. */
export const shownBoard = (board: Board, moves: readonly Move[], isSorted: boolean): Board =>
  moves.reduce((shown, move) => withMove(shown, move, isSorted), board);
