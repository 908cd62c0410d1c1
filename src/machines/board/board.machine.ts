import { msg } from "@lingui/core/runtime-macro";
import {
  type EventObject,
  type SnapshotFrom,
  and,
  assign,
  fromCallback,
  fromPromise,
  not,
  or,
  raise,
  setup,
  stateIn,
} from "xstate";
import { failureOf, isOutcomeUnknown } from "../../../domain/problem.ts";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { ScreenAddress } from "../../services/address.ts";
import type { Board, Column, ColumnPage, createBoardGateway } from "../../services/board.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { alerting, alertState } from "../kit/confirming.ts";
import type { ReadingEvent, ReadingTag } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { loadRegion, watchingEvents } from "../kit/refreshing.ts";
import { failureMessage, writing } from "../kit/writing.ts";
import { MOVE_FAILED, type MoveUndo, announceMove } from "../lead-row/lead-row.move.ts";
import { placeOf, searchOf } from "../leads/leads.address.ts";
import { type LeadFilters, NO_FILTERS, isSorted, narrowingOf } from "../leads/leads.filters.ts";
import { type Move, findLead, lengthsOf, shownBoard, withMove, withPage, withTails } from "./board.shape.ts";

export type BoardParts = {
  board: ReturnType<typeof createBoardGateway>;
  /** The page's shared gateway of leads: a read of the board must not revert a write. */
  leads: MoveUndo & { changeStage(input: Move): Promise<void> };
  address: Pick<ScreenAddress, "read" | "write" | "subscribe">;
};

type BoardRequest = { filters: LeadFilters; lengths: Readonly<Record<string, number>> };
/** The board, or why its filters are invalid. */
type BoardAnswer = Board | { refusal: UiTextOrString };

const NEWS = ["lead.changed", "leads.changed", "tags.changed", "fields.changed"] as const;

type BoardContext = {
  filters: LeadFilters;
  /** The server's latest board. */
  board: Board | null;
  /** A newer board that arrived during a drag. */
  held: Board | null;
  dragged: string | null;
  /** Unconfirmed moves, oldest first; they are shown optimistically. */
  moves: readonly Move[];
  /** The column whose next page is loading or failed. */
  extended: string | null;
  /** The server's message about invalid filters. */
  refusal: UiTextOrString | null;
};

/** Returns the filters as an address's query; the board has no pages. */
export const searchFor = (filters: LeadFilters): string => searchOf({ filters, page: 1 });
export const filtersIn = (search: string): LeadFilters => placeOf(search).filters;
export const isFiltered = (filters: LeadFilters): boolean => searchFor(filters) !== "";

const shownOf = ({ board, moves, filters }: BoardContext) => board && shownBoard(board, moves, isSorted(filters));
const columnOf = (board: Board | null, stageId: string) => board?.columns.find(({ stage }) => stage.id === stageId);

const columns = loadRegion({
  src: "fetchBoard",
  store: "storeBoard",
  what: msg`the board`,
  input: ({ context }: { context: BoardContext }) => ({
    filters: context.filters,
    lengths: lengthsOf(context.board),
  }),
});
const { shown } = columns.states;
const { outdated } = shown.states;

/**
 * The board: loads its columns and their next pages, drags cards, and saves moves one at a time. A move shows at once and is reverted if
 * the server refuses it. Updates are applied only when no card is being dragged and no move is being saved.
 */
