import { act, cleanup, render } from "@testing-library/react";
import type { ReactElement } from "react";
import { expect, it } from "vitest";
import type { AnyActorRef, AnyEventObject, AnyMachineSnapshot, AnyStateMachine, InspectionEvent } from "xstate";
import { coveringPaths } from "./covering-paths.ts";
import type { WalkedModel } from "./model.ts";
import { OneTimerClock } from "./one-timer-clock.ts";
import { type Gestures, button, carryOut, disagreements, isGesture, press, toChart } from "./screen.ts";
import { type EdgeCollector, edgeCollector, missingEdges, pendingServices, play, titleOf } from "./walk-machine.ts";

/** `input` is the one that the paths start from. */
export type ViewOptions = {
  clock: OneTimerClock;
  inspect: (event: InspectionEvent) => void;
  // oxlint-disable-next-line typescript/no-explicit-any -- each chart knows its own input
  input: any;
};

export type WalkedView<Machine extends AnyStateMachine = AnyStateMachine> = {
  model: WalkedModel<Machine>;
  /** Renders the screen with the machine, whose actors wait for the path. */
  show(logic: Machine, options: ViewOptions): ReactElement;
  /**
   * How each event besides the usual ones is caused: by a gesture on a control or, as a plain function, from outside. In every state a
   * control must be enabled exactly while the chart accepts its event.
   */
  gestures: Gestures;
  /** Checks what the screen must show in a state. */
  see: (state: AnyMachineSnapshot) => void;
  /** Transitions that no control of the screen can cause, by name, each with the reason. */
  outOfReach?: Readonly<Record<string, string>>;
};

/** Events of most charts: a retry after a failed load, and a refresh after a change elsewhere. */
const USUAL: Gestures = { "reading.retry": press(() => button("Try again")), "reading.refresh": toChart };

const gesturesOf = ({ model: { machine }, gestures }: WalkedView): Gestures => ({
  ...Object.fromEntries(Object.entries(USUAL).filter(([type]) => machine.events.includes(type))),
  ...gestures,
});

/** Returns the model as the user plays it: the screen has no control for an event that the chart would ignore. */
function playedModel(view: WalkedView): WalkedModel {
  const { model } = view;
  const gestures = gesturesOf(view);
  const isOffered = (state: AnyMachineSnapshot, event: AnyEventObject) =>
    !isGesture(gestures[event.type]) || state.can(event);
  return { ...model, allow: (state, event) => isOffered(state, event) && (model.allow?.(state, event) ?? true) };
}

/** Registers the test that walks the rendered screen by its controls, along few paths that together take every transition. */
export function walkEveryView<Machine extends AnyStateMachine>(walked: WalkedView<Machine>): void {
  const view = walked as unknown as WalkedView;
  const { model, outOfReach = {} } = view;
  it("shows each state and offers what its chart accepts", async () => {
    const coverage = edgeCollector(model.machine);
    const seen = new Set<string>();
    for (const { input, events } of coveringPaths(playedModel(view))) {
      const take = enter(view, input, coverage);
      for (const place of [-1, ...events.keys()]) {
        const way = titleOf(events.slice(0, place + 1), model.events);
        // Paths share their beginnings; each is checked once.
        const key = `${JSON.stringify(input)} ${way}`;
        try {
          const check = await take(events[place] ?? { type: "xstate.init" });
          if (!seen.has(key)) check();
          seen.add(key);
        } catch (error) {
          if (error instanceof Error) error.message += `\n  on the way ${way}`;
          throw error;
        }
      }
      cleanup();
    }
    expect(missingEdges(model.machine, coverage)).toEqual(Object.keys(outOfReach));
  });
}

/** Renders the screen. Each call of the returned function takes one step and returns the problems with what the screen shows and offers. */
function enter(view: WalkedView, input: unknown, coverage: EdgeCollector) {
  const { model, see } = view;
  const gestures = gesturesOf(view);
  const services = pendingServices();
  const clock = new OneTimerClock();
  let actor: AnyActorRef | undefined;
  const inspect = (event: InspectionEvent) => {
    if (event.type === "@xstate.actor") actor ??= event.actorRef as AnyActorRef;
    coverage.inspect(event);
  };
  render(view.show(model.provide(services), { clock, inspect, input }));
  const user = (event: AnyEventObject) => carryOut(gestures, event, actor as AnyActorRef);
  return async (event: AnyEventObject) => {
    if (event.type !== "xstate.init")
      await act(() => play(event, { services, clock, delays: model.delays ?? {}, user }));
    return () => {
      see(actor?.getSnapshot() as AnyMachineSnapshot);
      expect(disagreements(actor, gestures, model.events ?? [])).toEqual([]);
    };
  };
}
