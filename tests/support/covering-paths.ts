import { type AnyEventObject, type AnyStateMachine, SimulatedClock, createActor, fromPromise } from "xstate";
import type { WalkedModel } from "./model.ts";
import { edgeCollector, edgePaths } from "./walk-machine.ts";

/** A path and the input that it starts from. */
export type StartedPath = { input: unknown; events: readonly AnyEventObject[] };

/** Returns the generated paths of a model, for each of its inputs. */
export const pathsFrom = (model: WalkedModel): StartedPath[] =>
  (model.inputs ?? [model.input]).flatMap((input) =>
    edgePaths(model.machine, { ...model, input }, model.allow).map((events) => ({ input, events })),
  );

const never = () => new Promise<never>(() => {});

/** Returns the machine with every invoked actor replaced by one that never ends: the events of a path give the results. */
const withSilentActors = (machine: AnyStateMachine): AnyStateMachine =>
  machine.provide({
    actors: Object.fromEntries(Object.keys(machine.implementations.actors).map((name) => [name, fromPromise(never)])),
    actions: Object.fromEntries(
      Object.keys(machine.implementations.actions).flatMap((name) => withoutEffects(machine, name)),
    ),
  } as never);

/** Keeps assigns and replaces every action with side effects by one that does nothing. */
function withoutEffects(machine: AnyStateMachine, name: string): [string, unknown][] {
  const action: unknown = machine.implementations.actions[name];
  return typeof action === "function" && !("resolve" in action) ? [[name, () => {}]] : [];
}

/** Returns the transitions that a path takes, including always and raised ones. */
function edgesOf(machine: AnyStateMachine, input: unknown, events: readonly AnyEventObject[]): string[] {
  const { taken, inspect } = edgeCollector(machine);
  const actor = createActor(machine, { clock: new SimulatedClock(), inspect, input }).start();
  for (const event of events) actor.send(event);
  actor.stop();
  return [...taken];
}

/**
 * Selects few of the generated paths that together take every transition that all of them take. Greedy: always the path that adds the most
 * transitions, the shortest among equals.
 */
export function coveringPaths(model: WalkedModel): StartedPath[] {
  const silent = withSilentActors(model.machine);
  const candidates = pathsFrom(model)
    .map((path) => ({ path, edges: edgesOf(silent, path.input, path.events) }))
    .toSorted((one, other) => one.path.events.length - other.path.events.length);
  const left = new Set(candidates.flatMap(({ edges }) => edges));
  const gainOf = ({ edges }: { edges: readonly string[] }) => edges.filter((edge) => left.has(edge)).length;
  const chosen: StartedPath[] = [];
  while (left.size > 0) {
    const best = candidates.reduce((best, candidate) => (gainOf(candidate) > gainOf(best) ? candidate : best));
    chosen.push(best.path);
    for (const edge of best.edges) left.delete(edge);
  }
  return chosen;
}
