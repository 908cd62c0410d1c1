import { describe, expect, it } from "vitest";
import { SimulatedClock } from "xstate";
import { createBoard, selectColumns } from "../../src/machines/board/board.machine.ts";
import type { Board } from "../../src/machines/board/board.shape.ts";
import { NO_FILTERS } from "../../src/machines/leads/leads.filters.ts";
import {
  type ContextOf,
  type Visit,
  isCalling,
  readingInvariants,
  unchecked,
  walkEveryPath,
} from "../support/invariants.ts";
import { RESET } from "../support/leads.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import { offline, refusedWith } from "../support/model.ts";
import { boardModel, boardWith, columnOf, everybody, leadNumber, noAddress } from "./board.model.ts";

type Context = ContextOf<typeof boardModel>;

/** Returns the stage a lead is shown in: the target of its last pending move, or its stage on the server. */
const stageIn = ({ board, moves }: Context, leadId: string) =>
  moves.findLast((move) => move.leadId === leadId)?.stageId ??
  board?.columns.find(({ leads }) => leads.some(({ id }) => id === leadId))?.stage.id;
const hasMore = ({ board }: Context) =>
  board?.columns.some((first, at) => at === 0 && first.leads.length < first.total);
const isHandFree = ({ dragged, board }: Context) => dragged === null || board === null;

/** While a card is dragged, the shown board stays and the new one is held. */
const stores = ({ context: { board, held, dragged, ...context }, before, event }: Visit<Context>) => {
  const { refusal = null } = event.output;
  expect(context.refusal).toEqual(refusal);
  if (refusal !== null) return expect([board, held]).toEqual([null, null]);
  const [kept, read] = dragged === null ? [held, board] : [board, held];
  expect(kept).toBe(dragged === null ? null : before.board);
  return expect(read?.columns.map(({ leads }) => leads.length >= 2)).toEqual([true, true]);
};
const released = ({ context, before }: Visit<Context>) =>
  expect(context).toMatchObject({ dragged: null, board: before.held ?? before.board, held: null });
const takenAway = ({ context, event }: Visit<Context>) =>
  expect(context).toMatchObject({ filters: event.filters ?? NO_FILTERS, board: null, held: null, refusal: null });

