import { expect } from "vitest";
import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine, AnyStateNode, ContextFrom } from "xstate";
import { getStateNodes } from "xstate/graph";
import { causeOf } from "./causes.ts";

/** A step's actions besides assigns, by name, with their params or null; under `sendTo` what it sent to its children. */
type Effects = Readonly<Record<string, unknown>>;

/** One step of a walk, as an invariant sees it. `cause` is what `causeOf` makes of the event. */
export type Visit<Context> = {
  cause: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- an event's payload is known by its cause
  event: any;
  context: Context;
  /** The context before the step; at the start, the same as `context`. */
  before: Context;
  /** What the step did besides assigning. */
  effects: Effects;
  /** The inputs of the calls that are waiting for an answer, by the ids of their actors. */
  calls: Readonly<Record<string, unknown>>;
  /** The same before the step. */
  callsBefore: Readonly<Record<string, unknown>>;
  /** Whether the chart is in a state now, by the state's path. */
  isIn: (state: string) => boolean;
};

type Check<Context> = (visit: Visit<Context>) => unknown;

export type StateInvariant<Context> = {
  /** The only causes that may lead here or keep the chart here, each with what must be true right after it. */
  after?: readonly string[] | Readonly<Record<string, Check<Context> | null>>;
  /** The events that must be accepted here. All events that no active state lists must be refused. */
  accepts?: readonly string[] | ((context: Context, isIn: (state: string) => boolean) => readonly string[]);
  /** What must be true on every step that ends here. */
  holds?: Check<Context>;
};

/**
 * Hand-written truths about a chart, by the path of a state, such as `list.shown`. Every leaf has an entry; a compound state has
 * one where it says something of all its leaves; `*` is the whole chart.
 */
export type Invariants<Machine extends AnyStateMachine> = Readonly<
  Record<string, StateInvariant<ContextFrom<Machine>>>
>;

/** Causes after which nothing needs to be true but that the chart is here. */
export const unchecked = (...causes: string[]) => Object.fromEntries(causes.map((cause) => [cause, null]));

const nodesOf = (machine: AnyStateMachine) => [machine.root, ...getStateNodes(machine.root)] as readonly AnyStateNode[];
const nameOf = ({ path }: { path: readonly string[] }) => path.join(".");

/** The states of the chart that have no states within. */
const listLeaves = (machine: AnyStateMachine): string[] =>
  nodesOf(machine)
    .filter(({ type }) => type === "atomic" || type === "final")
    .map(nameOf);

/** Where the invariants do not fit the chart: leaves that do not say how they are reached, and entries without a state. */
export function misfits(machine: AnyStateMachine, invariants: Invariants<AnyStateMachine>): string[] {
  const known = new Set(["*", ...nodesOf(machine).map(nameOf)]);
  return [
    ...listLeaves(machine)
      .filter((leaf) => invariants[leaf]?.after === undefined)
      .map((leaf) => `${leaf} does not say after what`),
    ...Object.keys(invariants)
      .filter((name) => !known.has(name))
      .map((name) => `${name} is no state of the chart`),
  ];
}

/** The active states, leaves and all around them, by their paths. */
export function activeIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === "string") return [[...path, value].join(".")];
  return Object.entries(value as object).flatMap(([name, inner]) => [
    [...path, name].join("."),
    ...activeIn(inner, [...path, name]),
  ]);
}

type Node = { path: readonly string[]; type: string };
export type Taken = { source: Node; target?: readonly Node[] | undefined; eventType: string };

/** Whether the node lies in another region than the leaf. */
function isBeside(machine: AnyStateMachine, { path }: Node, leaf: readonly string[]): boolean {
  const end = path.findIndex((name, place) => name !== leaf[place]);
  if (end === -1) return false;
  const meeting = path
    .slice(0, end)
    .reduce<AnyStateNode>((node, name) => node.states[name] as AnyStateNode, machine.root);
  return meeting.type === "parallel";
}

/** Whether a transition decides which leaf its region is in: it leads into the region, or keeps what is there. */
const decides = (machine: AnyStateMachine, { source, target = [] }: Taken, leaf: readonly string[]): boolean =>
  target.length > 0
    ? target.some((node) => !isBeside(machine, node, leaf))
    : source.type !== "parallel" && !isBeside(machine, source, leaf);

type WalkedStep = { snapshot: AnyMachineSnapshot; visit: Visit<unknown>; taken: readonly Taken[] };

/** What is violated in the snapshot that a step led to; nothing where every invariant holds. */
export function violations(
  machine: AnyStateMachine,
  invariants: Invariants<AnyStateMachine>,
  variants: readonly AnyEventObject[],
  step: WalkedStep,
): string[] {
  const { snapshot, visit } = step;
  const wrong: string[] = [];
  const run = (state: string, check: Check<never>) => {
    try {
      check(visit as Visit<never>);
    } catch (error) {
      wrong.push(`${state} after ${visit.cause}: ${describe(error)}`);
    }
  };
  const active = ["*", ...activeIn(snapshot.value)];
  for (const state of active) {
    const { after, holds } = invariants[state] ?? {};
    if (holds) run(state, holds);
    const cause = after && causeIn(machine, state.split("."), step);
    if (!after || !cause) continue;
    const check = isList(after) ? (after.includes(cause) ? null : undefined) : after[cause];
    if (check === undefined) wrong.push(`${state} must not follow ${cause}`);
    else if (check !== null) run(state, check);
  }
  const accepted = intentsOf(machine, variants).filter((event) => snapshot.can(event));
  const expected = active.flatMap((state) => acceptedBy(invariants[state], visit.context, active));
  run(active.slice(1).join(", "), () =>
    expect(unique(accepted.map(({ type }) => type)), "the events that are accepted").toEqual(unique(expected)),
  );
  return wrong;
}

/** The error's message with both values, where it compared two. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, actual, expected } = error as Error & { actual?: unknown; expected?: unknown };
  return expected === undefined
    ? message
    : `${message}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`;
}

/** What decided that a leaf is active: the event of the step, or one that it raised. Null where its region was left alone. */
function causeIn(machine: AnyStateMachine, leaf: readonly string[], { visit, taken }: WalkedStep): string | null {
  const deciding = taken.filter((edge) => decides(machine, edge, leaf));
  if (deciding.length === 0 && visit.cause !== "start") return null;
  const named = deciding.findLast(({ eventType }) => eventType !== "" && !eventType.startsWith("xstate.done.state."));
  return named === undefined ? visit.cause : causeOf({ type: named.eventType });
}

const isList = (after: object): after is readonly string[] => Array.isArray(after);

const unique = (words: readonly string[]) => [...new Set(words)].toSorted();

const acceptedBy = (
  invariant: StateInvariant<never> | undefined,
  context: unknown,
  active: readonly string[],
): readonly string[] =>
  typeof invariant?.accepts === "function"
    ? invariant.accepts(context as never, (state) => active.includes(state))
    : (invariant?.accepts ?? []);

/** Every variant of the events that come from outside the chart. */
const intentsOf = (machine: AnyStateMachine, variants: readonly AnyEventObject[]): AnyEventObject[] =>
  machine.events
    .filter((type) => !type.startsWith("xstate."))
    .flatMap((type) => {
      const known = variants.filter((event) => event.type === type);
      return known.length > 0 ? known : [{ type }];
    });
