import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import {
  type AnyActorRef,
  type AnyMachineSnapshot,
  type InspectionEvent,
  createActor,
  fromCallback,
  fromPromise,
} from "xstate";
import {
  type SelectionRef,
  SelectionActorProvider,
  SelectionProvider,
  selectionMachine,
} from "../../src/machines/selection/index.ts";
import type { Asked, BatchAnswer, BatchWhere } from "../../src/machines/selection/selection.actors.ts";
import { dayText } from "../../src/machines/kit/format.ts";
import { BatchBar } from "../../src/views/lead-tools/BatchBar.tsx";
import { HeadTick, RowTick } from "../../src/views/lead-tools/selection-cells.tsx";
import { selectionModel } from "../machines/selection.model.ts";
import { press } from "../support/gestures.ts";
import { leadNumber, leadsUpTo, twoStages } from "../support/leads.ts";
import { coveringPaths, walkEveryView } from "../support/walk-view.tsx";

const button = (name: string | RegExp) => screen.queryByRole("button", { name });
const tick = (name: string) => screen.queryByRole<HTMLInputElement>("checkbox", { name });
const sales = { id: "tag-1", name: "Sales", color: "#0b6e5f", leads: 0 };

const Table = ({ count = 2, onMessage }: { count?: number; onMessage?: (where: BatchWhere) => void }) => (
  <>
    <table>
      <thead>
        <tr>
          <HeadTick />
        </tr>
      </thead>
      <tbody>
        {leadsUpTo(count).map((lead) => (
          <tr key={lead.id}>
            <RowTick lead={lead} />
          </tr>
        ))}
      </tbody>
    </table>
    <BatchBar stages={twoStages} tags={[sales]} onMessage={onMessage} />
  </>
);

let chart: AnyActorRef | undefined;
let tellOfJobs = () => {};
const screenModel = {
  ...selectionModel,
  allow: (state: AnyMachineSnapshot, event: { type: string }) =>
    event.type !== "xstate.error.actor.watchJobs" &&
    !(event.type === "batch.start" && state.context.ids.length === 0) &&
    !(event.type === "matching.select" && !state.can(event)) &&
    (selectionModel.allow?.(state, event) ?? true),
};

const see = (state: AnyMachineSnapshot) => {
  const { ids, isAll, shown, job, problem } = state.context;
  expect(tick("Select Lead 1")?.checked).toEqual(ids.includes("lead-1"));
  const count = isAll ? shown.total : ids.length;
  const isResting = state.matches({ work: "resting" });
  const words = isAll ? `All ${count} that match` : `${count} selected`;
  expect(screen.queryByText(words) !== null).toEqual(count > 0);
  expect(screen.queryByText("Working…") !== null).toEqual(!isResting && job === null);
  expect(screen.queryByRole("progressbar") !== null).toEqual(!isResting && job !== null);
  expect(screen.queryByText(problem ?? "no such words") !== null).toEqual(problem !== null);
};

describe("the selection", async () => {
  walkEveryView({
    machine: selectionMachine,
    model: screenModel,
    paths: await coveringPaths(selectionMachine, screenModel),
    outOfReach: {
      "selection.work | xstate.error.actor.watchJobs | 0": "the walk's own news never fail",
      "selection.work.resting | batch.start | 0": "with nobody chosen there is no button",
    },
    show(services, options) {
      vi.spyOn(crypto, "randomUUID").mockReturnValue("key-1" as ReturnType<typeof crypto.randomUUID>);
      chart = undefined;
      const inspect = (event: InspectionEvent) => {
        if (event.type === "@xstate.actor") chart ??= event.actorRef as AnyActorRef;
        options.inspect(event);
      };
      const logic = (selectionModel.provide(services) as typeof selectionMachine).provide({
        actors: {
          watchJobs: fromCallback(({ sendBack }) => {
            tellOfJobs = () => sendBack({ type: "job.changed" });
          }),
        },
      });
      return (
        <SelectionProvider logic={logic} options={{ ...options, inspect } as never}>
          <Table />
        </SelectionProvider>
      );
    },
    gestures: {
      "list.shown": (event) => chart?.send(event),
      "lead.toggle": press(() => tick("Select Lead 1")),
      "lead.extend": (event) => chart?.send(event),
      "page.toggle": press(() => tick("Select all on this page")),
      "matching.select": press(() => button(/^Select all .* that match$/)),
      "selection.clear": press(() => button("Clear selection") ?? button("Close")),
      "batch.start": press((event) =>
        button((event["action"] as { type: string }).type === "exclude" ? /^Not/ : /^Move/),
      ),
      "batch.undo": (event) => chart?.send(event),
      "job.changed": () => tellOfJobs(),
      "job.cancel": press(() => button("Stop")),
    },
    see,
  });
});

