import { describe, expect, it } from "vitest";
import {
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
};

/** The generated paths of a walked model, titled by their events; a payload variant is told by its number. */
export const pathsOf = (machine: AnyStateMachine, model: WalkedModel): NamedPath[] =>
  edgePaths(machine, model, model.allow).map(([, steps]) => [titleOf(steps, model.events ?? []), steps]);

function titleOf(steps: readonly Step[], variants: readonly AnyEventObject[]): string {
  const wordsOf = ({ event }: Step): string => {
    const known = variants.filter((variant) => variant.type === event.type);
    const number = known.length > 1 ? ` #${known.indexOf(event) + 1}` : "";
    return event.type.replace(/^xstate\.(done|error|after)\.(?:actor\.)?/, "$1 ") + number;
  };
  return steps.map(wordsOf).join(" > ") || "(initial)";
}

/** Registers one test a generated path, walked by a real actor, and one that they take every transition. */
export function walkEveryPath(machine: AnyStateMachine, model: WalkedModel): void {
  const paths = pathsOf(machine, model);
  const coverage = edgeCollector(machine);
  reportCoverage(machine, paths, coverage);

  describe("every generated path", () => {
    it.each(paths)("%s", async (_name, steps) => {
      const services = pendingServices();
      const clock = new SimulatedClock();
      const options = { clock, inspect: coverage.inspect, input: model.input };
      const actor = createActor(model.provide(services), options).start();
      for (const { event, state } of steps) {
        await play(event, { services, clock, delays: model.delays ?? {}, user: (intent) => actor.send(intent) });
        const now = actor.getSnapshot();
        expect({ value: now.value, context: now.context }).toEqual({ value: state.value, context: state.context });
      }
    });

    it("together take every transition", () => expect(missingEdges(machine, coverage)).toEqual([]));
  });
}
