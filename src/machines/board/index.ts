import { isOutcomeUnknown } from "../../../domain/problem.ts";
import { failureMessage } from "../kit/failed.ts";
import { createReporter } from "../kit/reporting.ts";
import { MOVE_FAILED, announceMove } from "../lead-row/lead-row.move.ts";
import { type BoardDeps, createBoardActors } from "./board.actors.ts";
import { boardMachine } from "./board.machine.ts";

/** The board over its outside parts. */
export const createBoard = (deps: BoardDeps) =>
  boardMachine.provide({
    actors: createBoardActors(deps),
    actions: {
      writeAddress: (_, { filters }) => deps.address.write(filters),
      offerUndo({ self }, { leadId }) {
        const list = {
          send: () => self.send({ type: "board.changed" }),
          getSnapshot: () => self.getSnapshot() as { status: string },
        };
        announceMove(deps, deps.board, { leadId, list });
      },
      warnUnanswered(_, { error }) {
        if (isOutcomeUnknown(error)) deps.notifier.warn(failureMessage(error, MOVE_FAILED));
      },
      reportFailure: createReporter(deps.logger),
    },
  });

export type { BoardDeps } from "./board.actors.ts";
export { BoardProvider, useBoard, useBoardEvents, useCanBoard } from "./board.context.tsx";
export { type BoardSnapshot, boardMachine } from "./board.machine.ts";
export * from "./board.selectors.ts";
export { type Board, type Column, type ColumnPage, type ValueField, valueOf } from "./board.shape.ts";
