import { parse } from "valibot";
import { Lead } from "../../domain/lead.ts";
import type { Stage } from "../../domain/stage.ts";
import { createBoard } from "../../src/machines/board/board.machine.ts";
import type { Board, Column } from "../../src/machines/board/board.shape.ts";
import { NO_FILTERS } from "../../src/machines/leads/leads.filters.ts";
import { done, modelOf, notCalled, whileAtRest } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const noAddress = { read: () => "", write: () => {}, subscribe: () => () => {} };

const boardMachine = createBoard(fakePage(), {
  board: { read: notCalled, extend: notCalled },
  leads: { changeStage: notCalled, undoStage: notCalled },
  address: noAddress,
});

const stageNumber = (order: number): Stage => ({
  id: `s${order}`,
  name: `Stage ${order}`,
  color: "#0b6e5f",
  order,
  keywords: ["price"],
});

/** Returns a lead of the board; a higher number is a newer lead. */
export const leadNumber = (number: number, stageId: string, known: Partial<Lead> = {}): Lead =>
  parse(Lead, {
    id: String(number),
    name: `Lead ${number}`,
    stage_id: stageId,
    created_at: new Date(Date.UTC(2026, 2, 5) + number * 60_000).toISOString(),
    followup_order_sent: 2,
    last_followup_sent_at: "2026-03-06T10:00:00.000Z",
    last_user_message_at: "2026-03-06T11:00:00.000Z",
    last_message_at: "2026-03-06T11:00:00.000Z",
    fields: { worth: number },
    ...known,
  });

export const columnOf = (order: number, numbers: readonly number[], total = numbers.length): Column => ({
  stage: stageNumber(order),
  total,
  value: numbers.reduce((sum, number) => sum + number, 0),
  leads: numbers.map((number) => leadNumber(number, `s${order}`)),
});

export const boardWith = (...columns: Column[]): Board => ({ columns, valueField: { id: "worth", name: "Worth" } });

const twoColumns = boardWith(columnOf(1, [5, 3, 1], 4), columnOf(2, [4, 2]));
export const everybody = { filters: NO_FILTERS };
const someone = { ...NO_FILTERS, name: "ann" };

// A card can be lifted during a load, whose result is applied after the drop; a move causes a news event.
const isAlone = whileAtRest(
  { columns: { shown: "current" }, tail: "resting", hand: "resting", moves: "settled", news: "quiet" },
  (type) => {
    if (/^address|^filters|^column|^card/.test(type)) return ["columns", "tail", "hand"];
    if (/fetchBoard/.test(type)) return ["columns", "hand", "news"];
    if (type.startsWith("reading")) return ["columns", "news"];
    if (type.includes("fetchColumn")) return ["tail"];
    return /moveLead|showAlert/.test(type) ? ["moves", "news"] : ["news", "hand", "moves", "columns"];
  },
);

export const boardModel = modelOf(boardMachine, {
  input: everybody,
  events: [
    { type: "address.changed", filters: someone },
    { type: "column.more", stageId: "s1" },
    { type: "card.lift", leadId: "5" },
    { type: "card.drop", stageId: "s2" },
    { type: "card.drop", stageId: "s1" },
    { type: "card.move", leadId: "4", stageId: "s1" },
    ...done("fetchBoard", twoColumns, { refusal: "Give a number." }),
    ...done("fetchColumn", { stageId: "s1", leads: [leadNumber(0, "s1")], total: 4 }),
  ],
  project: ({ value, context }) => [
    value,
    context.filters.name,
    context.board === null,
    context.refusal,
    context.held === null,
    context.moves.length,
    context.board?.columns[0]?.leads.length ?? 0,
  ],
  allow: (snapshot, event) =>
    !(event.type === "card.move" && snapshot.context.moves.length > 0) && isAlone(snapshot, event),
  delays: { newsPause: 1_000 },
});
