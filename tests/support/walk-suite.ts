import { describe, expect, it } from "vitest";
import {
  type ActorOptions,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  SimulatedClock,
  createActor,
} from "xstate";
import { missingEdges, reportCoverage } from "./report-coverage.ts";
import {
  type Model,
  type NamedPath,
  type PendingServices,
  type Step,
  edgeCollector,
  edgePaths,
  pendingServices,
  play,
} from "./walk-machine.ts";

export type WalkedModel = Model & {
  /** The machine over fakes that settle when the path says so. */
  provide: (services: PendingServices) => AnyStateMachine;
  /** Keeps independent regions from multiplying: which events are fired from a state. */
  allow?: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => boolean;
  delays?: Record<string, number>;
  /** Where the chart starts differently for different inputs: each of them, in place of `input`. */
  inputs?: readonly unknown[];
  /** What must never rest in context, such as a password. */
  secrets?: RegExp;
  /** The clock of a walk; xstate's SimulatedClock unless timers of different length run side by side. */
  makeClock?: () => WalkClock;
};

export type WalkClock = NonNullable<ActorOptions<AnyStateMachine>["clock"]> & { increment(milliseconds: number): void };

/** The machine with the named promise actors left pending until the path settles them. */
export const overPending =
  (machine: AnyStateMachine, ids: readonly string[]) =>
  (services: PendingServices): AnyStateMachine =>
    machine.provide({ actors: Object.fromEntries(ids.map((id) => [id, services.service(id)])) } as never);

/** The generated paths of a walked model, titled by their events; a payload variant is told by its number. */
export const pathsOf = (machine: AnyStateMachine, model: WalkedModel): NamedPath[] =>
  edgePaths(machine, model, model.allow).map(([, steps]) => [titleOf(steps, model.events ?? []), steps]);

export function titleOf(steps: readonly Step[], variants: readonly AnyEventObject[]): string {
  const wordsOf = ({ event }: Step): string => {
    const known = variants.filter((variant) => variant.type === event.type);
    const number = known.length > 1 ? ` #${known.indexOf(event) + 1}` : "";
    return event.type.replace(/^xstate\.(done|error|after)\.(?:actor\.)?/, "$1 ") + number;
  };
  return steps.map(wordsOf).join(" > ") || "(initial)";
}

/** Registers one test a generated path, walked by a real actor, and one that they take every transition. */
export function walkEveryPath(machine: AnyStateMachine, model: WalkedModel): void {
  const walks = (model.inputs ?? [model.input]).flatMap((input) =>
    pathsOf(machine, { ...model, input }).map(([name, steps]) => [name, steps, input] as const),
  );
  const coverage = edgeCollector(machine);
  reportCoverage(machine, walks.length, coverage);

  describe("every generated path", () => {
    it.each(walks)("%s", async (_name, steps, input) => {
      const services = pendingServices();
      const clock = model.makeClock?.() ?? new SimulatedClock();
      const options = { clock, inspect: coverage.inspect, input };
      const actor = createActor(model.provide(services), options).start();
      for (const { event, state } of steps) {
        await play(event, { services, clock, delays: model.delays ?? {}, user: (intent) => actor.send(intent) });
        const now = actor.getSnapshot();
        expect({ value: now.value, context: now.context }).toEqual({ value: state.value, context: state.context });
        expect(model.secrets?.test(JSON.stringify(now.context)) ?? false).toEqual(false);
      }
    });

    it("together take every transition", () => expect(missingEdges(machine, coverage)).toEqual([]));
  });
}