export const createBoard = (page: Page, { board, leads, address }: BoardParts) =>
  setup({
    types: {
      input: {} as { filters: LeadFilters },
      context: {} as BoardContext,
      events: {} as
        | ReadingEvent
        | { type: "address.changed"; filters: LeadFilters }
        | { type: "filters.clear" }
        | { type: "column.more"; stageId: string }
        | { type: "card.lift"; leadId: string }
        | { type: "card.drop"; stageId: string }
        | { type: "card.release" }
        | { type: "card.move"; leadId: string; stageId: string }
        | { type: "board.changed" },
      tags: {} as ReadingTag,
    },
    actors: {
      fetchBoard: fromPromise<BoardAnswer, BoardRequest>(async ({ input: { filters, lengths }, signal }) => {
        try {
          return await board.read({ filters: narrowingOf(filters), lengths }, signal);
        } catch (error) {
          const { status, message } = failureOf(error);
          if (status === 422 && message !== null) return { refusal: message };
          throw error;
        }
      }),
      fetchColumn: fromPromise<ColumnPage, { filters: LeadFilters; stageId: string; offset: number }>(
        ({ input: { filters, ...place }, signal }) => board.extend({ filters: narrowingOf(filters), ...place }, signal),
      ),
      moveLead: writing(page, leads.changeStage, {
        done: msg`Lead stage updated`,
        failed: MOVE_FAILED,
      }),
      showAlert: alerting(page.notifier),
      watchBoard: watchingEvents(page.events, NEWS, "board.changed"),
      watchAddress: fromCallback<EventObject>(({ sendBack }) =>
        address.subscribe(() => sendBack({ type: "address.changed", filters: filtersIn(address.read()) })),
      ),
    },
    actions: {
      storeBoard: assign(({ context: { board, dragged } }, answer: BoardAnswer) => {
        if ("refusal" in answer) return { board: null, held: null, refusal: answer.refusal };
        const whole = withTails(answer, board);
        return { refusal: null, ...(dragged === null ? { board: whole, held: null } : { held: whole }) };
      }),
      storePage: assign(({ context: { board } }, page: ColumnPage) => ({
        board: board && withPage(board, page),
        extended: null,
      })),
      markExtended: assign((_, { stageId }: { stageId: string }) => ({ extended: stageId })),
      storeDragged: assign((_, { leadId }: { leadId: string }) => ({ dragged: leadId })),
      endDrag: assign(({ context: { board, held } }) => ({ dragged: null, board: held ?? board, held: null })),
      queueMove: assign(({ context: { moves } }, { leadId, stageId }: Move) => ({
        moves: [...moves, { leadId, stageId }],
      })),
      queueDrop: assign(({ context: { moves, dragged } }, { stageId }: { stageId: string }) => ({
        moves: [...moves, { leadId: dragged ?? "", stageId }],
      })),
      settleMove: assign(({ context: { board, held, moves, filters } }) => {
        const [move, ...rest] = moves;
        const settle = (known: Board | null) => (known && move ? withMove(known, move, isSorted(filters)) : known);
        return { board: settle(board), held: settle(held), moves: rest };
      }),
      takeBack: assign(({ context: { moves } }) => ({ moves: moves.slice(1) })),
      goToFilters: assign((_, { filters }: { filters: LeadFilters }) => ({
        filters,
        board: null,
        held: null,
        refusal: null,
      })),
      clearFilters: assign({ filters: NO_FILTERS, board: null, held: null, refusal: null }),
      writeAddress: (_args, { filters }: { filters: LeadFilters }) => address.write(searchFor(filters)),
      offerUndo: ({ self }, { leadId }: { leadId: string }) =>
        announceMove(page, leads, {
          leadId,
          list: {
            send: () => self.send({ type: "board.changed" }),
            getSnapshot: () => self.getSnapshot(),
          },
        }),
      /** Adds to the spec's alert that the lead may have been moved. */
      warnUnanswered: (_args, { error }: { error: unknown }) => {
        if (isOutcomeUnknown(error)) page.notifier.warn(failureMessage(error, MOVE_FAILED));
      },
      refresh: raise({ type: "reading.refresh" }),
      noteNews: raise({ type: "board.changed" }),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isShown: ({ context }, { leadId }: { leadId: string }) => {
        const shown = shownOf(context);
        return shown !== null && findLead(shown, leadId) !== null;
      },
      isOtherColumn: ({ context }, { leadId, stageId }: { leadId: string | null; stageId: string }) => {
        const shown = shownOf(context);
        const found = shown && leadId !== null ? findLead(shown, leadId) : null;
        return found !== null && found.column.stage.id !== stageId && columnOf(shown, stageId) !== undefined;
      },
      hasMore: ({ context: { board } }, { stageId }: { stageId: string }) => {
        const column = columnOf(board, stageId);
        return column !== undefined && column.leads.length < column.total;
      },
      hasMoves: ({ context }) => context.moves.length > 0,
      isElsewhere: ({ context }, { filters }: { filters: LeadFilters }) =>
        searchFor(filters) !== searchFor(context.filters),
      canClear: and([({ context }) => isFiltered(context.filters), "isHandFree"]),
      // A reload of the board ends a drag.
      isHandFree: ({ context }) => context.dragged === null || context.board === null,
      isHolding: not("isHandFree"),
      isQuiet: and([
        stateIn({ hand: "resting" }),
        stateIn({ moves: "settled" }),
        not(or([stateIn({ columns: "loading" }), stateIn({ columns: { shown: "refreshing" } })])),
      ]),
    },
    delays: { newsPause: 1_000 },
  }).createMachine({
    id: "board",
    context: ({ input }) => ({
      filters: input.filters,
      board: null,
      held: null,
      dragged: null,
      moves: [],
      extended: null,
      refusal: null,
    }),
    type: "parallel",
    invoke: [
      { id: "watchBoard", src: "watchBoard" },
      { id: "watchAddress", src: "watchAddress" },
    ],
    states: {
      columns: {
        ...columns,
        states: {
          ...columns.states,
          shown: {
            ...shown,
            states: {
              ...shown.states,
              outdated: { ...outdated, on: { "reading.retry": { guard: "isHandFree", target: "refreshing" } } },
            },
          },
        },
        on: {
          "address.changed": { guard: withEvent("isElsewhere"), target: ".loading", actions: withEvent("goToFilters") },
          "filters.clear": {
            guard: "canClear",
            target: ".loading",
            actions: ["clearFilters", { type: "writeAddress", params: ({ context }) => context }],
          },
        },
      },
      /** A refresh cancels the column's next page. */
      tail: {
        initial: "resting",
        on: {
          "column.more": { guard: withEvent("hasMore"), target: ".extending", actions: withEvent("markExtended") },
          "address.changed": { guard: withEvent("isElsewhere"), target: ".resting" },
          "filters.clear": { guard: "canClear", target: ".resting" },
        },
        states: {
          resting: {},
          extending: {
            on: { "column.more": {} },
            invoke: {
              id: "fetchColumn",
              src: "fetchColumn",
              input: ({ context: { filters, extended, board } }) => ({
                filters,
                stageId: extended ?? "",
                offset: columnOf(board, extended ?? "")?.leads.length ?? 0,
              }),
              onDone: { target: "resting", actions: withOutput("storePage") },
              onError: { target: "unextended", actions: reportFailure("further leads of a column could not be read") },
            },
          },
          unextended: { on: { "column.more": { guard: "isHolding" } } },
        },
      },
      hand: {
        initial: "resting",
        states: {
          resting: {
            on: {
              "card.lift": { guard: withEvent("isShown"), target: "dragging", actions: withEvent("storeDragged") },
              "card.move": { guard: withEvent("isOtherColumn"), actions: withEvent("queueMove") },
            },
          },
          dragging: {
            on: {
              "card.drop": [
                {
                  guard: {
                    type: "isOtherColumn",
                    params: ({ context, event }) => ({ leadId: context.dragged, stageId: event.stageId }),
                  },
                  target: "resting",
                  actions: [withEvent("queueDrop"), "endDrag"],
                },
                { target: "resting", actions: "endDrag" },
              ],
              "card.release": { target: "resting", actions: "endDrag" },
              "address.changed": { guard: withEvent("isElsewhere"), target: "resting", actions: "endDrag" },
            },
          },
        },
      },
      moves: {
        initial: "settled",
        states: {
          settled: { always: { guard: "hasMoves", target: "moving" } },
          moving: {
            invoke: {
              id: "moveLead",
              src: "moveLead",
              input: ({ context }) => context.moves[0] ?? { leadId: "", stageId: "" },
              onDone: {
                target: "settled",
                actions: [
                  { type: "offerUndo", params: ({ context }) => ({ leadId: context.moves[0]?.leadId ?? "" }) },
                  "settleMove",
                  "noteNews",
                ],
              },
              onError: {
                target: "refused",
                actions: [
                  "takeBack",
                  withEvent("warnUnanswered"),
                  reportFailure("a lead's stage was not changed"),
                  "noteNews",
                ],
              },
            },
          },
          refused: alertState({ message: msg`Failed to update stage` }, "settled"),
        },
      },
      news: {
        initial: "quiet",
        states: {
          quiet: { on: { "board.changed": "gathering" } },
          // A bulk send changes many leads a second, so refreshes are throttled.
          gathering: {
            after: {
              newsPause: [
                { guard: "isQuiet", target: "quiet", actions: "refresh" },
                { target: "gathering", reenter: true },
              ],
            },
          },
        },
      },
    },
  });

export const BoardChart = createChart<typeof createBoard>("board");
export type BoardSnapshot = SnapshotFrom<typeof createBoard>;

const NO_COLUMNS: readonly Column[] = [];

/** Returns a memoized selector of the columns shown. */
function createShownColumns() {
  let last: Pick<BoardContext, "board" | "moves" | "filters"> | null = null;
  let shown = NO_COLUMNS;
  return ({ context }: BoardSnapshot): readonly Column[] => {
    const { board, moves, filters } = context;
    if (last?.board !== board || last.moves !== moves || last.filters !== filters) {
      shown = shownOf(context)?.columns ?? NO_COLUMNS;
      last = context;
    }
    return shown;
  };
}
export const selectColumns = createShownColumns();

/** Whether the stage filter names a deleted stage. */
export const selectIsStageGone = ({ context: { board, filters } }: BoardSnapshot): boolean =>
  board !== null && filters.stageId !== "" && !board.columns.some(({ stage }) => stage.id === filters.stageId);
