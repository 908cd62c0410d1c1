import { act, render } from "@testing-library/react";
import type { ReactElement } from "react";
import { describe, expect, it } from "vitest";
import {
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type InspectionEvent,
  SimulatedClock,
  createActor,
} from "xstate";
import { type Gesture, carryOut, disagreements } from "./gestures.ts";
import { missingEdges } from "./report-coverage.ts";
import { type NamedPath, type PendingServices, edgeCollector, pendingServices, play } from "./walk-machine.ts";
import { type WalkedModel, pathsOf } from "./walk-suite.ts";

/** `input` is the one whose paths are walked. */
export type ViewOptions = { clock: SimulatedClock; inspect: (event: InspectionEvent) => void; input: unknown };

/** A path, and the input from which it starts. */
export type StartedPath = readonly [...NamedPath, input: unknown];

export type WalkedView = {
  machine: AnyStateMachine;
  model: WalkedModel;
  /** All paths, or the fewest that together take every transition, for a screen that is slow to render. */
  paths?: readonly StartedPath[];
  /**
   * For the browser alone, in place of paths: events one after the other, where the screen itself acts on the chart by what
   * it shows. An answer waits until it is asked for; what stands on the screen is held against the state it came to.
   */
  journeys?: readonly (readonly AnyEventObject[])[];
  /** The screen over the machine with its fakes. */
  show: (services: PendingServices, options: ViewOptions) => ReactElement;
  /**
   * How each event comes about: by a person's gesture on a control, or, as a plain function, from outside. In every state
   * each control is held against the chart: live exactly while the chart takes its event.
   */
  gestures: Record<string, Gesture | ((event: AnyEventObject) => unknown)>;
  /** What must be on the screen in a state. */
  see: (state: AnyMachineSnapshot) => void;
  /** Transitions that the walk cannot bring about, by name, each with the reason. */
  outOfReach?: Readonly<Record<string, string>>;
};

/** Registers one test a path, walked by clicking and typing, with the screen held against the state after each step. */
export function walkEveryView({ machine, model, show, gestures, see, paths, outOfReach = {} }: WalkedView): void {
  const coverage = edgeCollector(machine);
  describe("the screen follows the chart along", () => {
    it.each(paths ?? startedPaths(machine, model))(
      "%s",
      async (_name, steps, input) => {
        const services = pendingServices();
        const clock = new SimulatedClock();
        let actor: AnyActorRef | undefined;
        const inspect = (event: InspectionEvent) => {
          if (event.type === "@xstate.actor") actor ??= event.actorRef as AnyActorRef;
          coverage.inspect(event);
        };
        render(show(services, { clock, inspect, input }));
        const user = (event: AnyEventObject) => carryOut(gestures, event);
        for (const { event, state } of steps) {
          await act(() => play(event, { services, clock, delays: model.delays ?? {}, user }));
          const { value, context } = actor?.getSnapshot() ?? {};
          expect({ value, context }).toEqual({ value: state.value, context: state.context });
          see(state);
          expect(disagreements(actor, gestures, model.events ?? [])).toEqual([]);
        }
      },
      60_000,
    );

    it("every transition a person can bring about", () =>
      expect(missingEdges(machine, coverage)).toEqual(Object.keys(outOfReach)));
  });
}

const startedPaths = (machine: AnyStateMachine, model: WalkedModel): StartedPath[] =>
  (model.inputs ?? [model.input]).flatMap((input) =>
    pathsOf(machine, { ...model, input }).map(([name, steps]) => [name, steps, input] as const),
  );

/** The shortest paths that together take every transition which all paths take. */
export async function coveringPaths(machine: AnyStateMachine, model: WalkedModel): Promise<StartedPath[]> {
  const covered = new Set<string>();
  const chosen: StartedPath[] = [];
  for (const path of startedPaths(machine, model)) {
    const services = pendingServices();
    const clock = new SimulatedClock();
    const coverage = edgeCollector(machine);
    const options = { clock, inspect: coverage.inspect, input: path[2] };
    const actor = createActor(model.provide(services), options).start();
    for (const { event } of path[1]) {
      await play(event, { services, clock, delays: model.delays ?? {}, user: (intent) => actor.send(intent) });
    }
    actor.stop();
    const fresh = [...coverage.taken].filter((edge) => !covered.has(edge));
    if (fresh.length > 0) chosen.push(path);
    for (const edge of fresh) covered.add(edge);
  }
  return chosen;
}
