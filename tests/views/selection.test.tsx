import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { createActor } from "xstate";
import { Selection, createSelection } from "../../src/machines/selection/selection.machine.ts";
import type { BatchWhere } from "../../src/services/batch.ts";
import { RowCheckbox } from "../../src/views/lead-tools/selection-cells.tsx";
import { idleBatch, selectionModel } from "../machines/selection.model.ts";
import { leadNumber, leadsUpTo } from "../support/leads.ts";
import { fakePage } from "../support/page.ts";
import { button, seen, setPartialDate } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";
import { Table, selectionWalk, tick } from "./selection.walk.tsx";

walkEveryView(selectionWalk);

describe("ticks", () => {
  const show = async () => {
    const selection = createActor(selectionModel.machine).start();
    const list = { ids: leadsUpTo(5).map(({ id }) => id), query: "", total: 5 };
    selection.send({ type: "list.shown", list });
    render(
      <Selection.ActorProvider value={selection}>
        <Table count={5} />
      </Selection.ActorProvider>,
    );
    await act(async () => {});
    return selection;
  };
  const ticked = () =>
    leadsUpTo(5)
      .filter(({ name }) => tick(`Select ${name}`)?.checked)
      .map(({ name }) => name);

  it("select a range with Shift, by pointer and arrow keys", async () => {
    await show();
    fireEvent.click(tick("Select Lead 2") as HTMLElement);
    fireEvent.click(tick("Select Lead 4") as HTMLElement, { shiftKey: true });
    expect(ticked()).toEqual(["Lead 2", "Lead 3", "Lead 4"]);
    fireEvent.keyDown(tick("Select Lead 4") as HTMLElement, { key: "Escape" });
    expect(ticked()).toEqual([]);
    tick("Select Lead 1")?.focus();
    fireEvent.keyDown(tick("Select Lead 1") as HTMLElement, { key: "ArrowDown", shiftKey: true });
    fireEvent.keyDown(tick("Select Lead 2") as HTMLElement, { key: "ArrowDown", shiftKey: true });
    expect([ticked(), document.activeElement]).toEqual([["Lead 1", "Lead 2", "Lead 3"], tick("Select Lead 3")]);
  });

  it("are named after the lead", () => {
    render(
      <Selection.ActorProvider value={createActor(selectionModel.machine).start()}>
        <table>
          <tbody>
            <tr>
              <RowCheckbox lead={leadNumber(1, { name: null, username: "ada" })} />
            </tr>
          </tbody>
        </table>
      </Selection.ActorProvider>,
    );
    expect(tick("Select ada")).not.toBe(null);
  });
});

describe("the bar", () => {
  const show = async (total: number, onMessage: (where: BatchWhere) => void, start = idleBatch.start) => {
    const logic = createSelection(fakePage(), {
      batch: { ...idleBatch, start },
      memory: { write: () => {}, clear: () => {} },
      onChanged: () => {},
    });
    const selection = createActor(logic).start();
    selection.send({ type: "list.shown", list: { ids: leadsUpTo(2).map(({ id }) => id), query: "q=ann", total } });
    render(
      <Selection.ActorProvider value={selection}>
        <Table onMessage={onMessage} />
      </Selection.ActorProvider>,
    );
    await act(async () => {});
  };

  it("offers a message to exactly the selected leads, or to all matches", async () => {
    const targets: BatchWhere[] = [];
    await show(3, (where) => targets.push(where));
    fireEvent.click(tick("Select Lead 2") as HTMLElement);
    fireEvent.click(button("Message 1") as HTMLElement);
    fireEvent.click(tick("Select all on this page") as HTMLElement);
    fireEvent.click(button("Message 2") as HTMLElement);
    fireEvent.click(button("Select all 3 that match") as HTMLElement);
    fireEvent.click(button("Message 3") as HTMLElement);
    expect(targets).toEqual([{ ids: ["lead-2"] }, { ids: ["lead-2", "lead-1"] }, { query: "q=ann" }]);
  });

  it("holds until a day, if one is given", async () => {
    const requests: unknown[] = [];
    await show(
      2,
      () => {},
      (request) => (requests.push(request), idleBatch.start(request)),
    );
    fireEvent.click(tick("Select Lead 1") as HTMLElement);
    const day = screen.getByLabelText<HTMLInputElement>(/^Hold until/);
    // A partial date does not mean "until resumed".
    setPartialDate(day, true);
    fireEvent.blur(day);
    fireEvent.click(button("Hold 1") as HTMLElement);
    expect([requests, seen("Enter the whole date.")]).toEqual([[], true]);
    setPartialDate(day, false);
    fireEvent.change(day, { target: { value: "2030-03-05" } });
    fireEvent.click(button("Hold 1") as HTMLElement);
    const until = new Date(2030, 2, 5, 9).toISOString();
    expect(requests).toMatchObject([{ where: { ids: ["lead-1"] }, action: { type: "hold", until } }]);
  });

  it("keeps the focus in the bar on 'select all', and on the button of an action", async () => {
    await show(3, () => {});
    fireEvent.click(tick("Select all on this page") as HTMLElement);
    act(() => button("Select all 3 that match")?.focus());
    fireEvent.click(button("Select all 3 that match") as HTMLElement);
    await waitFor(() => expect(document.activeElement).toBe(button("Clear selection")));
    act(() => button("Tag 3")?.focus());
    fireEvent.click(button("Tag 3") as HTMLElement);
    expect(screen.queryByText("Working…")).not.toBe(null);
    expect(button("Hold 3")?.getAttribute("aria-disabled")).toBe("true");
    expect(document.activeElement).toBe(button("Tag 3"));
  });
});
