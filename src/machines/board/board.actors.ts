import { type EventObject, fromCallback, fromPromise } from "xstate";
import type { EventType } from "../../../domain/events.ts";
import { failureOf } from "../../../domain/problem.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { Logger } from "../kit/reporting.ts";
import { type Notifier, alerting } from "../kit/speaking.ts";
import { writing } from "../kit/writing.ts";
import { MOVE_FAILED } from "../lead-row/lead-row.move.ts";
import { type LeadFilters, requestOf } from "../leads/leads.filters.ts";
import type { Board, ColumnPage, Move } from "./board.shape.ts";

type Filters = Readonly<Record<string, unknown>>;
export type BoardRequest = { filters: LeadFilters; lengths: Readonly<Record<string, number>> };
/** The board, or why its filters cannot be read. */
export type BoardAnswer = Board | { refusal: string };
export type PageRequest = { filters: LeadFilters; stageId: string; offset: number };

export type BoardGateway = {
  /** All columns; those of which more is known than the first cards come as long as they were. */
  read(input: { filters: Filters; lengths: Readonly<Record<string, number>> }, signal: AbortSignal): Promise<Board>;
  /** Further cards of a column. */
  extend(input: { filters: Filters; stageId: string; offset: number }, signal: AbortSignal): Promise<ColumnPage>;
  /** Moves the lead and resets its follow-ups. */
  changeStage(input: Move): Promise<void>;
  /** Takes the newest move back, within a minute. */
  undoStage(input: { leadId: string }): Promise<void>;
};

export type BoardDeps = {
  board: BoardGateway;
  events: { subscribe(type: EventType, listener: (data: unknown) => void): () => void };
  /** The filters in the page's address. */
  address: {
    read(): LeadFilters;
    write(filters: LeadFilters): void;
    subscribe(listener: () => void): () => void;
  };
  notifier: Pick<Notifier, "toast" | "warn" | "alert">;
  logger: Logger;
};

export const placeholderActors = {
  fetchBoard: notProvided<BoardAnswer, BoardRequest>("fetchBoard"),
  fetchColumn: notProvided<ColumnPage, PageRequest>("fetchColumn"),
  moveLead: notProvided<void, Move>("moveLead"),
  showAlert: notProvided<void, { message: string }>("showAlert"),
  watchBoard: fromCallback<EventObject>(() => {}),
  watchAddress: fromCallback<EventObject>(() => {}),
};

const NEWS: readonly EventType[] = ["lead.changed", "leads.changed", "tags.changed", "fields.changed"];

/** The list's filters as its calls take them, without the page and the columns' own narrowing. */
function filtersOf(filters: LeadFilters): Filters {
  const { limit: _limit, offset: _offset, ...narrowing } = requestOf(filters, 1);
  return narrowing;
}

export const createBoardActors = ({ board, events, address, notifier, logger }: BoardDeps) => ({
  fetchBoard: fromPromise<BoardAnswer, BoardRequest>(async ({ input: { filters, lengths }, signal }) => {
    try {
      return await board.read({ filters: filtersOf(filters), lengths }, signal);
    } catch (error) {
      const { status, message } = failureOf(error);
      if (status === 422 && message !== null) return { refusal: message };
      throw error;
    }
  }),
  fetchColumn: fromPromise<ColumnPage, PageRequest>(({ input: { filters, ...place }, signal }) =>
    board.extend({ filters: filtersOf(filters), ...place }, signal),
  ),
  moveLead: writing<void, Move>({ notifier, logger }, (move) => board.changeStage(move), {
    done: "Lead stage updated",
    failed: MOVE_FAILED,
  }),
  showAlert: alerting(notifier),
  watchBoard: fromCallback<EventObject>(({ sendBack }) => {
    const stops = NEWS.map((type) => events.subscribe(type, () => sendBack({ type: "board.changed" })));
    return () => stops.forEach((stop) => stop());
  }),
  watchAddress: fromCallback<EventObject>(({ sendBack }) =>
    address.subscribe(() => sendBack({ type: "address.changed", filters: address.read() })),
  ),
});
