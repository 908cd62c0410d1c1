import { expect } from "vitest";
import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from "xstate";
import { getStateNodes } from "xstate/graph";
import type { Check, Invariants, StateInvariant, Visit } from "./invariants.ts";
import { causeOf } from "./walk-machine.ts";

const nodesOf = (machine: AnyStateMachine) => [machine.root, ...getStateNodes(machine.root)] as readonly AnyStateNode[];
const nameOf = ({ path }: { path: readonly string[] }) => path.join(".");

const listLeaves = (machine: AnyStateMachine): string[] =>
  nodesOf(machine)
    .filter(({ type }) => type === "atomic" || type === "final")
    .map(nameOf);

/** Returns where invariants and chart do not match: leaves without `after`, and entries without a state. */
export function mismatches(machine: AnyStateMachine, invariants: Invariants<AnyStateMachine>): string[] {
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

/** Returns the paths of the active states: leaves and their ancestors. */
export function activeIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === "string") return [[...path, value].join(".")];
  return Object.entries(value as object).flatMap(([name, inner]) => [
    [...path, name].join("."),
    ...activeIn(inner, [...path, name]),
  ]);
}

type Node = { path: readonly string[]; type: string };
export type Taken = { source: Node; target?: readonly Node[] | undefined; eventType: string };

/** Whether the node is in another region than the leaf. */
function isBeside(machine: AnyStateMachine, { path }: Node, leaf: readonly string[]): boolean {
  const end = path.findIndex((name, place) => name !== leaf[place]);
  if (end === -1) return false;
  const meeting = path
    .slice(0, end)
    .reduce<AnyStateNode>((node, name) => node.states[name] as AnyStateNode, machine.root);
  return meeting.type === "parallel";
}

/** Whether a transition determines the active leaf of its region: it enters the region or keeps its leaf. */
const decides = (machine: AnyStateMachine, { source, target = [] }: Taken, leaf: readonly string[]): boolean =>
  target.length > 0
    ? target.some((node) => !isBeside(machine, node, leaf))
    : source.type !== "parallel" && !isBeside(machine, source, leaf);

type WalkedStep = { snapshot: AnyMachineSnapshot; visit: Visit<unknown>; taken: readonly Taken[] };

/** Returns the invariants violated in the snapshot after a step; empty when all hold. */
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
    if (check === undefined) wrong.push(`${state} after ${cause}: its 'after' does not list this cause`);
    else if (check !== null) run(state, check);
  }
  const accepted = intentsOf(machine, variants).filter((event) => snapshot.can(event));
  const expected = active.flatMap((state) => acceptedBy(invariants[state], visit.context, active));
  run(active.slice(1).join(", "), () =>
    expect(unique(accepted.map(({ type }) => type)), "'accepts' lists other events than the chart accepts").toEqual(
      unique(expected),
    ),
  );
  return wrong;
}

/** Returns the error's message, with both values when it compared two. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, actual, expected } = error as Error & { actual?: unknown; expected?: unknown };
  return expected === undefined
    ? message
    : `${message}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`;
}

/**
 * Returns the cause that made a leaf active: the event of the step, or one that it raised. Null when the step did not affect the leaf's
 * region.
 */
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

/** Returns every variant of the events that come from outside the chart. */
const intentsOf = (machine: AnyStateMachine, variants: readonly AnyEventObject[]): AnyEventObject[] =>
  machine.events
    .filter((type) => !type.startsWith("xstate."))
    .flatMap((type) => {
      const known = variants.filter((event) => event.type === type);
      return known.length > 0 ? known : [{ type }];
    });
