import { act, cleanup, render } from "@testing-library/react";
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
import { OneTimerClock } from "./one-timer-clock.ts";
import { type Beside, hasRegions, pairTours, pairsIn } from "./pair-tours.ts";
import { missingEdges } from "./report-coverage.ts";
import {
  type NamedPath,
  type PendingServices,
  type Step,
  edgeCollector,
  pendingServices,
  play,
} from "./walk-machine.ts";
import { type WalkClock, type WalkedModel, pathsOf, titleOf } from "./walk-suite.ts";

/** `input` is the one whose paths are walked. */
export type ViewOptions = { clock: WalkClock; inspect: (event: InspectionEvent) => void; input: unknown };

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
  /** Where its regions are walked beside each other: what the chart would take, and nobody can bring about there, is not. */
  allowBeside?: Beside["isPossible"];
  reflex?: Beside["reflex"];
  /** Its paths are walked in a browser alone, as nothing of it is shown without a layout. */
  needsLayout?: boolean;
};

/**
 * Registers one test a path, walked by clicking and typing, with the screen held against the state after each step. Where
 * the chart has regions beside each other, one more test meets every pair of their states that no path has met.
 */
export function walkEveryView(walk: WalkedView): void {
  const { machine, model, see, needsLayout = false, outOfReach = {} } = walk;
  if (needsLayout) return;
  const paths = walk.paths ?? startedPaths(machine, model);
  const coverage = edgeCollector(machine);
  describe("the screen follows the chart along", () => {
    it.each(paths)(
      "%s",
      async (_name, steps, input) => {
        const { actor, take } = enter(walk, input, new SimulatedClock(), coverage.inspect);
        for (const step of steps) {
          await take(step);
          see(step.state);
          expect(disagreements(actor(), walk.gestures, model.events ?? [])).toEqual([]);
        }
      },
      60_000,
    );

    it("every transition a person can bring about", () =>
      expect(missingEdges(machine, coverage)).toEqual(Object.keys(outOfReach)));

    it.each([machine].filter(hasRegions))("every pair of the states of $id's regions", async () =>
      expect(await disagreementsInPairs(walk, paths)).toEqual([]),
    );
  });
}

/** The screen at its start, and how a step is taken on it. */
function enter(
  { model, show, gestures }: Pick<WalkedView, "model" | "show" | "gestures">,
  input: unknown,
  clock: WalkClock,
  listen: (event: InspectionEvent) => void = () => {},
) {
  const services = pendingServices();
  let actor: AnyActorRef | undefined;
  const inspect = (event: InspectionEvent) => {
    if (event.type === "@xstate.actor") actor ??= event.actorRef as AnyActorRef;
    listen(event);
  };
  render(show(services, { clock, inspect, input }));
  const user = (event: AnyEventObject) => carryOut(gestures, event);
  const take = async ({ event, state }: Step) => {
    await act(() => play(event, { services, clock, delays: model.delays ?? {}, user }));
    const { value, context } = actor?.getSnapshot() ?? {};
    expect({ value, context }).toEqual({ value: state.value, context: state.context });
  };
  return { actor: () => actor, take };
}

/**
 * Meets every pair of the regions' states that `paths` have not, and holds each control against the chart there. What
 * comes out are the disagreements, each after the way that led to it.
 */
export async function disagreementsInPairs(
  walk: Omit<WalkedView, "see">,
  paths: readonly StartedPath[] = [],
): Promise<string[]> {
  const { machine, model, gestures, allowBeside = () => true, reflex = () => null } = walk;
  const met = new Set(paths.flatMap(([, steps]) => steps.flatMap(({ state }) => pairsIn(machine, state))));
  const isPossible = (state: AnyMachineSnapshot, event: AnyEventObject) =>
    (event.type.startsWith("xstate.") ? !/actor\.watch/.test(event.type) : event.type in gestures) &&
    allowBeside(state, event);
  const wrong: string[] = [];
  for (const input of model.inputs ?? [model.input]) {
    for (const tour of pairTours(machine, { ...model, input }, { isPossible, reflex }, met)) {
      const { actor, take } = enter(walk, input, new OneTimerClock());
      for (const [place, step] of tour.entries()) {
        const way = titleOf(tour.slice(0, place + 1), model.events ?? []);
        await take(step).catch((cause: unknown) => {
          throw new Error(`${way}: ${String(cause)}`, { cause });
        });
        if (step.fresh.length === 0) continue;
        for (const words of disagreements(actor(), gestures, model.events ?? [])) wrong.push(`${way}: ${words}`);
        for (const pair of step.fresh) met.add(pair);
      }
      cleanup();
    }
  }
  return wrong;
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
