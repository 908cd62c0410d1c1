import type { Lead } from "../../../domain/lead.ts";
import type { Stage } from "../../../domain/stage.ts";
import { movedLead } from "../lead-row/lead-row.move.ts";

export type ValueField = { id: string; name: string };
/** `total` counts all that match, `leads` are the first of them, newest first unless the board is sorted; `value` is their sum. */
export type Column = { stage: Stage; total: number; value: number | null; leads: readonly Lead[] };
export type Board = { columns: readonly Column[]; valueField: ValueField | null };
export type Move = { leadId: string; stageId: string };
export type ColumnPage = { stageId: string; leads: readonly Lead[]; total: number };

/** Where a lead is on the board; null where it is not shown. */
export function findLead(board: Board, leadId: string): { column: Column; lead: Lead } | null {
  for (const column of board.columns) {
    const lead = column.leads.find(({ id }) => id === leadId);
    if (lead) return { column, lead };
  }
  return null;
}

/** What the value field of a lead holds; 0 for none. */
export const valueOf = (lead: Lead, field: ValueField | null): number => {
  const value = field === null ? null : (lead.fields?.[field.id] ?? null);
  return typeof value === "number" ? value : 0;
};

const createdAt = ({ created_at: at }: Lead) => (at === null ? 0 : Date.parse(at) || 0);
/** Newest first; the id decides between two of one moment. */
const isAfter = (lead: Lead, other: Lead): boolean =>
  createdAt(lead) === createdAt(other) ? lead.id < other.id : createdAt(lead) < createdAt(other);

/** In its place among the newest first, or on top of a column that is sorted by something else. */
function withLead(leads: readonly Lead[], lead: Lead, isSorted: boolean): Lead[] {
  const place = isSorted ? 0 : leads.findIndex((other) => isAfter(other, lead));
  return place === -1 ? [...leads, lead] : [...leads.slice(0, place), lead, ...leads.slice(place)];
}

/** The board with a lead in another column, its follow-ups begun anew; the same board where it is there already, or not known. */
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

/** The board with further cards at the end of a column; who is on it already stays where they are. */
export function withPage(board: Board, { stageId, leads, total }: ColumnPage): Board {
  const known = new Set(board.columns.flatMap((column) => column.leads.map(({ id }) => id)));
  return {
    ...board,
    columns: board.columns.map((column) => {
      if (column.stage.id !== stageId) return column;
      const fresh = leads.filter(({ id }) => !known.has(id));
      const all = [...column.leads, ...fresh];
      // Where the end brought nobody new, there is no more to ask for until the next reading.
      return { ...column, leads: all, total: fresh.length === 0 ? all.length : Math.max(total, all.length) };
    }),
  };
}

/** A newer reading; what was scrolled to beyond its end stays, but for whom it knows elsewhere. */
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

/** How many cards of each column are known, by the stage's id. */
export const lengthsOf = (board: Board | null): Record<string, number> =>
  Object.fromEntries((board?.columns ?? []).map(({ stage, leads }) => [stage.id, leads.length]));

/** What the person sees: their own moves are there before the server has taken them. */
export const shownBoard = (board: Board, moves: readonly Move[], isSorted: boolean): Board =>
  moves.reduce((shown, move) => withMove(shown, move, isSorted), board);