describe("ticks", () => {
  const show = async () => {
    const selection = createActor(selectionMachine).start() as unknown as SelectionRef;
    const list = { ids: leadsUpTo(5).map(({ id }) => id), query: "", total: 5 };
    selection.send({ type: "list.shown", list });
    render(
      <SelectionActorProvider value={selection}>
        <Table count={5} />
      </SelectionActorProvider>,
    );
    await act(async () => {});
    return selection;
  };
  const ticked = () =>
    leadsUpTo(5)
      .filter(({ name }) => tick(`Select ${name}`)?.checked)
      .map(({ name }) => name);

  it("reach from one to another with Shift, by the pointer and by the arrows", async () => {
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
      <SelectionActorProvider value={createActor(selectionMachine).start() as unknown as SelectionRef}>
        <table>
          <tbody>
            <tr>
              <RowTick lead={leadNumber(1, { name: null, username: "ada" })} />
            </tr>
          </tbody>
        </table>
      </SelectionActorProvider>,
    );
    expect(tick("Select ada")).not.toBe(null);
  });
});

describe("the bar", () => {
  const never = fromPromise<BatchAnswer, Asked>(() => new Promise(() => {}));
  const show = async (total: number, onMessage: (where: BatchWhere) => void, startBatch = never) => {
    const selection = createActor(
      selectionMachine.provide({ actors: { startBatch } }),
    ).start() as unknown as SelectionRef;
    selection.send({ type: "list.shown", list: { ids: leadsUpTo(2).map(({ id }) => id), query: "q=ann", total } });
    render(
      <SelectionActorProvider value={selection}>
        <Table onMessage={onMessage} />
      </SelectionActorProvider>,
    );
    await act(async () => {});
  };

  it("offers a message to exactly those ticked, or to all that match", async () => {
    const asked: BatchWhere[] = [];
    await show(3, (where) => asked.push(where));
    fireEvent.click(tick("Select Lead 2") as HTMLElement);
    fireEvent.click(button("Message 1") as HTMLElement);
    fireEvent.click(tick("Select all on this page") as HTMLElement);
    fireEvent.click(button("Message 2") as HTMLElement);
    fireEvent.click(button("Select all 3 that match") as HTMLElement);
    fireEvent.click(button("Message 3") as HTMLElement);
    expect(asked).toEqual([{ ids: ["lead-2"] }, { ids: ["lead-2", "lead-1"] }, { query: "q=ann" }]);
  });

  it("holds until a day, where one is given", async () => {
    const asked: unknown[] = [];
    const startBatch = fromPromise<BatchAnswer, Asked>(({ input }) => {
      asked.push([input.action, input.did]);
      return new Promise(() => {});
    });
    await show(2, () => {}, startBatch);
    fireEvent.click(tick("Select Lead 1") as HTMLElement);
    fireEvent.change(screen.getByLabelText(/^Hold until/), { target: { value: "2030-03-05" } });
    fireEvent.click(button("Hold 1") as HTMLElement);
    const until = new Date(2030, 2, 5, 9).toISOString();
    expect(asked).toEqual([[{ type: "hold", until }, `held until ${dayText("2030-03-05")}`]]);
  });

  it("keeps the focus in the bar when all that match are meant", async () => {
    await show(3, () => {});
    fireEvent.click(tick("Select all on this page") as HTMLElement);
    act(() => button("Select all 3 that match")?.focus());
    fireEvent.click(button("Select all 3 that match") as HTMLElement);
    await waitFor(() => expect(document.activeElement).toBe(button("Clear selection")));
  });

  it("keeps the focus on what was pressed while it is done", async () => {
    await show(2, () => {});
    fireEvent.click(tick("Select Lead 1") as HTMLElement);
    act(() => button("Tag 1")?.focus());
    fireEvent.click(button("Tag 1") as HTMLElement);
    expect(screen.queryByText("Working…")).not.toBe(null);
    expect(button("Hold 1")?.getAttribute("aria-disabled")).toBe("true");
    expect(document.activeElement).toBe(button("Tag 1"));
  });
});
