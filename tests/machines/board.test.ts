import { describe, expect, it } from "vitest";
import { SimulatedClock, createActor, waitFor } from "xstate";
import {
  type Board,
  type BoardDeps,
  type ColumnPage,
  boardMachine,
  createBoard,
  selectColumns,
  selectRefusal,
} from "../../src/machines/board/index.ts";
import { NO_FILTERS } from "../../src/machines/leads/index.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { boardModel, boardWith, columnOf, everybody, leadNumber } from "./board.model.ts";
import { HttpError } from "../../src/services/http.ts";

walkEveryPath(boardMachine, boardModel);

type Gate = { resolve: () => void; reject: (error: unknown) => void };

/** A board whose moves wait to be answered; `server` is what a reading finds. */
function startBoard(
  server: { board: Board; refusal?: string } = { board: boardWith(columnOf(1, [5, 3, 1]), columnOf(2, [4, 2])) },
) {
  const asked: unknown[] = [];
  const told: string[] = [];
  const gates: Gate[] = [];
  const undone: string[] = [];
  let undo: (() => void) | null = null;
  const listeners = new Set<() => void>();
  const clock = new SimulatedClock();
  const deps: BoardDeps = {
    board: {
      read: async (request) => {
        asked.push(request);
        if (server.refusal !== undefined)
          throw Object.assign(new Error("refused"), { status: 422, body: { message: server.refusal } });
        return server.board;
      },
      extend: async ({ stageId, offset }): Promise<ColumnPage> => ({
        stageId,
        leads: [leadNumber(900 - offset, stageId)],
        total: 900,
      }),
      changeStage: ({ leadId, stageId }) => {
        asked.push(`${leadId} to ${stageId}`);
        return new Promise((resolve, reject) => gates.push({ resolve: () => resolve(), reject }));
      },
      undoStage: async ({ leadId }) => void undone.push(leadId),
    },
    events: {
      subscribe: (_type, listener) => {
        const tell = () => listener({});
        listeners.add(tell);
        return () => listeners.delete(tell);
      },
    },
    address: { read: () => NO_FILTERS, write: () => {}, subscribe: () => () => {} },
    notifier: {
      toast(words, options) {
        told.push(words);
        undo = options?.undo?.onPress ?? undo;
      },
      warn: (words) => told.push(words),
      alert: async (words) => void told.push(`alert: ${words}`),
    },
    logger: { warn: () => {} },
  };
  const board = createActor(createBoard(deps), { input: everybody, clock }).start();
  const isRead = () => waitFor(board, (snapshot) => snapshot.matches({ columns: { shown: "current" } }));
  return {
    board,
    asked,
    told,
    gates,
    undone,
    clock,
    isRead,
    undo: () => undo?.(),
    change: () => [...listeners][0]?.(),
    listeners,
    isSettled: () => waitFor(board, (snapshot) => snapshot.matches({ moves: "settled" })),
    ids: () => selectColumns(board.getSnapshot()).map(({ leads }) => leads.map(({ id }) => id)),
    columns: () => selectColumns(board.getSnapshot()),
  };
}

const drag = ({ board }: ReturnType<typeof startBoard>, leadId: string, stageId: string) => {
  board.send({ type: "card.lift", leadId });
  board.send({ type: "card.drop", stageId });
};

describe("a card that is dropped", () => {
  it("stands in its new column at once, in its place, with counts and sums that follow and its follow-ups begun anew", async () => {
    const page = startBoard();
    await page.isRead();
    drag(page, "3", "s2");
    expect(page.board.getSnapshot().matches({ moves: "moving", hand: "resting" })).toEqual(true);
    expect(page.ids()).toEqual([
      ["5", "1"],
      ["4", "3", "2"],
    ]);
    expect(page.columns().map(({ total, value }) => [total, value])).toEqual([
      [2, 6],
      [3, 9],
    ]);
    expect(page.columns()[1]?.leads[1]).toEqual(
      leadNumber(3, "s2", { followup_order_sent: 0, last_followup_sent_at: null, last_user_message_at: null }),
    );
    page.gates[0]?.resolve();
    await page.isSettled();
    expect(page.told).toEqual(["Lead stage updated"]);
    page.undo();
    await waitFor(page.board, () => page.told.includes("The lead is back where it was."));
    expect(page.undone).toEqual(["3"]);
  });

  it("is taken back with the spec's words when the server refuses it, and the moves after it go on", async () => {
    const page = startBoard();
    await page.isRead();
    drag(page, "3", "s2");
    page.board.send({ type: "card.move", leadId: "4", stageId: "s1" });
    expect(page.ids()).toEqual([
      ["5", "4", "1"],
      ["3", "2"],
    ]);
    page.gates[0]?.reject(new HttpError(409, { code: "conflict", message: "No." }));
    await waitFor(page.board, () => page.gates.length === 2);
    expect(page.told).toEqual(["alert: Failed to update stage"]);
    expect(page.ids()).toEqual([["5", "4", "3", "1"], ["2"]]);
    page.gates[1]?.resolve();
    await page.isSettled();
    expect(page.asked.slice(1)).toEqual(["3 to s2", "4 to s1"]);
    expect(page.columns()[0]?.total).toEqual(4);
  });

  it("over its own column, or beside all of them, moves nobody", async () => {
    const page = startBoard();
    await page.isRead();
    drag(page, "3", "s1");
    page.board.send({ type: "card.lift", leadId: "3" });
    page.board.send({ type: "card.release" });
    page.board.send({ type: "card.drop", stageId: "s2" });
    expect(page.asked).toHaveLength(1);
    expect(page.ids()).toEqual([
      ["5", "3", "1"],
      ["4", "2"],
    ]);
  });
});