walkEveryPath(boardModel, {
  "*": {
    accepts: (context) =>
      context.filters.name === "" ? ["address.changed"] : isHandFree(context) ? ["filters.clear"] : [],
    holds: ({ effects, cause, context }) => {
      if (cause !== "filters.clear") expect(effects).not.toHaveProperty("writeAddress");
      expect(context.held === null || context.dragged !== null).toEqual(true);
    },
  },
  ...readingInvariants("columns.", "fetchBoard", stores, { input: expect.anything() }),
  "columns.loading": {
    accepts: ["reading.refresh"],
    after: {
      ...unchecked("reading.retry", "reading.refresh"),
      start: ({ context }) => expect(context).toMatchObject({ board: null, moves: [], dragged: null }),
      "address.changed": takenAway,
      "filters.clear": (visit) => {
        takenAway(visit);
        expect(visit.effects["writeAddress"]).toEqual(visit.context);
      },
    },
    holds: ({ context, calls }) =>
      expect(calls["fetchBoard"]).toEqual({
        filters: context.filters,
        lengths: Object.fromEntries(context.board?.columns.map(({ stage, leads }) => [stage.id, leads.length]) ?? []),
      }),
  },
  "columns.shown.outdated": {
    accepts: (context) => ["reading.refresh", ...(isHandFree(context) ? ["reading.retry"] : [])],
    after: ["error fetchBoard"],
  },
  "tail.resting": {
    accepts: (context) => (hasMore(context) ? ["column.more"] : []),
    after: {
      ...unchecked("start", "address.changed", "filters.clear"),
      "done fetchColumn": ({ context }) =>
        expect([context.board?.columns[0]?.leads.map(({ id }) => id), context.extended]).toEqual([
          ["5", "3", "1", "0"],
          null,
        ]),
    },
  },
  "tail.extending": {
    after: ["column.more"],
    holds: ({ context, calls }) => {
      expect(context.extended).toEqual("s1");
      expect(calls["fetchColumn"]).toEqual({ filters: context.filters, stageId: "s1", offset: 3 });
    },
  },
  "tail.unextended": {
    accepts: (context) => (hasMore(context) && isHandFree(context) ? ["column.more"] : []),
    after: ["error fetchColumn", "column.more"],
  },
  "hand.resting": {
    accepts: (context) => [
      ...(context.board ? ["card.lift"] : []),
      ...(stageIn(context, "4") === "s2" ? ["card.move"] : []),
    ],
    after: {
      start: null,
      "card.drop": (visit) => {
        const { context, before, event } = visit;
        released(visit);
        const isMoved = event.stageId !== stageIn(before, "5") && before.board !== null;
        expect(context.moves).toEqual([...before.moves, ...(isMoved ? [{ leadId: "5", stageId: event.stageId }] : [])]);
      },
      "card.release": released,
      "address.changed": ({ context }) => expect(context.dragged).toEqual(null),
      "card.move": ({ context, before }) =>
        expect(context.moves).toEqual([...before.moves, { leadId: "4", stageId: "s1" }]),
    },
  },
  "hand.dragging": {
    accepts: ["card.drop", "card.release"],
    after: ["card.lift"],
    holds: ({ context }) => expect(context.dragged).toEqual("5"),
  },
  "moves.settled": {
    holds: ({ context }) => expect(context.moves).toEqual([]),
    after: {
      ...unchecked("start", "done showAlert", "error showAlert"),
      "done moveLead": ({ context, before, effects }) => {
        expect(effects["offerUndo"]).toEqual({ leadId: before.moves[0]?.leadId });
        if (context.board) expect(stageIn(context, before.moves[0]?.leadId ?? "")).toEqual(before.moves[0]?.stageId);
        expect(context.moves).toEqual(before.moves.slice(1));
      },
    },
  },
  "moves.moving": {
    after: {
      ...unchecked("card.drop", "card.move", "done showAlert", "error showAlert"),
      "done moveLead": ({ context, before }) => expect(context.moves).toEqual(before.moves.slice(1)),
    },
    holds: ({ context, calls }) => expect(calls["moveLead"]).toEqual(context.moves[0]),
  },
  "moves.refused": {
    after: { "error moveLead": ({ context, before }) => expect(context.moves).toEqual(before.moves.slice(1)) },
    holds: isCalling("showAlert", { message: "Failed to update stage" }),
  },
  "news.quiet": {
    accepts: ["board.changed"],
    holds: ({ cause }) => expect(cause).not.toMatch(/moveLead/),
    after: {
      start: null,
      "after newsPause": ({ context, calls }) => {
        expect([context.dragged, context.moves]).toEqual([null, []]);
        isCalling("fetchBoard", expect.anything())({ calls });
      },
    },
  },
  "news.gathering": {
    after: {
      "board.changed": null,
      "after newsPause": ({ before, callsBefore }) =>
        expect(
          before.dragged !== null ||
            before.moves.length > 0 ||
            ["fetchBoard", "showAlert"].some((call) => call in callsBefore),
        ).toEqual(true),
    },
  },
});

