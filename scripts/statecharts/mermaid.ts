import type { ChartNode } from "./chart.ts";

const nameOf = (id: string) => id.replace(/\W/g, "_");
const INDENT = "  ";

export function mermaidOf(chart: ChartNode): string {
  return ["stateDiagram-v2", ...bodyOf(chart, INDENT), ...notesOf(chart, INDENT, false), ""].join("\n");
}

function bodyOf(node: ChartNode, indent: string): string[] {
  const start = node.initial === null ? [] : [`${indent}[*] --> ${nameOf(node.initial)}`];
  const states = node.children.flatMap((child, index) => [
    // Regions of a parallel state are separated.
    ...(node.type === "parallel" && index > 0 ? [`${indent}--`] : []),
    ...stateOf(child, indent),
  ]);
  const edges = node.children.flatMap((child) =>
    child.edges
      .filter(({ target, isInner }) => target !== null && !isInner)
      .map(
        ({ source, target, label }) =>
          `${indent}${nameOf(source)} --> ${nameOf(target ?? "")}${label && ` : ${label}`}`,
      ),
  );
  return [...start, ...states, ...edges];
}

function stateOf(node: ChartNode, indent: string): string[] {
  const declaration = `${indent}state "${node.key}" as ${nameOf(node.id)}`;
  const end = node.type === "final" ? [`${indent}${nameOf(node.id)} --> [*]`] : [];
  if (node.children.length === 0) return [declaration, ...notesOf(node, indent, true), ...end];
  return [`${declaration} {`, ...bodyOf(node, indent + INDENT), `${indent}}`, ...notesOf(node, indent, true), ...end];
}

/** Internal transitions, invoked actors and entry and exit actions have no arrow, so they become notes. */
function notesOf(node: ChartNode, indent: string, isState: boolean): string[] {
  const lines = linesOf(node);
  if (lines.length === 0) return [];
  if (!isState) return lines.map((line) => `${indent}%% ${line}`);
  return [
    `${indent}note right of ${nameOf(node.id)}`,
    ...lines.map((line) => `${indent}${INDENT}${line}`),
    `${indent}end note`,
  ];
}

/** Returns the lines shown in a state next to its name. */
export function linesOf(node: ChartNode): string[] {
  const stays = node.edges.filter(({ target }) => target === null).map(({ label }) => label);
  const inner = node.edges
    .filter(({ target, isInner }) => target !== null && isInner)
    .map(({ label, target }) => `${label} → ${(target ?? "").slice(node.id.length + 1)}`);
  return [...node.notes, ...stays, ...inner];
}
