import { isSorted } from "../leads/leads.filters.ts";
import { type BoardContext, type BoardSnapshot, isFiltered } from "./board.machine.ts";
import { type Board, type Column, shownBoard } from "./board.shape.ts";

const NO_COLUMNS: readonly Column[] = [];

/** The board as the person sees it, the same for as long as nothing of it changed. */
function createShown() {
  let last: Pick<BoardContext, "board" | "moves" | "filters"> | null = null;
  let shown: Board | null = null;
  return ({ board, moves, filters }: BoardContext): Board | null => {
    if (last?.board !== board || last.moves !== moves || last.filters !== filters) {
      shown = board && shownBoard(board, moves, isSorted(filters));
      last = { board, moves, filters };
    }
    return shown;
  };
}
const shownOf = createShown();

export const selectColumns = (board: BoardSnapshot) => shownOf(board.context)?.columns ?? NO_COLUMNS;
export const selectValueField = (board: BoardSnapshot) => board.context.board?.valueField ?? null;
export const selectFilters = (board: BoardSnapshot) => board.context.filters;
export const selectIsFiltered = (board: BoardSnapshot) => isFiltered(board.context.filters);
/** The stage that is filtered on does not exist any more. */
export const selectIsStageGone = ({ context: { board, filters } }: BoardSnapshot) =>
  board !== null && filters.stageId !== "" && !board.columns.some(({ stage }) => stage.id === filters.stageId);
/** Why the filters cannot be read; null where they can. */
export const selectRefusal = (board: BoardSnapshot) => board.context.refusal;
export const selectIsLoading = (board: BoardSnapshot) => board.hasTag("loading");
export const selectIsExtending = (board: BoardSnapshot) => board.matches({ tail: "extending" });
/** Further cards could not be read, of one column or another: none asks by itself until somebody tries again. */
export const selectIsUnextended = (board: BoardSnapshot) => board.matches({ tail: "unextended" });
export const selectDragged = (board: BoardSnapshot) => board.context.dragged;