/** Starts a board whose moves stay pending until answered. `server` is what a load returns. */
async function startBoard(
  server: { board: Board; refusal?: string } = { board: boardWith(columnOf(1, [5, 3, 1]), columnOf(2, [4, 2])) },
) {
  const page = fakePage();
  const requests: unknown[] = [];
  const moves: PromiseWithResolvers<void>[] = [];
  const undone: string[] = [];
  const clock = new SimulatedClock();
  const logic = createBoard(page, {
    board: {
      read: async (request) => {
        requests.push(request);
        if (server.refusal !== undefined) throw refusedWith(422, { message: server.refusal });
        return server.board;
      },
      extend: async ({ stageId, offset }) => ({ stageId, leads: [leadNumber(900 - offset, stageId)], total: 900 }),
    },
    leads: {
      changeStage: ({ leadId, stageId }) => {
        requests.push(`${leadId} to ${stageId}`);
        const move = Promise.withResolvers<void>();
        moves.push(move);
        return move.promise;
      },
      undoStage: async ({ leadId }) => void undone.push(leadId),
    },
    address: noAddress,
  });
  const { chart, snapshot, context } = await openJourney(logic, { input: everybody, clock });
  const columns = () => selectColumns(snapshot());
  return {
    chart,
    page,
    requests,
    moves,
    undone,
    columns,
    ids: () => columns().map(({ leads }) => leads.map(({ id }) => id).join(" ")),
    refusal: () => context().refusal,
    drag(leadId: string, stageId: string) {
      chart.send({ type: "card.lift", leadId });
      chart.send({ type: "card.drop", stageId });
    },
    /** Lets the pause after a news event pass. */
    async publishNews() {
      page.publish("leads.changed");
      clock.increment(1_000);
      await settle();
    },
  };
}

describe("a dropped card", () => {
  it("moves at once with counts and sums, and restarts its follow-ups", async () => {
    const { page, columns, ids, drag, moves, undone } = await startBoard();
    drag("3", "s2");
    expect(ids()).toEqual(["5 1", "4 3 2"]);
    expect(columns().map(({ total, value }) => `${total} worth ${value}`)).toEqual(["2 worth 6", "3 worth 9"]);
    expect(columns()[1]?.leads[1]).toEqual(leadNumber(3, "s2", { ...RESET, stage_entered_at: null }));
    moves[0]?.resolve();
    await settle();
    page.undos[0]?.();
    await settle();
    expect([page.notices, undone]).toEqual([["Lead stage updated", "The lead is back where it was."], ["3"]]);
  });

  const alert = ["alert", "Failed to update stage"];
  it.each([
    ["refuses it", refusedWith(409, { code: "conflict", message: "No." }), [alert]],
    ["does not answer", offline, [["warning", "No response from the server. The lead may have been moved."], alert]],
  ])("reverts with the spec's text when the server %s, and later moves continue", async (_, error, notices) => {
    const { chart, page, ids, drag, moves, requests } = await startBoard();
    drag("3", "s2");
    chart.send({ type: "card.move", leadId: "4", stageId: "s1" });
    expect(ids()).toEqual(["5 4 1", "3 2"]);
    moves[0]?.reject(error);
    await settle();
    expect([page.notices, ids()]).toEqual([notices, ["5 4 3 1", "2"]]);
    moves[1]?.resolve();
    await settle();
    expect(requests.slice(1)).toEqual(["3 to s2", "4 to s1"]);
  });
});

it("shows the server's message for invalid filters, and recovers with valid ones", async () => {
  const server: { board: Board; refusal?: string } = { board: boardWith(columnOf(1, [5, 3, 1])) };
  const { ids, refusal, publishNews } = await startBoard(server);
  server.refusal = "Give a number such as 100.";
  await publishNews();
  expect([ids(), refusal()]).toEqual([[], "Give a number such as 100."]);
  delete server.refusal;
  await publishNews();
  expect([ids(), refusal()]).toEqual([["5 3 1"], null]);
});

it("extends a column on scrolling, and keeps later cards on a refresh", async () => {
  const server = { board: boardWith(columnOf(1, [5, 3], 900), columnOf(2, [4])) };
  const { chart, page, ids, requests, publishNews } = await startBoard(server);
  chart.send({ type: "column.more", stageId: "s1" });
  await settle();
  expect(ids()[0]).toEqual("5 3 898");
  server.board = boardWith(columnOf(1, [6, 5], 900), columnOf(2, [4]));
  await publishNews();
  expect(ids()[0]).toEqual("6 5 898");
  expect(requests.at(-1)).toEqual({ filters: {}, lengths: { s1: 3, s2: 1 } });
  chart.stop();
  expect(page.hasListeners()).toEqual(false);
});
