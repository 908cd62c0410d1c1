import { type AnyEventObject, type AnyStateMachine, SimulatedClock, createActor, fromPromise } from "xstate";
import { type StartedPath, type WalkedModel, pathsFrom } from "./walk-model.ts";
import { edgeCollector } from "./walk-machine.ts";

const never = () => new Promise<never>(() => {});

/** The machine with every invoked actor replaced by one that never ends: a path's own events say what comes of them. */
const overSilence = (machine: AnyStateMachine): AnyStateMachine =>
  machine.provide({
    actors: Object.fromEntries(Object.keys(machine.implementations.actors).map((name) => [name, fromPromise(never)])),
    actions: Object.fromEntries(
      Object.keys(machine.implementations.actions).flatMap((name) => stillAction(machine, name)),
    ),
  } as never);

/** Assigns stay as they are; an action that would do something outside does nothing. */
function stillAction(machine: AnyStateMachine, name: string): [string, unknown][] {
  const action: unknown = machine.implementations.actions[name];
  return typeof action === "function" && !("resolve" in action) ? [[name, () => {}]] : [];
}

/** The transitions of the chart that a path takes, always and raised ones included. */
function edgesOf(machine: AnyStateMachine, input: unknown, events: readonly AnyEventObject[]): string[] {
  const { taken, inspect } = edgeCollector(machine);
  const actor = createActor(machine, { clock: new SimulatedClock(), inspect, input }).start();
  for (const event of events) actor.send(event);
  actor.stop();
  return [...taken];
}

/**
 * As few of the generated paths as take every transition that all of them take: always the one that adds the most, the
 * shortest of equals.
 */
export function coveringPaths(machine: AnyStateMachine, model: WalkedModel): StartedPath[] {
  const silent = overSilence(machine);
  const candidates = pathsFrom(machine, model)
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
