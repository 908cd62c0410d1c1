import { createMachineContext } from "../kit/context.tsx";
import { boardMachine } from "./board.machine.ts";

const BoardChart = createMachineContext(boardMachine, (board) => ({
  retryReading: () => board.send({ type: "reading.retry" }),
  clearFilters: () => board.send({ type: "filters.clear" }),
  showMore: (stageId: string) => board.send({ type: "column.more", stageId }),
  lift: (leadId: string) => board.send({ type: "card.lift", leadId }),
  drop: (stageId: string) => board.send({ type: "card.drop", stageId }),
  release: () => board.send({ type: "card.release" }),
  /** Without the hand: from a card's menu. */
  move: (leadId: string, stageId: string) => board.send({ type: "card.move", leadId, stageId }),
}));

export const BoardProvider = BoardChart.Provider;
export const useBoard = BoardChart.use;
export const useCanBoard = BoardChart.useCan;
/** What a person can do to the board. */
export const useBoardEvents = BoardChart.useVerbs;
