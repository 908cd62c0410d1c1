import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type InspectionEvent,
  fromPromise,
  getNextTransitions,
} from "xstate";
import { offline } from "./model.ts";
import { getAdjacencyMap, getShortestPaths, getStateNodes } from "xstate/graph";

type Edge = { source: { id: string }; eventType: string };

const edgeKey = (edge: Edge, index: number) => `${edge.source.id} | ${edge.eventType || "(always)"} | ${index}`;

/** Returns every transition in the definition: on, after, invoke onDone/onError, compound onDone, always. */
export const listEdges = (machine: AnyStateMachine): string[] =>
  [machine.root, ...getStateNodes(machine.root)].flatMap((node) =>
    [...node.transitions.values(), node.always ?? []].flatMap((group) => group.map(edgeKey)),
  );

/** Returns every state of the definition except the root, by id. */
export const listStates = (machine: AnyStateMachine): string[] => getStateNodes(machine.root).map((node) => node.id);

export type EdgeCollector = { taken: Set<string>; inspect: (event: InspectionEvent) => void };

/** Collects the transitions that a machine takes, including always and raised ones: pass `inspect` to createActor or useMachine. */
export function edgeCollector(machine: AnyStateMachine): EdgeCollector {
  const taken = new Set<string>();
  const inspect = (event: InspectionEvent): void => {
    if (event.type !== "@xstate.microstep") return;
    // oxlint-disable-next-line no-underscore-dangle -- xstate's name for the transitions of a microstep
    for (const edge of event._transitions) {
      if (edge.source.machine.id !== machine.id) continue; // a child machine has its own collector
      const group = (edge.eventType ? edge.source.transitions.get(edge.eventType) : edge.source.always) ?? [];
      taken.add(edgeKey(edge, group.indexOf(edge as never)));
    }
  };
  return { taken, inspect };
}

/** Returns the transitions of the machine that no walked path took; a test expects none. */
export const missingEdges = (machine: AnyStateMachine, { taken }: EdgeCollector): string[] =>
  listEdges(machine).filter((edge) => !taken.has(edge));

export type Model = {
  input?: unknown;
  /** Payload variants of events; for done and error events, one per guard branch. An event without a variant is sent without payload. */
  events?: AnyEventObject[];
  /** The parts of a snapshot that distinguish states. Cap counters at the values that guards distinguish. */
  project?: (snapshot: AnyMachineSnapshot) => unknown;
};

/**
 * Returns paths that together take every (reachable state, event variant) pair: the shortest path to each state, continued by each possible
 * event.
 */
export function edgePaths(
  machine: AnyStateMachine,
  model: Model,
  allow: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => boolean = () => true,
): AnyEventObject[][] {
  const keyOf = (snapshot: AnyMachineSnapshot) =>
    JSON.stringify(model.project?.(snapshot) ?? [snapshot.value, snapshot.context]);
  // Variants are identified by position, because JSON cannot tell some of them apart, such as files.
  const wordOf = (event: AnyEventObject) => `${event.type} ${model.events?.indexOf(event) ?? -1}`;
  const nameOf = (events: readonly AnyEventObject[]) => events.map(wordOf).join(" > ");
  const options = {
    input: model.input,
    limit: 20_000,
    events: (snapshot: AnyMachineSnapshot) =>
      enabledEvents(machine, snapshot, model.events ?? []).filter((event) => allow(snapshot, event)),
    serializeState: keyOf,
    serializeEvent: wordOf,
  };
  const adjacent = getAdjacencyMap(machine, options as never);
  const legs = getShortestPaths(machine, options as never).flatMap((path) => {
    const before = path.steps.slice(1).map(({ event }) => event as AnyEventObject);
    const onward = Object.values(adjacent[keyOf(path.state) as keyof typeof adjacent]?.transitions ?? {});
    return onward.map(({ event }) => [...before, event as AnyEventObject]);
  });
  const inner = new Set(
    legs.flatMap((events) => events.slice(0, -1).map((_, end) => nameOf(events.slice(0, end + 1)))),
  );
  const outer = legs.filter((events) => !inner.has(nameOf(events)));
  return outer.length === 0 ? [[]] : outer;
}

