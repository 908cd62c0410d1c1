import { type AnyStateMachine, type InspectionEvent, SimulatedClock, createActor, fromPromise } from "xstate";
import { type NamedPath, type Step, edgeCollector, listEdges } from "./walk-machine.ts";

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
export function edgesOf(machine: AnyStateMachine, input: unknown, steps: readonly Step[]): Set<string> {
  const coverage = edgeCollector(machine);
  const inspect = (event: InspectionEvent) => coverage.inspect(event);
  const actor = createActor(overSilence(machine), { clock: new SimulatedClock(), inspect, input }).start();
  for (const { event } of steps) actor.send(event);
  actor.stop();
  return coverage.taken;
}

/** As few of the paths as take every transition that all of them take: always the one that adds the most, the shortest of equals. */
export function fewestPaths(
  machine: AnyStateMachine,
  input: unknown,
  paths: readonly NamedPath[],
  /** What must be taken; the chart's transitions unless something finer. */
  partsOf: (steps: readonly Step[]) => Iterable<string> = (steps) => edgesOf(machine, input, steps),
): NamedPath[] {
  const candidates = paths.map((path) => ({ path, parts: [...new Set(partsOf(path[1]))] }));
  const left = new Set(candidates.flatMap(({ parts }) => parts));
  const chosen: NamedPath[] = [];
  while (left.size > 0) {
    const gains = candidates.map(({ parts }) => parts.filter((part) => left.has(part)).length);
    const best = candidates[indexOfBest(gains, (index) => -(candidates[index]?.path[1].length ?? 0))];
    if (best === undefined) break;
    chosen.push(best.path);
    for (const part of best.parts) left.delete(part);
  }
  return chosen;
}

function indexOfBest(gains: readonly number[], rankOf: (index: number) => number): number {
  let best = 0;
  for (let index = 1; index < gains.length; index++) {
    const [gain = 0, most = 0] = [gains[index], gains[best]];
    if (gain > most || (gain === most && rankOf(index) > rankOf(best))) best = index;
  }
  return best;
}

/** The transitions of the chart that none of the paths takes. */
export function edgesLeftOut(
  machine: AnyStateMachine,
  walks: readonly { input: unknown; steps: readonly Step[] }[],
): string[] {
  const taken = new Set(walks.flatMap(({ input, steps }) => [...edgesOf(machine, input, steps)]));
  return listEdges(machine).filter((edge) => !taken.has(edge));
}
