import { describe, expect, it } from "vitest";
import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  SimulatedClock,
  createActor,
  getNextTransitions,
} from "xstate";
import { edgePaths, pendingServices, play } from "./walk-machine.ts";
import type { WalkedModel } from "./walk-suite.ts";

type PairedModel = Omit<WalkedModel, "allow"> & {
  /** The state in which each region lets the others be. */
  rest: Record<string, string | Record<string, string>>;
  /** Bounds what would grow for ever, such as a list or a count; it does not keep regions apart. */
  bound?: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => boolean;
};

/**
 * Registers one test for every pair of regions of a parallel chart: the two are walked against each other in every
 * combination that they reach, while each other region rests, and is led back to its rest where it was disturbed.
 */
export function walkRegionPairs(machine: AnyStateMachine, { rest, bound = () => true, ...model }: PairedModel): void {
  const regions = Object.keys(machine.root.states);
  const pairs = regions.flatMap((one, place) => regions.slice(place + 1).map((other) => [one, other] as const));

  describe("every pair of regions", () => {
    it.each(pairs)(
      "%s with %s",
      async (one, other) => {
        const others = regions.filter((region) => region !== one && region !== other);
        const met = new Set<string>();
        const allow = (snapshot: AnyMachineSnapshot, event: AnyEventObject) => {
          const disturbed = others.filter((region) => !snapshot.matches({ [region]: rest[region] }));
          const taking = regionsTaking(snapshot, event);
          const isInTurn =
            disturbed.length > 0
              ? taking.some((region) => disturbed.includes(region))
              : taking.every((region) => !others.includes(region));
          return isInTurn && bound(snapshot, event);
        };
        for (const [, steps] of edgePaths(machine, model, allow)) {
          const services = pendingServices();
          const clock = model.makeClock?.() ?? new SimulatedClock();
          const actor = createActor(model.provide(services), { clock, input: model.input }).start();
          for (const { event, state } of steps) {
            await play(event, { services, clock, delays: model.delays ?? {}, user: (intent) => actor.send(intent) });
            const { value, context } = actor.getSnapshot();
            expect({ value, context }).toEqual({ value: state.value, context: state.context });
            met.add(JSON.stringify([value[one], value[other]]));
          }
          actor.stop();
        }
        // Beside each other, not one after the other.
        expect(busyTogether(met, rest[one], rest[other])).toBeGreaterThan(0);
      },
      120_000,
    );
  });
}

/** The regions in which a transition of the event stands open now; none for an event of the whole chart. */
const regionsTaking = (snapshot: AnyMachineSnapshot, event: AnyEventObject): string[] =>
  getNextTransitions(snapshot)
    .filter(({ eventType }) => eventType === event.type)
    .flatMap(({ source }) => source.path.slice(0, 1));

/** In how many of the combinations neither region rests. */
const busyTogether = (met: ReadonlySet<string>, ...rests: unknown[]): number =>
  [...met].filter((pair) =>
    (JSON.parse(pair) as unknown[]).every((value, place) => JSON.stringify(value) !== JSON.stringify(rests[place])),
  ).length;
