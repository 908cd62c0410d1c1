import type { AnyStateMachine, AnyStateNode } from "xstate";

/** A transition with its label. `target` is null if the state is kept; `isInner` if it leads into the source itself. */
export type Edge = { source: string; target: string | null; isInner: boolean; label: string };

/** A state of a chart, ready to draw. `id` is the state's id in the machine. */
export type ChartNode = {
  id: string;
  key: string;
  type: "atomic" | "compound" | "parallel" | "final" | "history";
  initial: string | null;
  /** invoked actors, entry and exit actions */
  notes: string[];
  edges: Edge[];
  children: ChartNode[];
};

/** Converts a machine's definition to a tree, with eventless transitions. */
export function chartOf(machine: AnyStateMachine): ChartNode {
  return nodeOf(machine.root);
}

export const statesOf = (chart: ChartNode): ChartNode[] =>
  chart.children.flatMap((child) => [child, ...statesOf(child)]);

export const edgesOf = (chart: ChartNode): Edge[] => [chart, ...statesOf(chart)].flatMap(({ edges }) => edges);

function nodeOf(node: AnyStateNode): ChartNode {
  const groups = [...node.transitions.values(), node.always ?? []];
  return {
    id: node.id,
    key: node.key,
    type: node.type,
    initial: node.type === "compound" ? (node.initial.target[0]?.id ?? null) : null,
    notes: [
      ...node.invoke.map(({ id }) => `runs ${id}`),
      ...worded("on entry", node.entry),
      ...worded("on exit", node.exit),
    ],
    edges: groups.flatMap((group) => group.flatMap((transition) => edgesOfTransition(node, transition))),
    children: Object.values(node.states).map(nodeOf),
  };
}

type Transition = NonNullable<AnyStateNode["always"]>[number];

function edgesOfTransition(node: AnyStateNode, transition: Transition): Edge[] {
  const targets: readonly (AnyStateNode | null)[] = transition.target ?? [null];
  return targets.map((target) => ({
    source: node.id,
    target: target?.id ?? null,
    isInner: target !== null && isWithin(target, node),
    label: [eventName(transition.eventType), guardName(transition.guard), actionNames(transition.actions)]
      .filter((part) => part !== "")
      .join(" "),
  }));
}

function isWithin(node: AnyStateNode, ancestor: AnyStateNode): boolean {
  for (let parent = node.parent; parent; parent = parent.parent) if (parent === ancestor) return true;
  return false;
}

function eventName(type: string): string {
  const settled = /^xstate\.(done|error)\.actor\.(.+)$/.exec(type);
  if (settled) return `${settled[2]} ${settled[1] === "done" ? "done" : "failed"}`;
  const after = /^xstate\.after\.([^.]+)\./.exec(type);
  if (after) return `after ${after[1]}`;
  return type.startsWith("xstate.done.state.") ? "done" : type;
}

function guardName(guard: unknown): string {
  if (guard === undefined || guard === null) return "";
  return `[${describeGuard(guard)}]`;
}

function describeGuard(guard: unknown): string {
  if (typeof guard === "string") return guard;
  if (typeof guard === "object" && guard !== null && "type" in guard) return String(guard.type);
  const { check, guards } = guard as { check?: { name?: string }; guards?: unknown[] };
  if (!guards) return "condition";
  const kind = check?.name ?? "";
  const names = guards.map(describeGuard);
  if (kind.includes("Not")) return `not ${names[0]}`;
  return names.join(kind.includes("Or") ? " or " : " and ");
}

function actionNames(actions: readonly unknown[]): string {
  return actions.length === 0 ? "" : `/ ${actions.map(actionName).join(", ")}`;
}

function actionName(action: unknown): string {
  if (typeof action === "string") return action;
  const { type, name } = action as { type?: string; name?: string };
  return type ?? name ?? "action";
}

/** Omits the timers of delayed transitions; the transition's label shows them. */
function worded(prefix: string, actions: readonly unknown[]): string[] {
  const names = actions.map(actionName).filter((name) => name !== "xstate.raise" && name !== "xstate.cancel");
  return names.length === 0 ? [] : [`${prefix}: ${names.join(", ")}`];
}
