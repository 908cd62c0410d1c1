import { screen, within } from "@testing-library/react";
import { expect } from "vitest";
import { BoardChart, type BoardSnapshot, selectColumns } from "../../src/machines/board/board.machine.ts";
import { leadsText } from "../../src/language/format.ts";
import { NO_FILTERS } from "../../src/machines/leads/leads.filters.ts";
import { BoardView } from "../../src/views/board/BoardView.tsx";
import { boardModel, boardWith, columnOf, leadNumber } from "../machines/board.model.ts";
import { over, press, retryButtonNextTo, seen, toChart } from "../support/screen.ts";
import * as user from "../e2e/walks/gestures.ts";
import type { BrowserWalk } from "../e2e/walks/walk.ts";

const found = (selector: string) => document.querySelector<HTMLElement>(selector);
const cardOf = (leadId: string) => found(`[data-card="${leadId}"]`);
const dragged = () => found("[data-card][data-dragging]");
/** A lifted card handles keys only after the next frame moved the focus to a column. */
async function untilCardHandlesKeys(): Promise<void> {
  while (document.activeElement === dragged()) await user.frame();
}
const retryMore = () => retryButtonNextTo(/^Further leads could not be read/);

const done = (id: string, output?: unknown) => ({ type: `xstate.done.actor.${id}`, output });
const failed = (id: string) => ({ type: `xstate.error.actor.${id}`, error: new Error("offline") });
const news = { type: "board.changed" };
const aSecond = { type: "xstate.after.newsPause.board.news.gathering" };
const whole = boardWith(columnOf(1, [5, 3, 1]), columnOf(2, [4, 2]));
const cut = boardWith(columnOf(1, [5, 3, 1], 4), columnOf(2, [4, 2], 3));
const rest = { stageId: "s1", leads: [leadNumber(0, "s1")], total: 4 };
const elsewhere = { type: "address.changed", filters: { ...NO_FILTERS, name: "ann" } };
const lift = { type: "card.lift", leadId: "5" };
const drop = { type: "card.drop", stageId: "s2" };
const move = { type: "card.move", leadId: "4", stageId: "s1" };
const again = { type: "reading.retry" };

export const boardWalk: BrowserWalk = {
  model: { ...boardModel, events: [lift, drop, move, elsewhere] },
  // Columns request missing cards at their ends themselves, so generated paths cannot predict the next state.
  journeys: [
    [failed("fetchBoard"), news, aSecond, failed("fetchBoard"), again, done("fetchBoard", cut)].concat([
      failed("fetchColumn"),
      { type: "column.more" },
      done("fetchColumn", rest),
      elsewhere,
      done("fetchBoard", { refusal: "Give a number." }),
      { type: "filters.clear" },
      done("fetchBoard", cut),
      elsewhere,
      done("fetchBoard", cut),
      { type: "filters.clear" },
      done("fetchBoard", whole),
    ]),
    [done("fetchBoard", whole), lift, news, aSecond, drop, aSecond, done("moveLead"), aSecond].concat([
      failed("fetchBoard"),
      again,
      done("fetchBoard", boardWith(columnOf(1, [3, 1]), columnOf(2, [5, 4, 2]))),
    ]),
    [done("fetchBoard", whole), move, failed("moveLead"), done("showAlert"), move, failed("moveLead")].concat([
      failed("showAlert"),
    ]),
    [done("fetchBoard", whole), lift, { type: "card.release" }, lift, elsewhere, done("fetchBoard", whole)],
  ],
  show: (...shown) => <main>{over(BoardChart, <BoardView listHref="/leads" />)(...shown)}</main>,
  gestures: {
    "reading.retry": press(() => retryButtonNextTo(/^The board could not be read/)),
    "filters.clear": press("Clear filters"),
    "board.changed": toChart,
    "address.changed": toChart,
    "column.more": (event) => press(retryMore).act(retryMore() as HTMLElement, event),
    // By keyboard: Enter lifts, Enter on another column drops, Escape cancels.
    "card.lift": {
      control: ({ leadId }) => (dragged() === null ? cardOf(leadId) : null),
      act: (card) => user.press(card, "Enter"),
    },
    "card.drop": {
      control: ({ stageId }) => (dragged() === null ? null : found(`[data-stage="${stageId}"]`)),
      async act(column) {
        await untilCardHandlesKeys();
        await user.press(column, "Enter");
      },
    },
    "card.release": {
      control: dragged,
      async act() {
        await untilCardHandlesKeys();
        await user.press(document.activeElement as Element, "Escape");
      },
    },
    // Without lifting the card, from its menu.
    "card.move": {
      control({ leadId, stageId }) {
        const card = cardOf(leadId);
        if (card === null || dragged() !== null || card.closest(`[data-stage="${stageId}"]`) !== null) return null;
        return within(card).queryByRole("button", { name: /to another stage$/ });
      },
      async act(button) {
        await user.click(button);
        await user.click(await screen.findByRole("menuitem", { name: "Stage 1" }));
      },
    },
  },
  outOfReach: {
    "board.columns.loading | reading.refresh | 0": "news wait until the board has been read",
    "board.tail.unextended | column.more | 0": "a hand that holds a card reaches nothing else",
    "board.hand.dragging | card.drop | 1": "over its own column, or none, the hand lets go of the card: another event",
  },
  see(state) {
    const isShown = state.matches({ columns: "shown" });
    expect({
      isLoading: seen("Loading the board..."),
      hasFailed: seen("The board could not be read."),
      refusal: screen.queryByText(/^These filters cannot be read/)?.textContent ?? null,
      isOutdated: seen(/^The board could not be read again/),
      isUnextended: retryMore() !== null,
      dragged: dragged()?.dataset["card"] ?? null,
      columns: [...document.querySelectorAll<HTMLElement>("[data-stage]")].map((column) => [
        column.dataset["stage"],
        column.getAttribute("aria-label"),
        [...column.querySelectorAll<HTMLElement>("[data-card]")].map((card) => card.dataset["card"]),
      ]),
    }).toEqual({
      isLoading: state.hasTag("loading"),
      hasFailed: state.matches({ columns: "loadFailed" }),
      refusal: state.context.refusal === null ? null : "These filters cannot be read. Give a number.",
      isOutdated: state.matches({ columns: { shown: "outdated" } }),
      isUnextended: isShown && state.matches({ tail: "unextended" }),
      dragged: isShown ? state.context.dragged : null,
      columns: !isShown
        ? []
        : selectColumns(state as BoardSnapshot).map(({ stage, total, value, leads }) => [
            stage.id,
            `${stage.name}, ${leadsText(total)}, Worth ${value}`,
            leads.map(({ id }) => id),
          ]),
    });
  },
};