/** Creates an event without a payload from the model; a failed actor gets a connection error. */
const bare = (type: string): AnyEventObject => (type.startsWith("xstate.error.") ? { type, error: offline } : { type });

/**
 * Returns the next possible events: each variant of the events that the chart listens to. Leaves out outside events that a guard refuses,
 * and the ends of `watch…` actors unless the model gives one.
 */
function enabledEvents(
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  variants: AnyEventObject[],
): AnyEventObject[] {
  if (snapshot.status !== "active") return [];
  const types = new Set(getNextTransitions(snapshot).map((edge) => edge.eventType));
  return [...types]
    .filter((type) => type !== "" && !type.includes("*") && !type.startsWith("xstate.done.state."))
    .flatMap((type) => {
      const known = variants.filter((event) => event.type === type);
      return known.length > 0 || type.includes(".actor.watch") ? known : [bare(type)];
    })
    .filter((event) => event.type.startsWith("xstate.") || machine.getTransitionData(snapshot, event).length > 0);
}

export type PendingServices = ReturnType<typeof pendingServices>;

/** Fake promise actors that stay pending until the path settles them by the id of their invoke. */
export function pendingServices() {
  type Call = { input: unknown; resolve: (value: unknown) => void; reject: (error: unknown) => void };
  const open = new Map<string, Call>();
  const pend = (id: string, input: unknown, signal: AbortSignal) =>
    new Promise<unknown>((resolve, reject) => {
      const call = { input, resolve, reject };
      open.set(id, call);
      signal.addEventListener("abort", () => open.get(id) === call && open.delete(id));
    });
  /** An actor that stays pending until `settle` is called with the id under which the chart runs it. */
  const service = <Output, Input>() =>
    fromPromise<Output, Input>(({ self, input, signal }) => pend(self.id, input, signal) as Promise<Output>);
  const settle = (id: string) => {
    const call = open.get(id);
    if (!call) throw new Error(`${id} was never called`);
    open.delete(id);
    return call;
  };
  /** The inputs of the pending calls, by id. `watch…` actors are left out. */
  const inputs = () =>
    Object.fromEntries([...open].flatMap(([id, { input }]) => (id.startsWith("watch") ? [] : [[id, input]])));
  return { service, settle, inputs };
}

type SystemUnderTest = {
  services: PendingServices;
  clock: { increment(milliseconds: number): void };
  /** The machine's named delays in milliseconds, as they are when the event fires. */
  delays: Record<string, number>;
  /** Performs what the user or an outside part does: actor.send(event), or the click that causes it. */
  user: (event: AnyEventObject) => unknown;
};

/** Plays one event of a path: settles a service, lets time pass, or acts as the user. Then flushes promises. */
export async function play(event: AnyEventObject, sut: SystemUnderTest): Promise<void> {
  const settled = /^xstate\.(done|error)\.actor\.(.+)$/.exec(event.type);
  const after = /^xstate\.after\.([^.]+)\./.exec(event.type);
  if (settled?.[1] === "done") sut.services.settle(settled[2] ?? "").resolve(event["output"]);
  else if (settled?.[1] === "error") sut.services.settle(settled[2] ?? "").reject(event["error"]);
  else if (after) sut.clock.increment(sut.delays[after[1] ?? ""] ?? Number(after[1]));
  else await sut.user(event);
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}

/** Returns a short name of an event: `done save`, `error save`, `after delay`, `start`, or its own type. */
export function causeOf({ type }: { type: string }): string {
  if (type === "xstate.init") return "start";
  const [, kind, name] =
    /^xstate\.(done|error)\.actor\.(.+)$/.exec(type) ?? /^xstate\.(after)\.([^.]+)\./.exec(type) ?? [];
  return kind === undefined ? type : `${kind} ${name}`;
}

/** Returns a short title of a path, with the numbers of its payload variants. */
export function titleOf(events: readonly AnyEventObject[], variants: readonly AnyEventObject[] = []): string {
  const nameOf = (event: AnyEventObject): string => {
    const known = variants.filter((variant) => variant.type === event.type);
    return causeOf(event) + (known.length > 1 ? ` #${known.indexOf(event) + 1}` : "");
  };
  return events.map(nameOf).join(" > ") || "(initial)";
}
