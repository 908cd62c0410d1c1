import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  initialTransition,
  transition,
} from "xstate";
import { getStateNodes } from "xstate/graph";
import { type Model, type Step, enabledEvents } from "./walk-machine.ts";

const regionsHolders = (machine: AnyStateMachine) =>
  [machine.root, ...getStateNodes(machine.root)].filter(({ type }) => type === "parallel");

/** Whether parts of the chart are in a state each at the same time. */
export const hasRegions = (machine: AnyStateMachine): boolean => regionsHolders(machine).length > 0;

/** The states of every two regions beside each other, as words. */
export function pairsIn(machine: AnyStateMachine, { value }: AnyMachineSnapshot): string[] {
  return regionsHolders(machine).flatMap(({ path }) => {
    const held = path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
    const regions = Object.entries(typeof held === "object" ? (held as object) : {}).map(
      ([name, state]) => `${name} ${JSON.stringify(state)}`,
    );
    return regions.flatMap((one, place) => regions.slice(place + 1).map((other) => `${one} with ${other}`));
  });
}

/** A step, and the pairs that it meets for the first time. */
export type TourStep = Step & { fresh: readonly string[] };

type Place = { pairs: readonly string[]; ways: { happening: Happening; to: string }[] };
export type Beside = {
  /** What the chart would take, and nobody can bring about there, is not. */
  isPossible: (state: AnyMachineSnapshot, event: AnyEventObject) => boolean;
  /** What the screen itself does at once in a state that `cause` led to; null where it does nothing. */
  reflex?: (state: AnyMachineSnapshot, cause: AnyEventObject) => AnyEventObject | null;
};
type Taking = (state: AnyMachineSnapshot, event: AnyEventObject) => AnyMachineSnapshot;
type Happening = { word: string; event: AnyEventObject };

/** Far more than any chart has; beyond it, regions multiply and must be bounded. */
const MOST_PLACES = 20_000;

/**
 * Walks from the start that together meet every pair of regions' states which the chart reaches by events that are
 * possible, but for those `met` already. Each leads on from one pair to the nearest that is left, so they are few.
 */
export function pairTours(
  machine: AnyStateMachine,
  model: Model,
  { isPossible, reflex = () => null }: Beside,
  met: ReadonlySet<string>,
): TourStep[][] {
  const happens = eventsIn(model, isPossible);
  const step: Taking = (state, event) => {
    let [next] = transition(machine, state, event) as [AnyMachineSnapshot, ...unknown[]];
    for (let cause: AnyEventObject | null = event; (cause = reflex(next, cause)) !== null;)
      [next] = transition(machine, next, cause) as [AnyMachineSnapshot, ...unknown[]];
    return next;
  };
  const [start] = initialTransition(machine, model.input) as [AnyMachineSnapshot, ...unknown[]];
  const places = explore(machine, start, happens, step);
  const left = new Set([...places.values()].flatMap(({ pairs }) => pairs).filter((pair) => !met.has(pair)));
  const meet = (state: AnyMachineSnapshot) => pairsIn(machine, state).filter((pair) => left.delete(pair));
  const tours: TourStep[][] = [];
  meet(start);
  while (left.size > 0) {
    const tour: TourStep[] = [];
    for (let state = start; ;) {
      const leg = legFrom(places, keyOf(state, happens(state)), left) ?? [];
      const steps: TourStep[] = [];
      for (const { word, event } of leg) {
        // What is one state by its value and by what it accepts may be two by its context: then it goes on from here.
        if (!happens(state).some((other) => other.word === word)) break;
        state = step(state, event);
        steps.push({ event, state, fresh: meet(state) });
      }
      if (steps.every(({ fresh }) => fresh.length === 0)) break;
      tour.push(...steps);
    }
    if (tour.length === 0) throw new Error(`no way leads to ${[...left][0]}`);
    tours.push(tour);
  }
  return tours;
}

const eventsIn =
  ({ events = [] }: Model, isPossible: Beside["isPossible"]) =>
  (state: AnyMachineSnapshot): Happening[] =>
    enabledEvents(state, events)
      .filter((event) => state.can(event) && isPossible(state, event))
      .map((event) => ({ event, word: `${event.type} ${events.indexOf(event)}` }));

/** Two states are one where they have the same value and accept the same events. */
const keyOf = ({ value }: AnyMachineSnapshot, accepted: readonly Happening[]): string =>
  JSON.stringify([value, accepted.map(({ word }) => word).toSorted()]);

function explore(
  machine: AnyStateMachine,
  start: AnyMachineSnapshot,
  happens: (state: AnyMachineSnapshot) => Happening[],
  step: Taking,
): Map<string, Place> {
  const places = new Map<string, Place>();
  const waiting: { state: AnyMachineSnapshot; events: Happening[]; place: Place }[] = [];
  const arrive = (state: AnyMachineSnapshot): string => {
    const events = happens(state);
    const key = keyOf(state, events);
    if (places.has(key)) return key;
    if (places.size >= MOST_PLACES) throw new Error(`${machine.id} has more than ${MOST_PLACES} states for its pairs`);
    const place: Place = { pairs: pairsIn(machine, state), ways: [] };
    places.set(key, place);
    waiting.push({ state, events, place });
    return key;
  };
  arrive(start);
  for (const { state, events, place } of waiting) {
    for (const happening of events) {
      place.ways.push({ happening, to: arrive(step(state, happening.event)) });
    }
  }
  return places;
}

/** The shortest way to a pair that is left. */
function legFrom(places: ReadonlyMap<string, Place>, from: string, left: ReadonlySet<string>): Happening[] | null {
  const known = new Set([from]);
  const waiting: { key: string; leg: Happening[] }[] = [{ key: from, leg: [] }];
  for (const { key, leg } of waiting) {
    for (const { happening, to } of places.get(key)?.ways ?? []) {
      if (known.has(to)) continue;
      known.add(to);
      const further = [...leg, happening];
      if (places.get(to)?.pairs.some((pair) => left.has(pair))) return further;
      waiting.push({ key: to, leg: further });
    }
  }
  return null;
}