it("a hand that holds a card does nothing else until it has let go, or until the card has gone with its board", async () => {
  const server: { board: Board; refusal?: string } = { board: boardWith(columnOf(1, [5, 3, 1]), columnOf(2, [4, 2])) };
  const page = startBoard(server);
  const clearing = { type: "filters.clear" } as const;
  await page.isRead();
  page.board.send({ type: "address.changed", filters: { ...NO_FILTERS, name: "ann" } });
  await page.isRead();
  page.board.send({ type: "card.lift", leadId: "3" });
  page.board.send(clearing);
  expect(page.board.getSnapshot().context).toMatchObject({ dragged: "3", filters: { name: "ann" } });
  page.board.send({ type: "card.release" });
  expect(page.board.getSnapshot().can(clearing)).toEqual(true);
  page.board.send({ type: "card.lift", leadId: "3" });
  expect(page.board.getSnapshot().can(clearing)).toEqual(false);
  server.refusal = "Give a number.";
  page.board.send({ type: "reading.refresh" });
  await page.isRead();
  expect(page.board.getSnapshot().can(clearing)).toEqual(true);
});

it("filters that the server cannot read are told in its words, and what is shown again comes with others", async () => {
  const board = boardWith(columnOf(1, [5, 3, 1]), columnOf(2, [4, 2]));
  const server: { board: Board; refusal?: string } = { board };
  const page = startBoard(server);
  await page.isRead();
  server.refusal = "Give a number such as 100.";
  page.change();
  page.clock.increment(1_000);
  await page.isRead();
  expect([page.ids(), selectRefusal(page.board.getSnapshot())]).toEqual([[], "Give a number such as 100."]);
  delete server.refusal;
  page.change();
  page.clock.increment(1_000);
  await page.isRead();
  expect([page.ids().length, selectRefusal(page.board.getSnapshot())]).toEqual([2, null]);
});

describe("what others' words move meanwhile", () => {
  const moved = boardWith(columnOf(1, [5]), columnOf(2, [4, 3, 2, 1]));

  it("is applied after the drop, never under the card in somebody's hand", async () => {
    const server = { board: boardWith(columnOf(1, [5, 3, 1]), columnOf(2, [4, 2])) };
    const page = startBoard(server);
    await page.isRead();
    page.board.send({ type: "card.lift", leadId: "5" });
    server.board = moved;
    page.change();
    page.clock.increment(5_000);
    await Promise.resolve();
    expect(page.ids()).toEqual([
      ["5", "3", "1"],
      ["4", "2"],
    ]);
    page.board.send({ type: "card.release" });
    page.clock.increment(1_000);
    await page.isRead();
    expect(page.ids()).toEqual([["5"], ["4", "3", "2", "1"]]);
  });

  it("and was being read when the card was lifted waits for the drop as well", async () => {
    const server = { board: boardWith(columnOf(1, [5, 3, 1]), columnOf(2, [4, 2])) };
    const page = startBoard(server);
    await page.isRead();
    server.board = moved;
    page.change();
    page.clock.increment(1_000);
    page.board.send({ type: "card.lift", leadId: "5" });
    await page.isRead();
    expect(page.ids()).toEqual([
      ["5", "3", "1"],
      ["4", "2"],
    ]);
    page.board.send({ type: "card.drop", stageId: "s2" });
    expect(page.ids()).toEqual([[], ["5", "4", "3", "2", "1"]]);
  });

  it("is read at most once a second, however much comes", async () => {
    const page = startBoard();
    await page.isRead();
    for (let times = 0; times < 30; times += 1) page.change();
    page.clock.increment(1_000);
    await page.isRead();
    page.clock.increment(5_000);
    expect(page.asked).toHaveLength(2);
  });
});

describe("a column", () => {
  it("grows as one scrolls, and a newer reading keeps what it does not reach", async () => {
    const server = { board: boardWith(columnOf(1, [5, 3], 900), columnOf(2, [4])) };
    const page = startBoard(server);
    await page.isRead();
    page.board.send({ type: "column.more", stageId: "s1" });
    await waitFor(page.board, (snapshot) => snapshot.matches({ tail: "resting" }));
    expect(page.ids()[0]).toEqual(["5", "3", "898"]);
    server.board = boardWith(columnOf(1, [6, 5], 900), columnOf(2, [4]));
    page.change();
    page.clock.increment(1_000);
    await page.isRead();
    expect(page.ids()[0]).toEqual(["6", "5", "898"]);
    expect(page.asked.at(-1)).toEqual({ filters: {}, lengths: { s1: 3, s2: 1 } });
  });

  it("is listened to only while the board is shown", async () => {
    const page = startBoard();
    await page.isRead();
    page.board.stop();
    expect(page.listeners.size).toEqual(0);
  });
});
